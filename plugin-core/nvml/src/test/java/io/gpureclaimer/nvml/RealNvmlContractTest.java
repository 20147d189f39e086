package io.gpureclaimer.nvml;

import io.gpureclaimer.nvml.binding.LibNvml;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/**
 * Needs a card: {@code ./mvnw test -pl plugin-core/nvml -am -Dtest.groups=gpu -Dtest.excluded=}.
 */
@Tag("gpu")
class RealNvmlContractTest extends NvmlContract {
  @Override
  LibNvml driver() {
    return NvmlLibrary.load(Optional.empty());
  }
}
