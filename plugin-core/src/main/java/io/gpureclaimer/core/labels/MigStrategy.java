package io.gpureclaimer.core.labels;

/** How MIG devices are offered, as the label {@code nvidia.com/mig.strategy} spells it. */
public enum MigStrategy {
  NONE("none"),
  SINGLE("single"),
  MIXED("mixed");

  private final String text;

  MigStrategy(String text) {
    this.text = text;
  }

  /** As users spell it. */
  public String text() {
    return text;
  }
}
