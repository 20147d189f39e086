package io.gpureclaimer.reclaimer.faults;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * One line of an exposition.
 *
 * @param labels its metric's name among them, as {@code __name__}
 * @param value what it is
 */
record ExpositionSample(LabelSet labels, double value) {

  static ExpositionSample of(String name, Map<String, String> labels, double value) {
    return new ExpositionSample(LabelSet.of(labels).and(Map.of("__name__", name)), value);
  }

  /** As the text format has it. */
  String line() {
    return labels.all().get("__name__")
        + labels.all().entrySet().stream()
            .filter(label -> !label.getKey().equals("__name__"))
            .map(label -> label.getKey() + "=\"" + label.getValue() + "\"")
            .collect(Collectors.joining(",", "{", "} "))
        + SampleNumbers.text(value)
        + "\n";
  }
}
