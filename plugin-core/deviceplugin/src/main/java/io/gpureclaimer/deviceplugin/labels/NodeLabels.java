package io.gpureclaimer.deviceplugin.labels;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Labels for a node, each such as Kubernetes takes it.
 *
 * @param byKey in the order of the keys
 */
public record NodeLabels(Map<String, String> byKey) {
  public static final NodeLabels NONE = new NodeLabels(Map.of());

  public NodeLabels {
    byKey = Collections.unmodifiableMap(new TreeMap<>(byKey));
    byKey.forEach(
        (key, value) -> {
          if (!LabelGrammar.isKey(key) || !LabelGrammar.isValue(value)) {
            throw new IllegalArgumentException(
                "Kubernetes does not take the label " + key + "=" + value);
          }
        });
  }

  /** One {@code key=value} a line, as NFD's feature files have it. */
  public String lines() {
    var lines = new StringBuilder();
    byKey.forEach((key, value) -> lines.append(key).append('=').append(value).append('\n'));
    return lines.toString();
  }
}
