package io.gpureclaimer.exporter.attribution;

import io.gpureclaimer.exporter.sample.Holder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/** The text of a pods file: a list of {@code {device, namespace, pod, container, uid}}. */
final class PodsFileGrammar {
  private static final List<String> KEYS =
      List.of("device", "namespace", "pod", "container", "uid");

  private static final int LONGEST_VALUE = 80;
  private static final int LONGEST_MESSAGE = 240;

  private PodsFileGrammar() {}

  /** Names the entry, the rule and the value that was found. */
  static final class Violation extends Exception {
    private static final long serialVersionUID = 1;

    private final String problem;

    Violation(String problem) {
      super(problem);
      this.problem = problem;
    }

    String problem() {
      return problem;
    }
  }

  /** Who holds what, by the device's name as it is written. */
  static Map<String, List<Holder>> parse(String text) throws Violation {
    var holders = new LinkedHashMap<String, List<Holder>>();
    int number = 0;
    for (Object entry : entries(text)) {
      number++;
      if (!(entry instanceof Map<?, ?> map)) {
        throw new Violation("entry " + number + " must be a mapping, was " + shown(entry));
      }
      checkKeys(number, map);
      String device = text(number, map, "device");
      holders.computeIfAbsent(device, absent -> new ArrayList<>()).add(holder(number, map));
    }
    return holders;
  }

  private static Holder holder(int number, Map<?, ?> map) throws Violation {
    return new Holder(
        text(number, map, "namespace"),
        text(number, map, "pod"),
        text(number, map, "container"),
        map.get("uid") == null ? null : text(number, map, "uid"));
  }

  /** An empty file is not an empty list: it may be one that somebody is just writing. */
  private static List<?> entries(String text) throws Violation {
    try {
      @Nullable Object root = yaml().load(text);
      return switch (root) {
        case null -> throw new Violation("must be a list, was empty; [] is a list of nothing");
        case List<?> list -> list;
        default -> throw new Violation("must be a list, was " + shown(root));
      };
    } catch (YAMLException e) {
      throw new Violation("not YAML: " + cut(String.valueOf(e.getMessage()), LONGEST_MESSAGE));
    }
  }

  private static Yaml yaml() {
    var options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    options.setCodePointLimit(PodsFile.LARGEST_BYTES);
    options.setMaxAliasesForCollections(0);
    var unused = new DumperOptions();
    return new Yaml(
        new SafeConstructor(options), new Representer(unused), unused, options, new TextOnly());
  }

  private static String shown(@Nullable Object value) {
    return cut(String.valueOf(value), LONGEST_VALUE);
  }

  private static String cut(String text, int longest) {
    String line = text.replaceAll("\\s+", " ");
    return line.length() > longest ? line.substring(0, longest) + "…" : line;
  }

  private static void checkKeys(int number, Map<?, ?> map) throws Violation {
    for (Object key : map.keySet()) {
      if (!(key instanceof String name && KEYS.contains(name))) {
        throw new Violation(
            "entry "
                + number
                + " must have the keys "
                + String.join(", ", KEYS)
                + ", has "
                + shown(key));
      }
    }
  }

  private static String text(int number, Map<?, ?> map, String key) throws Violation {
    if (map.get(key) instanceof String value && !value.isBlank()) {
      return value;
    }
    throw new Violation(
        "entry " + number + ": " + key + " must be a non-empty text, was " + shown(map.get(key)));
  }

  /** A namespace may be called 1234, and a uid may look like 12e4: every scalar is text. */
  private static final class TextOnly extends Resolver {
    @Override
    protected void addImplicitResolvers() {
      addImplicitResolver(Tag.NULL, NULL, "~nN\0");
      addImplicitResolver(Tag.NULL, EMPTY, null);
    }
  }
}
