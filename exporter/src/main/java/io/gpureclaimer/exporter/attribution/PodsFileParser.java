package io.gpureclaimer.exporter.attribution;

import io.gpureclaimer.common.yaml.YamlReader;
import io.gpureclaimer.common.yaml.YamlValue;
import io.gpureclaimer.exporter.sample.Holder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parser of a pods file: a list of {@code {device, namespace, pod, container, uid}}. Every scalar
 * is text, because a namespace may be called 1234 and a uid may look like 12e4.
 */
final class PodsFileParser {
  private static final List<String> KEYS =
      List.of("device", "namespace", "pod", "container", "uid");
  private static final int LONGEST_PROBLEM = 240;

  private final YamlReader reader =
      new YamlReader(
          problem -> {
            throw mistake(problem);
          });
  private final String file;

  private PodsFileParser(String file) {
    this.file = file;
  }

  /**
   * Holders by the name of the device, as written.
   *
   * @param file name for messages
   * @throws IllegalArgumentException whose message names position, rule and value of the first
   *     mistake
   */
  static Map<String, List<Holder>> parse(String file, String text) {
    return new PodsFileParser(file).parse(text);
  }

  /** An empty file is not an empty list: it may be a file that is being written. */
  private Map<String, List<Holder>> parse(String text) {
    YamlValue root =
        reader
            .root(file, text)
            .filter(value -> !value.isNull())
            .orElseThrow(() -> mistake(file + " must be a list, was empty; [] is an empty list"));
    var holders = new LinkedHashMap<String, List<Holder>>();
    for (YamlValue entry : reader.elements(root)) {
      Map<String, YamlValue> fields = reader.fields(entry, KEYS);
      if (!entry.isMapping()) {
        throw mistake(entry.mustBe("a mapping"));
      }
      holders
          .computeIfAbsent(text(entry, fields, "device"), _ -> new ArrayList<>())
          .add(
              new Holder(
                  text(entry, fields, "namespace"),
                  text(entry, fields, "pod"),
                  text(entry, fields, "container"),
                  uid(entry, fields)));
    }
    return holders;
  }

  private @Nullable String uid(YamlValue entry, Map<String, YamlValue> fields) {
    return fields.containsKey("uid") ? text(entry, fields, "uid") : null;
  }

  private String text(YamlValue entry, Map<String, YamlValue> fields, String key) {
    YamlValue value = reader.required(entry, fields, key).orElseThrow();
    return reader
        .scalar(value, "a non-empty text")
        .filter(text -> !text.isBlank())
        .orElseThrow(() -> mistake(value.mustBe("a non-empty text")));
  }

  private static IllegalArgumentException mistake(String problem) {
    String line = problem.replaceAll("\\s+", " ");
    return new IllegalArgumentException(
        line.length() > LONGEST_PROBLEM ? line.substring(0, LONGEST_PROBLEM) + "…" : line);
  }
}
