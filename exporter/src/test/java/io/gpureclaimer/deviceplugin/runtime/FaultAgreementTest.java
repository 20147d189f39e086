package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.common.time.ManualTime;
import io.gpureclaimer.nvml.FaultyDriver;
import io.gpureclaimer.nvml.binding.LibNvml;
import io.gpureclaimer.simulator.Fault;
import io.gpureclaimer.simulator.GpuScript;
import io.gpureclaimer.simulator.MigLayout;
import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.Script;
import io.gpureclaimer.simulator.SimulatedDriver;
import java.nio.file.Path;
import java.util.List;

/** The faults on the simulated driver. */
class FaultAgreementTest extends FaultAgreementContract {
  @Override
  FaultyNode node(Path folder, ManualTime time) {
    return new Simulated(time);
  }

  private static final class Simulated implements FaultyNode {
    private static final GpuScript DIVIDED =
        GpuScript.idle(0).with(MigLayout.of(List.of("3g.40gb", "2g.20gb", "1g.10gb", "1g.10gb")));

    private volatile Script script = Script.of(DIVIDED);
    private final SimulatedDriver simulated;
    private final FaultyDriver driver;

    Simulated(ManualTime time) {
      simulated =
          new SimulatedDriver(Profile.named("h100x8").orElseThrow(), "node-a", () -> script, time);
      driver = new FaultyDriver(simulated);
    }

    @Override
    public LibNvml library() {
      return driver.library();
    }

    @Override
    public void lose(int gpu) {
      script = Script.of(DIVIDED, GpuScript.broken(gpu, Fault.LOST));
    }

    @Override
    public void hang(int gpu) {
      script = Script.of(DIVIDED, GpuScript.broken(gpu, Fault.HANG));
    }

    @Override
    public void remove(int gpu) {
      script = Script.of(DIVIDED, GpuScript.broken(gpu, Fault.GONE));
    }

    @Override
    public void refuseHandle(int gpu, int code) {
      driver.failIf("nvmlDeviceGetHandleByIndex_v2", args -> args[0].equals(gpu), code);
    }

    @Override
    public void refuseInstance(int slot, int code) {
      driver.failIf(
          "nvmlDeviceGetMigDeviceHandleByIndex",
          args -> args[0].equals(driver.firstDevice()) && args[1].equals(slot),
          code);
    }

    @Override
    public void failOfFirst(String function, int code) {
      driver.failOfFirst(function, code);
    }

    @Override
    public void unload() {
      simulated.unload();
    }

    @Override
    public void load() {
      simulated.load("570.86.10");
    }

    @Override
    public void uniteInstances() {
      script = Script.of(GpuScript.idle(0).with(MigLayout.of(List.of("7g.80gb"))));
    }

    @Override
    public void repair() {
      script = Script.of(DIVIDED);
      driver.repair();
    }
  }
}
