package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.core.device.GpuUuid;
import io.gpureclaimer.core.nvml.NvmlResult.Value;
import io.gpureclaimer.core.nvml.ProcessUtilization;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

/**
 * How busy processes keep each GPU. The driver tells of each sample once, with a time stamp that
 * the next question names; where that stamp stands is remembered here.
 */
final class BusyProcesses {
  /** The driver samples less often than some ask: until then, what it last said stands. */
  private static final Duration STANDS_FOR = Duration.ofSeconds(2);

  /** From then on the stamps are looked at anew: a clock that was set back would hide all news. */
  private static final Duration LONGEST_QUIET = Duration.ofSeconds(5);

  private final LongSupplier nanoTime;

  /** Concurrent because a turn that hung may end on its own thread while another GPU's runs. */
  private final ConcurrentMap<GpuUuid, Look> looks = new ConcurrentHashMap<>();

  BusyProcesses(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  private record Look(long newestMicros, long nanos, List<ProcessUtilization> said) {}

  /** Of those that did anything; empty at the first look, and when the driver does not tell. */
  Optional<List<ProcessUtilization>> lately(Device device, Readings into) {
    var gpu = device.gpu().uuid();
    long now = nanoTime.getAsLong();
    var before = looks.get(gpu);
    boolean anew = before == null || now - before.nanos() >= LONGEST_QUIET.toNanos();
    var answer =
        device
            .nvml()
            .processes()
            .utilization(device.handle(), before == null || anew ? 0 : before.newestMicros());
    into.take(answer, Set.of(), _ -> {});
    if (!(answer instanceof Value<List<ProcessUtilization>>(var news))) {
      looks.remove(gpu);
      return Optional.empty();
    }
    if (before == null || anew) {
      looks.put(gpu, new Look(newest(news), now, List.of()));
      return Optional.ofNullable(before).map(_ -> List.of());
    }
    if (news.isEmpty()) {
      boolean stands = now - before.nanos() < STANDS_FOR.toNanos();
      return Optional.of(stands ? before.said() : List.of());
    }
    looks.put(gpu, new Look(newest(news), now, news));
    return Optional.of(news);
  }

  private static long newest(List<ProcessUtilization> news) {
    return news.stream().mapToLong(ProcessUtilization::atMicros).max().orElse(0);
  }
}
