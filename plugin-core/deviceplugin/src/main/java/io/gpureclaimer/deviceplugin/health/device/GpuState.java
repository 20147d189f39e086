package io.gpureclaimer.deviceplugin.health.device;

import io.gpureclaimer.nvml.poll.InventoryUpdate.GpuCounters;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Health of one GPU.
 *
 * @param readable whether the last survey brought it
 * @param division the MIG devices of each of its GPU instances
 * @param issues at most one of a kind
 * @param containsErrors whether the driver says by XID if an error in memory was contained
 * @param counters the last that it reported
 * @param quiet for how long nothing has been wrong, as far as observed
 * @param lastGood when the survey was that found nothing wrong; null if the last one did not
 */
record GpuState(
    boolean readable,
    Map<Integer, Set<String>> division,
    List<HealthIssue> issues,
    boolean containsErrors,
    GpuCounters counters,
    Duration quiet,
    @Nullable Instant lastGood) {
  /** Never seen. */
  static final GpuState UNKNOWN =
      new GpuState(false, Map.of(), List.of(), false, GpuCounters.UNKNOWN, Duration.ZERO, null);

  GpuState {
    division = Map.copyOf(division);
    issues = List.copyOf(issues);
  }

  /** As an earlier run of this program left it. */
  static GpuState recalled(List<HealthIssue> issues, GpuCounters counters) {
    return new GpuState(false, Map.of(), issues, false, counters, Duration.ZERO, null);
  }

  /** One thing more is wrong, or the same again: then it is wrong since it was first. */
  GpuState with(HealthIssue issue) {
    List<HealthIssue> all = new ArrayList<>(issues);
    all.replaceAll(one -> one.isAgain(issue) ? issue.since(one.since()) : one);
    if (issues.stream().noneMatch(issue::isAgain)) {
      all.add(issue);
    }
    return new GpuState(readable, division, all, containsErrors, counters, Duration.ZERO, null);
  }

  /** The same issues, of a GPU that no survey brings now. */
  GpuState unseen() {
    List<HealthIssue> settled = issues.stream().map(HealthIssue::afterSurvey).toList();
    return new GpuState(false, division, settled, containsErrors, counters, Duration.ZERO, null);
  }

  /** The same, of a GPU that responds, though its facts were not read again. */
  GpuState seen() {
    return new GpuState(true, division, issues, containsErrors, counters, quiet, lastGood);
  }

  /** Nothing has been quiet yet. */
  GpuState unquiet() {
    return new GpuState(readable, division, issues, containsErrors, counters, Duration.ZERO, null);
  }

  /** Whether the instance with that id, or with null the whole GPU, may be used. */
  boolean isHealthy(@Nullable Integer instance) {
    return has(instance) && issues.stream().noneMatch(issue -> issue.hits(instance));
  }

  /** Known to be; some libraries then say instance 0, not none. */
  boolean isUndivided() {
    return readable && division.isEmpty();
  }

  boolean has(@Nullable Integer instance) {
    return readable && (instance == null || division.containsKey(instance));
  }
}
