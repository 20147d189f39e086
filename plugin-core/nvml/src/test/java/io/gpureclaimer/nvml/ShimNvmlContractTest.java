package io.gpureclaimer.nvml;

import io.gpureclaimer.nvml.binding.LibNvml;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Without a rule the shim changes nothing. */
class ShimNvmlContractTest extends NvmlContract {
  @TempDir private Path folder;

  @Override
  LibNvml driver() {
    NvmlShim shim = NvmlShim.build(folder);
    shim.control().stub_reset(2);
    return shim.lib();
  }
}
