package io.gpureclaimer.nvml.poll;

import java.util.List;
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

  /** Facts of the GPUs that respond, in the driver's order. */
  public Stream<GpuFacts> responding() {
    return gpus.stream()
        .flatMap(gpu -> gpu instanceof GpuStatus.Responding(var facts) ? Stream.of(facts) : null);
  }

  /** Driver version, if reported. */
  public Optional<String> driver() {
    return Optional.ofNullable(driverVersion);
  }
}
