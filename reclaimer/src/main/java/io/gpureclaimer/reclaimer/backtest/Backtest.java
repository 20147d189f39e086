package io.gpureclaimer.reclaimer.backtest;

import io.gpureclaimer.reclaimer.backtest.SimulatedReclamation.EvictionOutcome;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Result of the policy over a past time range, with its consequences.
 *
 * @param range of which time
 * @param firstSeen the first step at which any pod was seen; absent if there is none
 * @param recorded how much of the range has steps at which a pod was seen
 * @param namespaces in the order of their names
 * @param reclaims what would have been reclaimed, from all of them, the worst first
 * @param deletedPods how many pods were seen that no longer exist in the cluster
 * @param unnamed the GPU time of pods that cannot be distinguished from others of the same name
 * @param remarks what does not hold as it is written, and what was left out
 */
public record Backtest(
    TimeRange range,
    Optional<Instant> firstSeen,
    Duration recorded,
    List<NamespaceResult> namespaces,
    List<SimulatedReclamation> reclaims,
    int deletedPods,
    Duration unnamed,
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

  /**
   * GPU time by use, summed over GPUs and MIG slices.
   *
   * @param held by pods
   * @param idle of that, while they were idle
   * @param unknown of that, while their activity was unknown
   * @param reported of the idle time, over the limit of workloads that are only reported on
   */
  public record GpuTime(Duration held, Duration idle, Duration unknown, Duration reported) {
    static final GpuTime NOTHING =
        new GpuTime(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    static GpuTime idle(Duration time) {
      return new GpuTime(time, time, Duration.ZERO, Duration.ZERO);
    }

    static GpuTime active(Duration time) {
      return new GpuTime(time, Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }

    static GpuTime unknown(Duration time) {
      return new GpuTime(time, Duration.ZERO, time, Duration.ZERO);
    }

    /** The same, all idle time of it over a limit and only reported. */
    GpuTime onlyReported() {
      return new GpuTime(held, idle, unknown, idle);
    }

    /** Both together. */
    public GpuTime plus(GpuTime other) {
      return new GpuTime(
          held.plus(other.held),
          idle.plus(other.idle),
          unknown.plus(other.unknown),
          reported.plus(other.reported));
    }
  }

  /**
   * Result of one namespace.
   *
   * @param name the namespace
   * @param mode under which it was played; absent where the cluster does not know the namespace
   * @param account what its GPUs did
   * @param reclaims what would have been reclaimed there
   */
  public record NamespaceResult(
      String name,
      Optional<ModeOverride.OverriddenMode> mode,
      GpuTime account,
      List<SimulatedReclamation> reclaims) {
    public NamespaceResult {
      reclaims = List.copyOf(reclaims);
    }

    /** The time of GPUs that would have been freed. */
    public Duration freed() {
      return reclaims.stream()
          .map(SimulatedReclamation::freed)
          .reduce(Duration.ZERO, Duration::plus);
    }

    /** How many would have been needed again within that time. */
    public long neededWithin(Duration limit) {
      return reclaims.stream().filter(reclaim -> reclaim.isNeededWithin(limit)).count();
    }

    /** Of how many it is unknown whether they would have been needed again. */
    public long unknownAfter() {
      return reclaims.stream()
          .filter(
              reclaim ->
                  reclaim.afterwards() instanceof EvictionOutcome.NotObserved
                      || reclaim.afterwards() instanceof EvictionOutcome.SharedGpuActive)
          .count();
    }
  }

  /**
   * Namespaces and results of a request.
   *
   * @param namespaces by name; empty for all
   */
  public record NamespaceScope(Set<String> namespaces) {
    public NamespaceScope {
      namespaces = Set.copyOf(namespaces);
    }

    /** Whether it is among them. */
    public boolean includes(String namespace) {
      return namespaces.isEmpty() || namespaces.contains(namespace);
    }
  }
}
