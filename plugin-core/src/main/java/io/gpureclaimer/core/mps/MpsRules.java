package io.gpureclaimer.core.mps;

import io.gpureclaimer.core.device.ComputeCapability;
import io.gpureclaimer.core.inventory.GpuFacts;
import io.gpureclaimer.core.mps.MpsShare.SharedGpu;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Which GPUs can be shared through MPS, and by how many. Pure. */
public final class MpsRules {
  private static final ComputeCapability VOLTA = new ComputeCapability(7, 0);
  private static final int MOST_CLIENTS = 48;
  private static final int MOST_CLIENTS_BEFORE_VOLTA = 16;

  private MpsRules() {}

  /** Whether a resource can be shared so. */
  public sealed interface Verdict {

    record Possible(MpsShare share) implements Verdict {}

    /**
     * It cannot, and must not be offered as if it were.
     *
     * @param reason what stands in the way, and what to change
     */
    record Impossible(String reason) implements Verdict {}
  }

  /**
   * Looks at each GPU of a resource.
   *
   * @param resource its name
   * @param replicas how many are to share each GPU; in the order of the GPUs
   */
  public static Verdict judge(String resource, Map<GpuFacts, Integer> replicas) {
    var shared = new ArrayList<SharedGpu>();
    var reasons = new ArrayList<String>();
    replicas.forEach(
        (gpu, count) -> {
          reasons.addAll(obstacles(gpu, count));
          shared.add(new SharedGpu(gpu.gpu().uuid(), Math.max(1, count), gpu.memoryBytes()));
        });
    if (shared.isEmpty()) {
      reasons.add("it has no GPU");
    }
    return reasons.isEmpty()
        ? new Verdict.Possible(new MpsShare(resource, shared))
        : new Verdict.Impossible(
            resource + " cannot be shared through MPS: " + String.join("; ", reasons));
  }

  private static List<String> obstacles(GpuFacts gpu, int replicas) {
    String name = gpu.gpu().uuid().value();
    if (gpu.migOn()) {
      return List.of(
          name
              + " is divided by MIG; switch MIG off on it (nvidia-smi -mig 0), or share it by time"
              + " slices");
    }
    if (replicas < 1) {
      return List.of(name + " has " + replicas + " replicas; at least 1 is needed");
    }
    int most = mostClients(gpu);
    return replicas > most
        ? List.of(
            name + " has " + replicas + " replicas; MPS has at most " + most + " clients on it")
        : List.of();
  }

  /** A GPU that does not tell what it is counts as an old one. */
  private static int mostClients(GpuFacts gpu) {
    ComputeCapability capability = gpu.capability();
    return capability != null && capability.compareTo(VOLTA) >= 0
        ? MOST_CLIENTS
        : MOST_CLIENTS_BEFORE_VOLTA;
  }
}
