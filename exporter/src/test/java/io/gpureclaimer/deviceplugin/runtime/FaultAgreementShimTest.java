package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.common.time.ManualTime;
import io.gpureclaimer.nvml.NvmlShim;
import io.gpureclaimer.nvml.NvmlStub.StubControl;
import io.gpureclaimer.nvml.binding.LibNvml;
import java.nio.file.Path;

/** The same faults injected by the shim in C, through the real binding. */
class FaultAgreementShimTest extends FaultAgreementContract {
  @Override
  FaultyNode node(Path folder, ManualTime time) {
    return new Shimmed(NvmlShim.build(folder));
  }

  private static final class Shimmed implements FaultyNode {
    private static final int GPUS = 8;
    private static final int NOT_SUPPORTED = 3;
    private static final int GPU_IS_LOST = 15;
    private static final int DRIVER_NOT_LOADED = 9;
    private static final int GRAPHICS_UTILIZATION = 1;
    private static final String ALL = "*";

    private final NvmlShim shim;

    Shimmed(NvmlShim shim) {
      this.shim = shim;
      StubControl driver = shim.control();
      driver.stub_reset(GPUS);
      for (int gpu = 0; gpu < GPUS; gpu++) {
        driver.stub_number("nvmlGpmQueryDeviceSupport", gpu, 0, 1);
      }
      driver.stub_metric(GRAPHICS_UTILIZATION, 0, 5);
      driver.stub_mig_mode(0, 1, 7);
      // As nvml.h documents of a GPU in MIG mode.
      driver.stub_fail("nvmlDeviceGetUtilizationRates", 0, NOT_SUPPORTED);
      divide(driver, 1, 3, 7, 8);
    }

    private static void divide(StubControl driver, int... instances) {
      driver.stub_undivide();
      for (int slot = 0; slot < instances.length; slot++) {
        driver.stub_mig_device(0, slot, instances[slot], 0, 1, 9_728);
      }
    }

    @Override
    public LibNvml library() {
      return shim.lib();
    }

    @Override
    public void lose(int gpu) {
      shim.inject(ALL, Integer.toString(gpu), Integer.toString(GPU_IS_LOST));
    }

    @Override
    public void hang(int gpu) {
      shim.inject("nvmlDeviceGetMemoryInfo_v2", Integer.toString(gpu), "hang");
    }

    @Override
    public void remove(int gpu) {
      shim.control().stub_remove(gpu, 1);
    }

    @Override
    public void refuseHandle(int gpu, int code) {
      shim.inject("nvmlDeviceGetHandleByIndex_v2", Integer.toString(gpu), Integer.toString(code));
    }

    @Override
    public void refuseInstance(int slot, int code) {
      shim.inject("nvmlDeviceGetMigDeviceHandleByIndex", "0/" + slot, Integer.toString(code));
    }

    @Override
    public void failOfFirst(String function, int code) {
      shim.inject(function, "0", Integer.toString(code));
    }

    @Override
    public void unload() {
      shim.inject(ALL, ALL, Integer.toString(DRIVER_NOT_LOADED));
    }

    /** Rules of a GPU stay: what comes after an unload may be a driver that fails. */
    @Override
    public void load() {
      shim.withdraw(ALL);
    }

    @Override
    public void uniteInstances() {
      divide(shim.control(), 0);
    }

    @Override
    public void repair() {
      shim.repair();
    }
  }
}
