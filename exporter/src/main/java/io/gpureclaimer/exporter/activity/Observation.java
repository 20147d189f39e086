package io.gpureclaimer.exporter.activity;

import io.gpureclaimer.core.device.Gpu;
import io.gpureclaimer.exporter.sample.Holder;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What we can swear to about one holder of one device.
 *
 * @param gpu the device
 * @param holder who holds it
 * @param since start of the unbroken observation
 * @param until the last pass that observed it
 * @param seenActive the last pass that saw the device work; null while none did
 */
public record Observation(
    Gpu gpu, Holder holder, Instant since, Instant until, @Nullable Instant seenActive) {

  public Observation {
    if (until.isBefore(since)) {
      throw new IllegalArgumentException("until must not be before since: " + since + ", " + until);
    }
    if (seenActive != null && (seenActive.isBefore(since) || seenActive.isAfter(until))) {
      throw new IllegalArgumentException(
          "activity must lie within the observation, was " + seenActive);
    }
  }

  /** The last pass that saw the device work; empty while none did. */
  public Optional<Instant> lastActive() {
    return Optional.ofNullable(seenActive);
  }
}
