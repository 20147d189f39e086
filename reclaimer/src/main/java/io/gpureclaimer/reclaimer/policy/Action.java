package io.gpureclaimer.reclaimer.policy;

import java.util.Arrays;
import java.util.Optional;

/** By which act somebody wants a workload to be reclaimed. */
public enum Action {
  /** What fits the workload. */
  AUTO("auto", 0),
  /** Its pod is evicted. */
  EVICT("evict", 1),
  /** It is scaled to zero, which cannot be done yet. */
  SCALE("scale", 2),
  /** It is suspended, which cannot be done yet. */
  SUSPEND("suspend", 3),
  /** It is stopped, which cannot be done yet. */
  STOP("stop", 4),
  /** Nothing is done to it. */
  NONE("none", 5);

  private final String text;
  private final int restraint;

  Action(String text, int restraint) {
    this.text = text;
    this.restraint = restraint;
  }

  /** As it is written in annotations. */
  public String text() {
    return text;
  }

  /** Whether it can be done. */
  public boolean isAvailable() {
    return this == AUTO || this == EVICT;
  }

  /** The one of two that does less. */
  Action orLess(Action other) {
    return other.restraint > restraint ? other : this;
  }

  /** The action that is written so, exactly. */
  static Optional<Action> of(String text) {
    return Arrays.stream(values()).filter(each -> each.text.equals(text)).findFirst();
  }
}
