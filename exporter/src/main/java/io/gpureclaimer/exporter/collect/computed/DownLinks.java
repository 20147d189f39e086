package io.gpureclaimer.exporter.collect.computed;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.poll.PolledGpu;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Number of NVLinks of a GPU that are down; polled once a minute. While MIG is on, on any GPU of
 * the node, links are down because they are not used, so nothing is said then.
 */
final class DownLinks {
  private static final Duration LOOKED_AGAIN_AFTER = Duration.ofMinutes(1);

  /** A GPU that was not polled for this long is gone. */
  private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(2);

  private final MonotonicClock monotonic;
  private final Map<GpuUuid, LinkSample> looks = new ConcurrentHashMap<>();
  private final Set<GpuUuid> met = ConcurrentHashMap.newKeySet();

  /** When the last turn was of each GPU that is divided, as far as it has said. */
  private final Map<GpuUuid, Long> divided = new ConcurrentHashMap<>();

  private record LinkSample(long nanos, OptionalInt down) {}

  DownLinks(MonotonicClock monotonic) {
    this.monotonic = monotonic;
  }

  /**
   * Of a board that has links. Nothing in a GPU's first turn, in which others may not have said yet
   * whether they are divided.
   *
   * @param migMode what this GPU says of itself; 1 while MIG is on, and absent where it did not
   *     say, which changes nothing
   */
  OptionalInt of(PolledGpu device, OptionalDouble migMode) {
    var gpu = device.gpu().uuid();
    long now = monotonic.nanos();
    divided.values().removeIf(turn -> now - turn > FORGOTTEN_AFTER.toNanos());
    if (migMode.isPresent() && migMode.getAsDouble() == 0) {
      divided.remove(gpu);
    } else if (migMode.isPresent() || divided.containsKey(gpu)) {
      divided.put(gpu, now);
    }
    return met.add(gpu) || !divided.isEmpty() ? OptionalInt.empty() : read(device).down();
  }

  /** The driver is not called under a lock of the map's: a call that hangs is its own GPU's. */
  private LinkSample read(PolledGpu device) {
    var gpu = device.gpu().uuid();
    long now = monotonic.nanos();
    var last = looks.get(gpu);
    if (last == null || now - last.nanos() >= LOOKED_AGAIN_AFTER.toNanos()) {
      last = new LinkSample(now, down(device));
      looks.put(gpu, last);
    }
    return last;
  }

  /** Where a link was not reported, it is unknown whether none is down. */
  private static OptionalInt down(PolledGpu device) {
    var states = device.nvml().links().states(device.handle()).values();
    int down = (int) states.stream().filter(new Value<>(false)::equals).count();
    boolean all = states.stream().allMatch(Value.class::isInstance);
    return down > 0 || (all && !states.isEmpty()) ? OptionalInt.of(down) : OptionalInt.empty();
  }
}
