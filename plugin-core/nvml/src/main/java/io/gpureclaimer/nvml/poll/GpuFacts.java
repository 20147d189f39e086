package io.gpureclaimer.nvml.poll;

import io.gpureclaimer.common.device.ComputeCapability;
import io.gpureclaimer.common.device.Gpu;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Properties of a GPU that are constant until it is partitioned, moved or reloaded.
 *
 * @param gpu identity and place
 * @param minor the number of its device file, {@code /dev/nvidia0}; not always its index
 * @param numaNode the NUMA node of its PCI device; null where the kernel reports none
 * @param memoryBytes its whole memory; null if not reported
 * @param capability its CUDA compute capability; null if not reported
 * @param mig its MIG mode
 * @param instances the MIG devices that can be read, in the driver's order; empty while MIG is off
 * @param refused the MIG devices that cannot be read
 * @param fabric the NVLink fabric that it is a part of; null if of none, or not reported
 * @param recovery what the driver requires before the GPU is used again; null if not reported
 * @param virtual whether it is a vGPU, a share that a hypervisor assigns; null if not reported
 */
public record GpuFacts(
    Gpu gpu,
    int minor,
    @Nullable Integer numaNode,
    @Nullable Long memoryBytes,
    @Nullable ComputeCapability capability,
    MigMode mig,
    List<MigFacts> instances,
    List<RefusedInstance> refused,
    @Nullable FabricPlace fabric,
    @Nullable RecoveryAction recovery,
    @Nullable Boolean virtual) {
  public GpuFacts {
    instances = List.copyOf(instances);
    refused = List.copyOf(refused);
    if (minor < 0) {
      throw new IllegalArgumentException("a GPU's minor number must not be negative, was " + minor);
    }
    if (mig != MigMode.ON && !instances.isEmpty()) {
      throw new IllegalArgumentException("a GPU without MIG has no instances, was " + instances);
    }
  }

  /** Facts of a GPU without a refused MIG device. */
  public GpuFacts(
      Gpu gpu,
      int minor,
      @Nullable Integer numaNode,
      @Nullable Long memoryBytes,
      @Nullable ComputeCapability capability,
      MigMode mig,
      List<MigFacts> instances,
      @Nullable FabricPlace fabric,
      @Nullable RecoveryAction recovery,
      @Nullable Boolean virtual) {
    this(
        gpu,
        minor,
        numaNode,
        memoryBytes,
        capability,
        mig,
        instances,
        List.of(),
        fabric,
        recovery,
        virtual);
  }

  /**
   * A MIG device that the driver lists, and refuses to describe.
   *
   * @param position in the driver's list
   * @param lastKnown its facts from an earlier poll, if the layout is still the same; null if not
   * @param reason the query that failed and how, for people
   */
  public record RefusedInstance(int position, @Nullable MigFacts lastKnown, String reason) {}

  /**
   * A MIG device of which the facts are known.
   *
   * @param position in the driver's list
   * @param readable false for one that the driver refuses to describe now
   */
  public record PlacedInstance(int position, MigFacts facts, boolean readable) {}

  /** MIG devices of which facts are known, refused ones included, in the driver's order. */
  public List<PlacedInstance> placedInstances() {
    Map<Integer, RefusedInstance> refusals = new HashMap<>();
    refused.forEach(one -> refusals.put(one.position(), one));
    List<PlacedInstance> placed = new ArrayList<>();
    var readable = instances.iterator();
    for (int position = 0; position < instances.size() + refused.size(); position++) {
      RefusedInstance refusal = refusals.get(position);
      if (refusal == null) {
        placed.add(new PlacedInstance(position, readable.next(), true));
      } else if (refusal.lastKnown() != null) {
        placed.add(new PlacedInstance(position, refusal.lastKnown(), false));
      }
    }
    return List.copyOf(placed);
  }

  /** Whether MIG is on, even with no instance. */
  public boolean migOn() {
    return mig == MigMode.ON;
  }

  /** MIG mode of a GPU. */
  public enum MigMode {
    /** The GPU has no MIG. */
    INCAPABLE,
    /** The GPU is whole. */
    OFF,
    /** The GPU is divided, though it may have no instance yet. */
    ON
  }

  /**
   * Position of a GPU in an NVLink fabric: GPUs of one cluster and clique reach each other's
   * memory.
   *
   * @param cluster the UUID of the fabric's cluster
   * @param clique the number of the clique in it
   */
  public record FabricPlace(String cluster, long clique) {
    @Override
    public String toString() {
      return cluster + '.' + clique;
    }
  }

  /** Action that is required before a GPU can be used again: NVML's field 230. */
  public enum RecoveryAction {
    NONE(0),
    GPU_RESET(1),
    NODE_REBOOT(2),
    DRAIN_P2P(3),
    DRAIN_AND_RESET(4),
    RECOVER_IMEX_DOMAIN(5),
    /** An action that this program has no name for: not none. */
    OTHER(-1);

    private final int code;

    RecoveryAction(int code) {
      this.code = code;
    }

    /** NVML's number. */
    public int code() {
      return code;
    }

    /** Empty for a number that is not in NVML's list. */
    public static Optional<RecoveryAction> of(int code) {
      return Arrays.stream(values()).filter(action -> action.code == code).findFirst();
    }
  }
}
