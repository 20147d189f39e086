package io.gpureclaimer.exporter.exposition.text;

import io.gpureclaimer.common.vocabulary.Labels;
import java.util.Optional;

/**
 * Spelling of the labels of device series.
 *
 * @param oldNames whether as the 1.x exporters did: {@code uuid}, {@code pod_name} and so on
 * @param hostname name of the label for the node; none if it is left out
 * @param blanksReplaced whether the words of a model's name are joined by dashes
 */
public record LabelStyle(boolean oldNames, Optional<String> hostname, boolean blanksReplaced) {
  /** What nothing has to be said for. */
  public static final LabelStyle CLASSIC =
      new LabelStyle(false, Optional.of(Labels.HOSTNAME), false);

  /** What a label is called; nothing if it is left out. */
  Optional<String> spelling(String name) {
    return switch (name) {
      case Labels.HOSTNAME -> hostname;
      case Labels.UUID -> Optional.of(oldNames ? "uuid" : name);
      case Labels.CONTAINER -> Optional.of(oldNames ? "container_name" : name);
      case Labels.NAMESPACE -> Optional.of(oldNames ? "pod_namespace" : name);
      case Labels.POD -> Optional.of(oldNames ? "pod_name" : name);
      default -> Optional.of(name);
    };
  }

  /** What a label says. */
  String value(String name, String value) {
    return blanksReplaced
            && (name.equals(Labels.MODEL_NAME) || name.equals(Labels.MODEL_NAME_OF_LINK))
        ? value.strip().replaceAll("\\s+", "-")
        : value;
  }
}
