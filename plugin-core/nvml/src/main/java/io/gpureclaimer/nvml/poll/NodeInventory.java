package io.gpureclaimer.nvml.poll;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * GPUs of the node as of one poll. Equal from poll to poll while nothing changes. A GPU that cannot
 * be read is included as {@link GpuStatus.Unavailable}, so that it is not mistaken for a removed
 * one.
 *
 * @param driverVersion as the driver spells it, such as {@code 550.107.02}; null if not reported
 * @param cuda newest CUDA version that the driver supports; null if not reported
 * @param gpus in the driver's order
 * @param topology links between the GPUs that respond
 */
public record NodeInventory(
    @Nullable String driverVersion,
    @Nullable CudaVersion cuda,
    List<GpuStatus> gpus,
    Topology topology) {
  /** Inventory before the first poll. */
  public static final NodeInventory EMPTY =
      new NodeInventory(null, null, List.of(), Topology.UNKNOWN);

  public NodeInventory {
    gpus = List.copyOf(gpus);
  }

  /** Facts of the GPUs that respond, and of those that are only late, in the driver's order. */
  public Stream<GpuFacts> responding() {
    return gpus.stream().map(GpuStatus::usable).filter(Objects::nonNull);
  }

  /** Driver version, if reported. */
  public Optional<String> driver() {
    return Optional.ofNullable(driverVersion);
  }

  /**
   * A version of CUDA, such as 12.4.
   *
   * @param major its first number
   * @param minor its second
   */
  public record CudaVersion(int major, int minor) {
    private static final int PER_MAJOR = 1_000;
    private static final int PER_MINOR = 10;

    /** From NVML's number, such as 12040. */
    static CudaVersion of(int number) {
      return new CudaVersion(number / PER_MAJOR, number % PER_MAJOR / PER_MINOR);
    }

    @Override
    public String toString() {
      return major + "." + minor;
    }
  }
}
