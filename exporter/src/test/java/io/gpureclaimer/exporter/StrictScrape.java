package io.gpureclaimer.exporter;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a scrape as strictly as the text format is written down, and stricter than Prometheus: HELP
 * and TYPE once and before the series of their family, families in one piece, no series twice.
 * Whatever is wrong is an {@link AssertionError} that names the line.
 */
public final class StrictScrape {
  private static final Pattern METRIC_NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
  private static final Pattern LABEL_NAME = Pattern.compile("(?!__)[a-zA-Z_][a-zA-Z0-9_]*");
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(?:\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|Inf)|NaN");
  private static final Set<String> TYPES =
      Set.of("counter", "gauge", "histogram", "summary", "untyped");

  private final List<Family> families = new ArrayList<>();
  private final Set<String> ended = new HashSet<>();
  private final Set<ScrapedSeries> series = new HashSet<>();
  private @Nullable Family open;
  private @Nullable String helped;
  private String help = "";

  /**
   * @param labels without those that are empty, which to Prometheus are the same as none
   */
  public record ScrapedSeries(String name, Map<String, String> labels) {
    public ScrapedSeries {
      labels = Map.copyOf(labels);
    }
  }

  /** One line that is no comment. */
  public record ScrapedSample(ScrapedSeries series, String value) {}

  /** What stands between one HELP and the next. */
  public record Family(String name, String type, String help, List<ScrapedSample> samples) {}

  private StrictScrape() {}

  /** All families, in their order. */
  public static List<Family> parse(byte[] scrape) {
    var reader = new StrictScrape();
    String text = decoded(scrape);
    if (!text.isEmpty() && !text.endsWith("\n")) {
      throw new AssertionError("the last line does not end");
    }
    int from = 0;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      reader.take(text.substring(from, end));
      from = end + 1;
    }
    reader.end();
    return List.copyOf(reader.families);
  }

  private static String decoded(byte[] scrape) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(scrape)).toString();
    } catch (CharacterCodingException e) {
      throw new AssertionError("not UTF-8", e);
    }
  }

  private void take(String line) {
    if (line.startsWith("# HELP ")) {
      takeHelp(line);
    } else if (line.startsWith("# TYPE ")) {
      takeType(line);
    } else if (line.startsWith("#")) {
      throw wrong("a comment that is neither HELP nor TYPE", line);
    } else {
      takeSample(line);
    }
  }

  private void takeHelp(String line) {
    end();
    String[] words = line.split(" ", 4);
    if (words.length < 4 || !METRIC_NAME.matcher(words[2]).matches()) {
      throw wrong("a HELP without name or text", line);
    }
    if (!ended.add(words[2])) {
      throw wrong("a family for the second time", line);
    }
    helped = words[2];
    help = unescaped(words[3], "\\n", line);
  }

  private void takeType(String line) {
    String[] words = line.split(" ", -1);
    if (words.length != 4 || !words[2].equals(helped) || !TYPES.contains(words[3])) {
      throw wrong("a TYPE that does not follow its HELP, or that is none", line);
    }
    helped = null;
    open = new Family(words[2], words[3], help, new ArrayList<>());
    families.add(open);
  }

  private void takeSample(String line) {
    int brace = line.indexOf('{');
    int name = brace >= 0 ? brace : line.indexOf(' ');
    int value = line.lastIndexOf(' ');
    if (name < 0 || value < name || !METRIC_NAME.matcher(line.substring(0, name)).matches()) {
      throw wrong("no series", line);
    }
    var family = open;
    if (family == null || !isOf(family, line.substring(0, name))) {
      throw wrong("a series outside its family", line);
    }
    if (!NUMBER.matcher(line.substring(value + 1)).matches()) {
      throw wrong("no number", line);
    }
    Map<String, String> labels = brace >= 0 ? labels(line, brace, value) : Map.of();
    var one = new ScrapedSeries(line.substring(0, name), labels);
    if (!series.add(one)) {
      throw wrong("a series for the second time", line);
    }
    family.samples().add(new ScrapedSample(one, line.substring(value + 1)));
  }

  private static boolean isOf(Family family, String name) {
    return switch (family.type()) {
      case "histogram" -> isPart(name, family, "_bucket", "_sum", "_count");
      case "summary" -> name.equals(family.name()) || isPart(name, family, "_sum", "_count");
      default -> name.equals(family.name());
    };
  }

  private static boolean isPart(String name, Family family, String... parts) {
    return Arrays.stream(parts).anyMatch(part -> name.equals(family.name() + part));
  }

  /** Ends where a value ends that is followed by a closing brace and the last blank of the line. */
  private static Map<String, String> labels(String line, int brace, int value) {
    var labels = new TreeMap<String, String>();
    var names = new HashSet<String>();
    int at = brace + 1;
    while (line.charAt(at) != '}') {
      int opening = line.indexOf("=\"", at);
      if (opening < 0) {
        throw wrong("a label without a value", line);
      }
      String name = line.substring(at, opening);
      if (!LABEL_NAME.matcher(name).matches() || !names.add(name)) {
        throw wrong("a label that is none, or stands twice: " + name, line);
      }
      int closing = closing(line, opening + 2);
      String text = unescaped(line.substring(opening + 2, closing), "\\n\"", line);
      if (!text.isEmpty()) {
        labels.put(name, text);
      }
      at = closing + 1;
      if (line.charAt(at) == ',') {
        at++;
      } else if (line.charAt(at) != '}') {
        throw wrong("no comma between labels", line);
      }
    }
    if (at + 1 != value) {
      throw wrong("something between labels and value", line);
    }
    return labels;
  }

  private static int closing(String line, int from) {
    for (int at = from; at < line.length(); at++) {
      if (line.charAt(at) == '\\') {
        at++;
      } else if (line.charAt(at) == '"') {
        return at;
      }
    }
    throw wrong("a value that does not end", line);
  }

  private static String unescaped(String text, String escapable, String line) {
    var plain = new StringBuilder();
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '\\') {
        at++;
        if (at == text.length() || escapable.indexOf(text.charAt(at)) < 0) {
          throw wrong("a backslash before what needs none", line);
        }
        plain.append(text.charAt(at) == 'n' ? '\n' : text.charAt(at));
      } else {
        plain.append(c);
      }
    }
    return plain.toString();
  }

  private void end() {
    if (helped != null) {
      throw new AssertionError("a HELP without TYPE: " + helped);
    }
    open = null;
  }

  private static AssertionError wrong(String what, String line) {
    return new AssertionError(what + ": " + line);
  }
}
