package io.gpureclaimer.deviceplugin.health.device;

import java.util.Arrays;
import java.util.Optional;

/** Condition, held for a quiet time, under which an issue is resolved. */
public enum RecoveryCondition {
  /** That the GPU can be asked again. */
  ANSWERS("answers"),
  /** That the driver wants nothing done: recovery action NONE. Or a reset. */
  ALL_CLEAR("all-clear"),
  /** The GPU was restarted: reset, its driver loaded again, or the node booted. */
  RESET("reset");

  private final String text;

  RecoveryCondition(String text) {
    this.text = text;
  }

  /** As the file spells it. */
  String text() {
    return text;
  }

  static Optional<RecoveryCondition> of(String text) {
    return Arrays.stream(values()).filter(cure -> cure.text.equals(text)).findFirst();
  }
}
