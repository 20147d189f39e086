package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodTraits.Group;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a plan does for pending pods that request devices.
 *
 * @param unit the same for all pods that are of use only together
 * @param pods the pods of the unit that are pending
 * @param group of which they are members
 * @param requested how many devices they request, by resource; empty where that is not known
 * @param since when the scheduler first found no node for one of them; absent if it has not
 * @param until when other components are not waited for any longer; absent where none is
 * @param candidates how many idle workloads may be reclaimed for pending pods
 * @param expectedLossGpuMinutes how much GPU time the workloads that are reclaimed for them, or
 *     would be, are expected to lose by restarts within an hour; absent where none would be
 * @param sentence for people, without the final stop
 */
public record PendingStatus(
    String unit,
    List<PodRef> pods,
    Optional<Group> group,
    Map<String, Integer> requested,
    Optional<Instant> since,
    PendingOutcome outcome,
    Optional<Instant> until,
    int candidates,
    Optional<Double> expectedLossGpuMinutes,
    String sentence) {
  public PendingStatus {
    pods = List.copyOf(pods);
    requested = Map.copyOf(requested);
  }

  /** How many whole GPUs they request. */
  public int gpus() {
    return requested.getOrDefault(ResourceNames.GPU, 0);
  }

  /** {@code 2 GPUs}, {@code 1 nvidia.com/mig-1g.10gb}, or both. */
  public String amount() {
    return requested.isEmpty() ? "devices of resource claims" : Demand.amount(requested);
  }

  /** The same with an expected loss. */
  PendingStatus losing(double gpuMinutes) {
    return new PendingStatus(
        unit,
        pods,
        group,
        requested,
        since,
        outcome,
        until,
        candidates,
        Optional.of(gpuMinutes),
        sentence);
  }

  /** The name of the only pod, or of the group. */
  public String name() {
    return group
        .map(each -> each + ", " + pods.size() + (pods.size() == 1 ? " pod" : " pods"))
        .orElseGet(() -> pods.getFirst().name());
  }

  /** The namespace of all its pods. */
  public String namespace() {
    return pods.getFirst().namespace();
  }

  /** Result for pending pods. */
  public enum PendingOutcome {
    /** Free GPUs are not all that they need, or may not be. */
    NEEDS_MORE,
    /** They are pending for less than the grace. */
    IN_GRACE,
    /** Another component is about to serve them. */
    SERVED_BY_OTHERS,
    /** Enough GPUs are free. */
    ENOUGH_FREE,
    /** Workloads were reclaimed for them. */
    FREED,
    /** Workloads are reclaimed for them now. */
    RECLAIMING,
    /** Workloads could be reclaimed for them, but not now. */
    ON_HOLD,
    /** All workloads that may be reclaimed now would not do. */
    IMPOSSIBLE;

    /** Stable name, for JSON. */
    public String code() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
