package io.gpureclaimer.deviceplugin.allocation;

/** Treatment of GPUs in MIG mode. */
public enum MigStrategy {
  /** They are not offered: neither as a whole, which they are not, nor in parts. */
  NONE("none"),
  /** Their devices count as GPUs; all devices of the node that count as GPUs are alike. */
  SINGLE("single"),
  /** Each profile is a resource of its own. */
  MIXED("mixed");

  private final String text;

  MigStrategy(String text) {
    this.text = text;
  }

  /** As it is written in configurations. */
  public String text() {
    return text;
  }

  @Override
  public String toString() {
    return text;
  }
}
