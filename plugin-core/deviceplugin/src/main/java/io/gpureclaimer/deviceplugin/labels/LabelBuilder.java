package io.gpureclaimer.deviceplugin.labels;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gathers labels under one beginning of their keys. A fact that is unknown leaves no label, and
 * removes none. Confined to the thread that makes the labels.
 */
final class LabelBuilder {
  private final String prefix;
  private final Map<String, String> labels;

  private LabelBuilder(String prefix, Map<String, String> labels) {
    this.prefix = prefix;
    this.labels = labels;
  }

  static LabelBuilder empty() {
    return new LabelBuilder("", new HashMap<>());
  }

  /** The same sheet, to be written to under a longer beginning. */
  LabelBuilder under(String longer) {
    return new LabelBuilder(prefix + longer, labels);
  }

  /** Writes a label, over an earlier one of that key. */
  LabelBuilder put(String key, @Nullable Object fact) {
    if (fact != null) {
      labels.put(prefix + key, String.valueOf(fact));
    }
    return this;
  }

  /** The same for a text that may need to be made a label's value first. */
  LabelBuilder putText(String key, @Nullable String text) {
    return put(key, text == null ? null : LabelGrammar.value(text).orElse(null));
  }

  NodeLabels labels() {
    return new NodeLabels(labels);
  }
}
