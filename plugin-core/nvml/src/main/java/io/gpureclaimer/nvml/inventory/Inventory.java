package io.gpureclaimer.nvml.inventory;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The GPUs of the node, as the driver told them in one survey. A GPU that could not be asked is in
 * it as {@link SurveyedGpu.Unreadable}, so that it is not taken for one that is gone.
 *
 * @param driverVersion as the driver spells it, such as {@code 550.107.02}; null if it did not tell
 * @param cuda the newest CUDA that the driver supports; null if it did not tell
 * @param gpus in the driver's order
 * @param topology how those that could be asked are wired
 */
public record Inventory(
    @Nullable String driverVersion,
    @Nullable CudaVersion cuda,
    List<SurveyedGpu> gpus,
    Topology topology) {
  public Inventory {
    gpus = List.copyOf(gpus);
  }

  /** The GPUs that could be asked, in the driver's order. */
  public Stream<GpuFacts> readable() {
    return gpus.stream()
        .flatMap(gpu -> gpu instanceof SurveyedGpu.Answered(var facts) ? Stream.of(facts) : null);
  }

  /** The driver's version, if it told it. */
  public Optional<String> driver() {
    return Optional.ofNullable(driverVersion);
  }
}
