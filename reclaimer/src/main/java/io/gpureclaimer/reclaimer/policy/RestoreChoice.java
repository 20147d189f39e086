package io.gpureclaimer.reclaimer.policy;

import java.util.Arrays;
import java.util.Optional;

/** When a reclaimed owner is restored without a request. */
public enum RestoreChoice {
  /** Never: only on request. */
  MANUAL("manual", 0),
  /** When its protected hours begin. */
  ON_SCHEDULE("on-schedule", 1),
  /** When no pending pod needs GPUs and enough of them are free. */
  ON_DEMAND_CLEAR("on-demand-clear", 2);

  private final String text;
  private final int care;

  RestoreChoice(String text, int care) {
    this.text = text;
    this.care = care;
  }

  /** As it is written in annotations. */
  public String text() {
    return text;
  }

  /** Whether this choice is gentler for the workload than the other. */
  boolean isGentlerThan(RestoreChoice other) {
    return care > other.care;
  }

  /** The choice with exactly this text. */
  static Optional<RestoreChoice> of(String text) {
    return Arrays.stream(values()).filter(each -> each.text.equals(text)).findFirst();
  }
}
