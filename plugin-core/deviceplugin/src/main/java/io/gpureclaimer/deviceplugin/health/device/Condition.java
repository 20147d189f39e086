package io.gpureclaimer.deviceplugin.health.device;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Health of a device. */
public sealed interface Condition {

  /** May be allocated to new containers. */
  record Healthy() implements Condition {}

  /**
   * Must not be allocated to new containers.
   *
   * @param reason in a word
   * @param text for people
   * @param since when; null if it was never there
   */
  record Unhealthy(UnhealthyReason reason, String text, @Nullable Instant since)
      implements Condition {}
}
