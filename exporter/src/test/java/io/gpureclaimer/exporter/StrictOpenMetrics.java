package io.gpureclaimer.exporter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gpureclaimer.exporter.StrictScrape.Family;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A reader of OpenMetrics 1.0 that lets nothing pass: each family has HELP and TYPE, in either
 * order; a counter's series end in {@code _total}, and those of a gauge or of unknown meaning are
 * called as their family; there are no series of any other kind but of a summary; nothing comes
 * after the end. What is left is as strict as in the text format, and read by {@link StrictScrape}.
 */
public final class StrictOpenMetrics {
  private static final String END = "# EOF\n";
  private static final Pattern HELP = Pattern.compile("(?:[^\\\\\"]|\\\\[\\\\n\"])*");
  private static final Set<String> TYPES = Set.of("counter", "gauge", "summary", "unknown");

  private final StringBuilder asText = new StringBuilder();
  private final Set<String> names = new HashSet<>();
  private @Nullable String family;
  private @Nullable String type;
  private @Nullable String help;

  private StrictOpenMetrics() {}

  /** All families, named as their series are, with the types of the text format. */
  public static List<Family> parse(byte[] scrape) {
    String text = new String(scrape, UTF_8);
    if (!text.endsWith(END)) {
      throw new AssertionError("does not end in EOF");
    }
    var reader = new StrictOpenMetrics();
    // Of line breaks, only this one ends a line.
    String lines = text.substring(0, text.length() - END.length());
    if (!lines.isEmpty() && !lines.endsWith("\n")) {
      throw new AssertionError("the last line does not end");
    }
    for (int from = 0; from < lines.length(); from = lines.indexOf('\n', from) + 1) {
      reader.take(lines.substring(from, lines.indexOf('\n', from)));
    }
    return StrictScrape.parse(reader.asText.toString().getBytes(UTF_8));
  }

  private void take(String line) {
    if (!line.startsWith("#")) {
      series(line);
      return;
    }
    String[] words = line.split(" ", 4);
    if (words.length < 4) {
      throw wrong("a comment of a kind that there is not", line);
    }
    if (!words[2].equals(family) || (type != null && help != null)) {
      begin(words[2], line);
    }
    if (words[1].equals("HELP") && help == null && HELP.matcher(words[3]).matches()) {
      help = words[3].replace("\\\"", "\"");
    } else if (words[1].equals("TYPE") && type == null && TYPES.contains(words[3])) {
      type = words[3];
    } else {
      throw wrong("no HELP or TYPE, or one too many", line);
    }
    if (type != null && help != null) {
      header();
    }
  }

  private void begin(String name, String line) {
    if (family != null && (type == null || help == null)) {
      throw wrong("a family without HELP or TYPE before", line);
    }
    if (!names.add(name)) {
      throw wrong("a family for the second time", line);
    }
    family = name;
    type = null;
    help = null;
  }

  private void header() {
    String name = series();
    asText.append("# HELP ").append(name).append(' ').append(help).append('\n');
    asText.append("# TYPE ").append(name).append(' ');
    asText.append("unknown".equals(type) ? "untyped" : type).append('\n');
  }

  private String series() {
    return "counter".equals(type) ? family + "_total" : String.valueOf(family);
  }

  private void series(String line) {
    if (family == null || type == null || help == null) {
      throw wrong("a series outside of its family", line);
    }
    asText.append(line).append('\n');
  }

  private static AssertionError wrong(String what, String line) {
    return new AssertionError(what + ": " + line);
  }
}
