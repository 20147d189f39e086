package io.gpureclaimer.reclaimer.policy;

import java.util.Arrays;
import java.util.Optional;

/**
 * Action that an annotation asks for. This program may not have all of them: the values are an
 * interface, so they stay valid, and a workload whose action is missing is only reported.
 */
public enum ActionChoice {
  /** The first action that fits the workload. */
  AUTO("auto", 0),
  /** Evict its pod. */
  EVICT("evict", 1),
  /** Scale it to zero. */
  SCALE("scale", 2),
  /** Suspend it. */
  SUSPEND("suspend", 3),
  /** Stop it. */
  STOP("stop", 4),
  /** No action. */
  NONE("none", 5);

  private final String text;
  private final int restraint;

  ActionChoice(String text, int restraint) {
    this.text = text;
    this.restraint = restraint;
  }

  /** As it is written in annotations. */
  public String text() {
    return text;
  }

  /** The one of two that does less to the workload. */
  ActionChoice orLess(ActionChoice other) {
    return other.restraint > restraint ? other : this;
  }

  /** The choice with exactly this text. */
  static Optional<ActionChoice> of(String text) {
    return Arrays.stream(values()).filter(each -> each.text.equals(text)).findFirst();
  }
}
