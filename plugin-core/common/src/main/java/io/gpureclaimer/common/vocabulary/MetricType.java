package io.gpureclaimer.common.vocabulary;

import java.util.Arrays;
import java.util.Optional;

/** The type of a metric family, as the exposition format spells it. */
public enum MetricType {
  GAUGE("gauge"),
  COUNTER("counter"),
  HISTOGRAM("histogram"),
  SUMMARY("summary"),
  UNTYPED("untyped");

  private final String text;

  MetricType(String text) {
    this.text = text;
  }

  /** The word after the name in a {@code # TYPE} line. */
  public String text() {
    return text;
  }

  /** The type spelled like that, if there is one. */
  public static Optional<MetricType> of(String text) {
    return Arrays.stream(values()).filter(type -> type.text.equals(text)).findFirst();
  }
}
