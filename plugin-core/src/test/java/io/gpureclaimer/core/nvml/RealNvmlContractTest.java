package io.gpureclaimer.core.nvml;

import io.gpureclaimer.core.nvml.binding.LibNvml;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** Needs a card: {@code ./mvnw test -pl plugin-core -Dtests.excluded=none -Dgroups=gpu}. */
@Tag("gpu")
class RealNvmlContractTest extends NvmlContract {
  @Override
  LibNvml driver() {
    return NvmlLibrary.load(Optional.empty());
  }
}
