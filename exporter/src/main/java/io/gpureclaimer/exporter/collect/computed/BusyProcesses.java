package io.gpureclaimer.exporter.collect.computed;

import io.gpureclaimer.core.device.GpuUuid;
import io.gpureclaimer.core.nvml.NvmlResult.Value;
import io.gpureclaimer.core.nvml.ProcessUtilization;
import io.gpureclaimer.exporter.collect.Device;
import io.gpureclaimer.exporter.collect.Readings;
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
public final class BusyProcesses {
  /** The driver samples less often than some ask: until then, what it last said stands. */
  private static final Duration STANDS_FOR = Duration.ofSeconds(2);

  /** From then on the stamps are looked at anew: a clock that was set back would hide all news. */
  private static final Duration LONGEST_QUIET = Duration.ofSeconds(5);

  private final LongSupplier nanoTime;

  /** Concurrent because a turn that hung may end on its own thread while another GPU's runs. */
  private final ConcurrentMap<GpuUuid, Look> looks = new ConcurrentHashMap<>();

  public BusyProcesses(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * What came last.
   *
   * @param newestMicros the newest stamp, by the driver's clock
   * @param nanos when it came, by ours
   * @param said what came with it; empty if it was no news
   * @param quiet whether nothing has come since, though it was asked
   */
  private record Look(
      long newestMicros, long nanos, Optional<List<ProcessUtilization>> said, boolean quiet) {
    Look butQuiet() {
      return new Look(newestMicros, nanos, said, true);
    }
  }

  /**
   * Of those that did anything; empty while there were no news yet, when the stamps are not those
   * that we knew, or the driver does not tell.
   */
  public Optional<List<ProcessUtilization>> lately(Device device, Readings into) {
    var gpu = device.gpu().uuid();
    long now = nanoTime.getAsLong();
    var before = looks.get(gpu);
    boolean anew =
        before == null || (before.quiet() && now - before.nanos() >= LONGEST_QUIET.toNanos());
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
      boolean nothingNew =
          before != null && (news.isEmpty() || newest(news) == before.newestMicros());
      Optional<List<ProcessUtilization>> said =
          nothingNew ? Optional.of(List.of()) : Optional.empty();
      looks.put(gpu, new Look(newest(news), now, said, false));
      return said;
    }
    if (news.isEmpty()) {
      looks.put(gpu, before.butQuiet());
      boolean stands = now - before.nanos() < STANDS_FOR.toNanos();
      return stands ? before.said() : Optional.of(List.of());
    }
    looks.put(gpu, new Look(newest(news), now, Optional.of(news), false));
    return Optional.of(news);
  }

  private static long newest(List<ProcessUtilization> news) {
    return news.stream().mapToLong(ProcessUtilization::atMicros).max().orElse(0);
  }
}
