package io.gpureclaimer.exporter.activity;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.MigInstance;
import io.gpureclaimer.exporter.sample.Holder;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Observed activity of one holder of one device.
 *
 * @param gpu the device, or the one that it is a part of
 * @param part the part; null for the whole GPU
 * @param holder who holds it
 * @param since start of the unbroken observation
 * @param until the last pass that observed it
 * @param seenActive the last pass that saw the device work; null while none did
 * @param busy how long the device has worked within the observation
 * @param signal the last sign of work by its other measurements
 */
public record DeviceObservation(
    Gpu gpu,
    @Nullable MigInstance part,
    Holder holder,
    Instant since,
    Instant until,
    @Nullable Instant seenActive,
    Duration busy,
    LastSignal signal) {

  public DeviceObservation {
    if (until.isBefore(since)) {
      throw new IllegalArgumentException("until must not be before since: " + since + ", " + until);
    }
    if (seenActive != null && (seenActive.isBefore(since) || seenActive.isAfter(until))) {
      throw new IllegalArgumentException(
          "activity must lie within the observation, was " + seenActive);
    }
    if (busy.isNegative()) {
      throw new IllegalArgumentException("busy must not be negative, was " + busy);
    }
    if (signal.at().isBefore(since) || signal.at().isAfter(until)) {
      throw new IllegalArgumentException(
          "the last signal must lie within the observation, was " + signal);
    }
  }

  /** Of a device that reports no signals. */
  public DeviceObservation(
      Gpu gpu,
      @Nullable MigInstance part,
      Holder holder,
      Instant since,
      Instant until,
      @Nullable Instant seenActive,
      Duration busy) {
    this(gpu, part, holder, since, until, seenActive, busy, LastSignal.unwatched(since));
  }

  /** Of a whole GPU that has not worked for any time that could be measured. */
  public DeviceObservation(
      Gpu gpu, Holder holder, Instant since, Instant until, @Nullable Instant seenActive) {
    this(gpu, null, holder, since, until, seenActive, Duration.ZERO);
  }

  /** What is held. */
  public Entity device() {
    return part == null ? Entity.whole(gpu.uuid()) : part.entity();
  }

  /** The last pass that saw the device work; empty while none did. */
  public Optional<Instant> lastActive() {
    return Optional.ofNullable(seenActive);
  }
}
