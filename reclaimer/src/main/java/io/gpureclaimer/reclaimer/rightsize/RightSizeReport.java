package io.gpureclaimer.reclaimer.rightsize;

import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.rightsize.WorkloadUsage.DeviceTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Workloads that requested more than they used in a period.
 *
 * @param range the period
 * @param firstSeen the first step at which any pod was seen; absent if there is none
 * @param rows those with a suggestion, or without one because too much is unknown; most unused time
 *     first
 * @param workloads how many workloads held devices
 * @param time of the devices of all workloads
 * @param gonePods how many pods were seen that no longer exist
 * @param remarks what was left out, and why
 */
public record RightSizeReport(
    TimeRange range,
    Optional<Instant> firstSeen,
    List<RightSizeRow> rows,
    int workloads,
    DeviceTime time,
    int gonePods,
    List<String> remarks) {
  public RightSizeReport {
    rows = List.copyOf(rows);
    remarks = List.copyOf(remarks);
  }

  /**
   * A workload.
   *
   * @param suggestions never empty
   */
  public record RightSizeRow(WorkloadUsage usage, List<Suggestion> suggestions) {
    public RightSizeRow {
      suggestions = List.copyOf(suggestions);
    }

    /** Most devices that worked within the same step; absent where too much is unknown. */
    public Optional<Integer> used() {
      return isKnown() ? Optional.of(usage.usedAtOnce()) : Optional.empty();
    }

    /** Most devices of one pod that worked at any time; absent where too much is unknown. */
    public Optional<Integer> usedPerPod() {
      return isKnown() ? Optional.of(usage.usedPerPod()) : Optional.empty();
    }

    private boolean isKnown() {
      return suggestions.stream().noneMatch(Suggestion.Undecided.class::isInstance);
    }
  }

  static RightSizeReport of(
      TimeRange range,
      Optional<Instant> firstSeen,
      Collection<WorkloadUsage> usages,
      Map<String, Double> models,
      int gonePods,
      List<String> remarks) {
    var rule = new RightSizing(models);
    return new RightSizeReport(
        range,
        firstSeen,
        usages.stream()
            .map(usage -> new RightSizeRow(usage, rule.suggest(usage)))
            .filter(row -> !row.suggestions().isEmpty())
            .sorted(mostUnusedFirst())
            .toList(),
        usages.size(),
        usages.stream()
            .map(WorkloadUsage::time)
            .reduce(new DeviceTime(Duration.ZERO, Duration.ZERO, Duration.ZERO), DeviceTime::plus),
        gonePods,
        remarks);
  }

  private static Comparator<RightSizeRow> mostUnusedFirst() {
    return Comparator.<RightSizeRow, Duration>comparing(row -> row.usage().time().unused())
        .reversed()
        .thenComparing(row -> row.usage().namespace())
        .thenComparing(row -> row.usage().kind())
        .thenComparing(row -> row.usage().name());
  }
}
