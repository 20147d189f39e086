package io.gpureclaimer.nvml;

import io.gpureclaimer.nvml.binding.LibNvml;
import io.gpureclaimer.simulator.GpuScript;
import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.Script;
import io.gpureclaimer.simulator.SimulatedDriver;
import java.time.InstantSource;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(strings = {"h100x8", "h200x8", "a100x8", "t4x4", "mixed", "h100x8-mig", "a100-mig"})
class SimulatedNvmlContractTest extends NvmlContract {
  private final String profile;

  SimulatedNvmlContractTest(String profile) {
    this.profile = profile;
  }

  @Override
  LibNvml driver() {
    Script script = Script.of(GpuScript.busy(0, 60), GpuScript.busy(1, 100));
    return new SimulatedDriver(
        Profile.named(profile).orElseThrow(), "node-a", () -> script, InstantSource.system());
  }
}
