package io.gpureclaimer.reclaimer.evidence.direct;

import io.gpureclaimer.common.device.Entity;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicReference;

/**
 * How much more of a device's memory is in use than at any look of the last ten minutes or less.
 * Safe for any thread.
 */
final class MemoryTrail {
  private static final Duration HALF = Duration.ofMinutes(5);

  private final AtomicReference<Trail> trail =
      new AtomicReference<>(new Trail(Instant.EPOCH, Map.of(), Map.of()));

  /**
   * The least memory in use, by device.
   *
   * @param since when {@code newer} began
   * @param older from five minutes before that
   * @param newer since then
   */
  private record Trail(Instant since, Map<Entity, Double> older, Map<Entity, Double> newer) {}

  /** By how much it has risen; nothing if this is the first look at the device. */
  OptionalDouble rise(Entity device, double mebibytes) {
    Trail now = trail.get();
    double least =
        Math.min(
            now.older().getOrDefault(device, Double.POSITIVE_INFINITY),
            now.newer().getOrDefault(device, Double.POSITIVE_INFINITY));
    return Double.isInfinite(least) ? OptionalDouble.empty() : OptionalDouble.of(mebibytes - least);
  }

  /** Remembers what all devices use now. */
  void remember(Map<Entity, Double> mebibytes, Instant at) {
    Trail before = trail.get();
    Duration age = Duration.between(before.since(), at);
    if (age.compareTo(HALF) >= 0) {
      Map<Entity, Double> older =
          age.compareTo(HALF.multipliedBy(2)) >= 0 ? Map.of() : before.newer();
      trail.set(new Trail(at, older, Map.copyOf(mebibytes)));
      return;
    }
    Map<Entity, Double> newer = new HashMap<>(before.newer());
    mebibytes.forEach((device, value) -> newer.merge(device, value, Math::min));
    trail.set(new Trail(before.since(), before.older(), Map.copyOf(newer)));
  }
}
