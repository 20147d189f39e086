package io.gpureclaimer.core.vocabulary;

/** The type of a metric family, as the exposition format spells it. */
public enum MetricType {
  GAUGE("gauge"),
  COUNTER("counter");

  private final String text;

  MetricType(String text) {
    this.text = text;
  }

  /** The word after the name in a {@code # TYPE} line. */
  public String text() {
    return text;
  }
}
