package io.gpureclaimer.simulator;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * An XID that a simulated card raises, once.
 *
 * @param code which
 * @param after how long after the driver was loaded; what is late is raised at once
 * @param instance the GPU instance that it is attributed to
 */
public record ScriptedXid(int code, Duration after, OptionalInt instance) {
  public ScriptedXid {
    if (code < 1) {
      throw new IllegalArgumentException("code must be positive, was " + code);
    }
    if (after.isNegative()) {
      throw new IllegalArgumentException("after must not be negative, was " + after);
    }
  }
}
