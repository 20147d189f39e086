package io.gpureclaimer.nvml;

import io.gpureclaimer.nvml.binding.LibNvml;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class StubNvmlContractTest extends NvmlContract {
  @TempDir private Path folder;

  @Override
  LibNvml driver() {
    NvmlStub stub = NvmlStub.build(folder);
    stub.control().stub_reset(2);
    return stub.lib();
  }
}
