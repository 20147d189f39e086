package io.gpureclaimer.reclaimer.backtest;

import io.gpureclaimer.reclaimer.evidence.TimeRange;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the policy would have done in a range of the past, and what would have come of it.
 *
 * @param range of which time
 * @param firstSeen the first look at which anybody was seen; absent if nobody ever was
 * @param recorded how much of the range has looks at which somebody was seen
 * @param namespaces in the order of their names
 * @param reclaims what would have been taken, from all of them, the worst first
 * @param gonePods how many pods were seen that the cluster does not know any more
 * @param nameless the time of GPUs in the hands of pods that nobody can tell apart from others of
 *     the same name
 * @param remarks what does not hold as it is written, and what was left out
 */
public record Backtest(
    TimeRange range,
    Optional<Instant> firstSeen,
    Duration recorded,
    List<NamespaceResult> namespaces,
    List<Reclaim> reclaims,
    int gonePods,
    Duration nameless,
    List<String> remarks) {
  public Backtest {
    namespaces = List.copyOf(namespaces);
    reclaims = List.copyOf(reclaims);
    remarks = List.copyOf(remarks);
  }

  /** All namespaces together. */
  public NamespaceResult total() {
    return new NamespaceResult(
        "",
        Optional.empty(),
        namespaces.stream().map(NamespaceResult::account).reduce(GpuTime.NOTHING, GpuTime::plus),
        reclaims);
  }
}
