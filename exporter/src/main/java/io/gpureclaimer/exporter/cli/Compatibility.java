package io.gpureclaimer.exporter.cli;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The properties that {@code --compat} sets, by version of dcgm-exporter. */
final class Compatibility {
  private static final Map<String, Map<String, Object>> BY_VERSION =
      Map.of(
          "4.8.2",
          Map.of(
              "counters.vocabulary",
              "classic",
              "labels.hostname",
              "Hostname",
              "devices.repeat-on-instances",
              true,
              "attribution.pod-label-limit",
              Integer.MAX_VALUE));

  static final List<String> VERSIONS = BY_VERSION.keySet().stream().sorted().toList();

  private Compatibility() {}

  static Map<String, Object> properties(String version) {
    return BY_VERSION.getOrDefault(version, Map.of());
  }

  static String versions() {
    return String.join(", ", VERSIONS);
  }

  /** The properties of the newest version, for the help. */
  static String summary() {
    return new TreeMap<>(properties(VERSIONS.getLast()))
        .entrySet().stream().map(Compatibility::inWords).collect(Collectors.joining(", "));
  }

  private static String inWords(Map.Entry<String, Object> property) {
    return property.getValue().equals(Integer.MAX_VALUE)
        ? "no " + property.getKey()
        : property.getKey() + "=" + property.getValue();
  }
}
