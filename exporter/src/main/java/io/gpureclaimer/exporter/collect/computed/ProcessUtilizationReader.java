package io.gpureclaimer.exporter.collect.computed;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.ProcessUtilization;
import io.gpureclaimer.nvml.poll.PolledGpu;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Utilization of each GPU by process. The driver reports each sample once, with a time stamp that
 * the next question names; where that stamp stands is remembered here.
 */
public final class ProcessUtilizationReader {
  /**
   * The driver samples less often than some ask, and not all processes at once: until then, what it
   * last said of a process stands.
   */
  private static final Duration STANDS_FOR = Duration.ofSeconds(2);

  /**
   * From then on the stamps are read from the start: a clock that was set back would hide all news.
   */
  private static final Duration LONGEST_QUIET = Duration.ofSeconds(5);

  private final MonotonicClock monotonic;

  /** Concurrent because a turn that hung may end on its own thread while another GPU's runs. */
  private final ConcurrentMap<GpuUuid, ProcessSamples> looks = new ConcurrentHashMap<>();

  public ProcessUtilizationReader(MonotonicClock monotonic) {
    this.monotonic = monotonic;
  }

  /**
   * Newest samples.
   *
   * @param newestMicros the newest stamp, by the driver's clock
   * @param nanos when it came, by ours
   * @param said what was last said of each process; empty while there were no news yet
   * @param quiet whether nothing has come since, though it was asked
   */
  private record ProcessSamples(
      long newestMicros, long nanos, Optional<List<TimedUtilization>> said, boolean quiet) {
    ProcessSamples butQuiet() {
      return new ProcessSamples(newestMicros, nanos, said, true);
    }

    /** What stands still of that. */
    List<TimedUtilization> recent(long now) {
      return said.orElse(List.of()).stream()
          .filter(heard -> now - heard.nanos() < STANDS_FOR.toNanos())
          .toList();
    }

    /** With news, which take the place of what was said of the same processes. */
    ProcessSamples with(List<ProcessUtilization> news, long now) {
      var seen = news.stream().map(ProcessUtilization::pid).collect(Collectors.toSet());
      var all =
          Stream.concat(
              recent(now).stream().filter(heard -> !seen.contains(heard.of().pid())),
              news.stream().map(one -> new TimedUtilization(one, now)));
      return new ProcessSamples(newest(news), now, Optional.of(all.toList()), false);
    }
  }

  /** Utilization of a process, with the time of its receipt. */
  private record TimedUtilization(ProcessUtilization of, long nanos) {}

  /**
   * Of those that did anything; empty while there were no news yet, when the stamps are not those
   * that we knew, or the driver does not report it.
   */
  public Optional<List<ProcessUtilization>> lately(PolledGpu device, Readings into) {
    var gpu = device.gpu().uuid();
    long now = monotonic.nanos();
    var before = looks.get(gpu);
    boolean restarted =
        before == null || (before.quiet() && now - before.nanos() >= LONGEST_QUIET.toNanos());
    var answer =
        device
            .nvml()
            .processes()
            .utilization(device.handle(), before == null || restarted ? 0 : before.newestMicros());
    into.take(answer, Set.of(), _ -> {});
    if (!(answer instanceof Value<List<ProcessUtilization>>(var news))) {
      looks.remove(gpu);
      return Optional.empty();
    }
    if (before == null || restarted) {
      boolean nothingNew =
          before != null && (news.isEmpty() || newest(news) == before.newestMicros());
      Optional<List<TimedUtilization>> said =
          nothingNew ? Optional.of(List.of()) : Optional.empty();
      looks.put(gpu, new ProcessSamples(newest(news), now, said, false));
      return nothingNew ? Optional.of(List.of()) : Optional.empty();
    }
    if (news.isEmpty()) {
      looks.put(gpu, before.butQuiet());
      boolean unknown = before.said().isEmpty() && now - before.nanos() < STANDS_FOR.toNanos();
      return unknown ? Optional.empty() : Optional.of(of(before.recent(now)));
    }
    var look = before.with(news, now);
    looks.put(gpu, look);
    return Optional.of(of(look.recent(now)));
  }

  private static List<ProcessUtilization> of(List<TimedUtilization> heard) {
    return heard.stream().map(TimedUtilization::of).toList();
  }

  private static long newest(List<ProcessUtilization> news) {
    return news.stream().mapToLong(ProcessUtilization::atMicros).max().orElse(0);
  }
}
