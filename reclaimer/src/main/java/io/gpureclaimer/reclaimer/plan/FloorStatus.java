package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;

/**
 * What a plan does to keep GPUs free.
 *
 * @param pool nodes with GPUs of the model
 * @param free blocks that are free and that no pending pod gets; absent while they are unknown
 * @param since when fewer than asked were first free; absent while enough are
 * @param sentence for people, without the final stop
 */
public record FloorStatus(
    FloorPool pool,
    Optional<FreeBlocks> free,
    Optional<Instant> since,
    FloorOutcome outcome,
    String sentence) {

  /** What is to be kept free. */
  public FreeGpuFloor floor() {
    return pool.floor();
  }

  /** How many nodes have GPUs of the model. */
  public int nodes() {
    return pool.nodes().size();
  }

  /** What a usual pod with so many devices requests in addition, as Kubernetes writes it. */
  public SortedMap<String, String> usualRequests() {
    return pool.usual().quantities();
  }

  /** Whether a workload could be reclaimed for it. */
  public boolean concerns(Workload workload) {
    return pool.holds(workload);
  }

  /**
   * How many blocks are free in the cluster, also those that pending pods get.
   *
   * @param blocks such blocks, one for each name of the devices
   */
  static int freeIn(ClusterView cluster, List<Demand> blocks) {
    var nodes = new CandidateNodes(cluster, ExpectedLoss::of);
    return blocks.stream().mapToInt(block -> nodes.freeBlocks(block).count()).sum();
  }

  /** Result for a floor. */
  public enum FloorOutcome {
    /** No node has GPUs of the model. */
    NO_NODES,
    /** Enough may be free, and it is not known whether they are. */
    UNKNOWN,
    /** As many as asked are free. */
    ENOUGH_FREE,
    /** Fewer are free for less than the grace. */
    IN_GRACE,
    /** Workloads are reclaimed for it now. */
    RECLAIMING,
    /** Workloads could be reclaimed for it, but not now. */
    ON_HOLD,
    /** No idle workload that may be reclaimed now would help. */
    IMPOSSIBLE;

    /** Stable name, for JSON. */
    public String code() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
