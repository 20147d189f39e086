package io.gpureclaimer.deviceplugin.allocation.preference;

/** Distribution of replicas over shared devices. */
public enum SharePolicy {
  /** Of the device that has given the fewest, so that all are used alike. */
  DISTRIBUTED("distributed"),
  /** Of the device that has given the most, so that others stay free. */
  PACKED("packed"),
  /** Each of another device, or none at all. */
  SPREAD("spread");

  private final String text;

  SharePolicy(String text) {
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
