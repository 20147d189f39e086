package io.gpureclaimer.common.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The properties of a program, read from the sources of its config records. */
public final class PropertyReference {
  private static final Pattern RECORD =
      Pattern.compile(
          "/\\*\\*(?<doc>(?:(?!\\*/).)*)\\*/\\s*@Context\\s*"
              + "@ConfigurationProperties\\(\"(?<prefix>[^\"]+)\"\\)\\s*public record \\w+\\(",
          Pattern.DOTALL);
  private static final Pattern PARAMETER =
      Pattern.compile("@param (\\w+)\\s+(.*?)(?=@param|\\z)", Pattern.DOTALL);

  private PropertyReference() {}

  /**
   * One property.
   *
   * @param key its whole name
   * @param preset the default; empty if there is none
   * @param meaning what its record says of it
   */
  private record Row(String key, String preset, String meaning) {
    List<String> cells() {
      return List.of(ReferencePage.code(key), ReferencePage.code(preset), meaning);
    }
  }

  /**
   * Adds the properties whose records lie in the folder to the page, record by record.
   *
   * @throws IllegalStateException if a component of a record is not explained
   */
  public static void addTo(ReferencePage page, Path sources, Path presets) throws IOException {
    Map<String, String> preset = flattened(presets);
    try (Stream<Path> files = Files.list(sources)) {
      for (Path file : files.sorted().toList()) {
        String source = Files.readString(file);
        Matcher found = RECORD.matcher(source);
        while (found.find()) {
          page.paragraph("**`" + found.group("prefix") + "`**: " + about(found.group("doc")))
              .table(
                  List.of("property", "default", "meaning"),
                  rows(source, found, preset).stream().map(Row::cells).toList());
        }
      }
    }
  }

  private static List<Row> rows(String source, Matcher found, Map<String, String> preset) {
    Map<String, String> meanings = meanings(found.group("doc"));
    var rows = new ArrayList<Row>();
    for (String component : components(source, found.end())) {
      String key = found.group("prefix") + "." + hyphenated(component);
      String meaning = meanings.get(component);
      if (meaning == null) {
        throw new IllegalStateException(key + " is not explained");
      }
      rows.add(new Row(key, preset.getOrDefault(key, ""), meaning));
    }
    return rows;
  }

  /** The first sentence, as it goes on behind a colon. */
  private static String about(String doc) {
    String first = words(doc).strip().replaceAll("(?s)\\.(\\s.*)?$", ".");
    return first.substring(0, 1).toLowerCase(Locale.ROOT) + first.substring(1);
  }

  private static Map<String, String> meanings(String doc) {
    return PARAMETER
        .matcher(words(doc))
        .results()
        .collect(
            Collectors.toMap(
                found -> found.group(1), found -> found.group(2).strip(), (first, _) -> first));
  }

  /** Without what only Javadoc understands. */
  private static String words(String doc) {
    return doc.replaceAll("(?m)^\\s*\\*", " ")
        .replaceAll("\\s+", " ")
        .replaceAll("\\{@(?:code|link) ([^}]*)}", "`$1`");
  }

  /** The names behind the opening parenthesis, up to the closing one. */
  private static List<String> components(String source, int from) {
    var names = new ArrayList<String>();
    int depth = 0;
    int start = from;
    for (int at = from; ; at++) {
      char c = source.charAt(at);
      if (depth == 0 && (c == ',' || c == ')')) {
        String component = source.substring(start, at).strip();
        if (!component.isEmpty()) {
          names.add(component.substring(component.lastIndexOf(' ') + 1));
        }
        start = at + 1;
      }
      if (depth == 0 && c == ')') {
        return names;
      }
      depth += c == '(' || c == '<' ? 1 : c == ')' || c == '>' ? -1 : 0;
    }
  }

  private static String hyphenated(String name) {
    return name.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
  }

  private static Map<String, String> flattened(Path file) throws IOException {
    var flat = new HashMap<String, String>();
    Object read = new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file));
    flatten("", read, flat);
    return flat;
  }

  private static void flatten(String prefix, Object value, Map<String, String> into) {
    if (value instanceof Map<?, ?> map) {
      String under = prefix.isEmpty() ? "" : prefix + ".";
      map.forEach((name, inner) -> flatten(under + name, inner, into));
    } else if (value instanceof List<?> list) {
      into.put(prefix, list.stream().map(String::valueOf).collect(Collectors.joining(", ")));
    } else {
      into.put(prefix, String.valueOf(value));
    }
  }
}
