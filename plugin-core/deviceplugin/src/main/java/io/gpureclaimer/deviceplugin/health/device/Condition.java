package io.gpureclaimer.deviceplugin.health.device;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Whether a device may be given to a new container. */
public sealed interface Condition {

  /** It may. */
  record Healthy() implements Condition {}

  /**
   * It may not.
   *
   * @param reason in a word
   * @param text for people
   * @param since when; null if it was never there
   */
  record Unhealthy(UnhealthyReason reason, String text, @Nullable Instant since)
      implements Condition {}
}
