package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_DEVICE_MIG_ENABLE;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.device.MigSize;
import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import java.util.ArrayList;
import java.util.List;

/** MIG queries of one session; see {@link Nvml}. */
public final class Mig {
  private final Driver driver;

  Mig(Driver driver) {
    this.driver = driver;
  }

  /**
   * Reads whether MIG is on.
   *
   * <p><b>Meaning:</b> now; a change that waits for a reset does not count. <b>Source:</b> {@code
   * nvmlDeviceGetMigMode}.
   *
   * @return {@link Unsupported} before Ampere, and on boards without MIG
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<Boolean> isOn(GpuHandle gpu) {
    return driver.ask(MigQueries.MODE, gpu).map(mode -> mode == NVML_DEVICE_MIG_ENABLE);
  }

  /**
   * Lists the MIG devices of a GPU: its compute instances, in the driver's order. A GPU instance
   * without any is not among them: without privileges the driver does not report it.
   *
   * <p><b>Meaning:</b> now; the handles are void once the MIG layout changes. <b>Source:</b> {@code
   * nvmlDeviceGetMigDeviceHandleByIndex} up to {@code nvmlDeviceGetMaxMigDeviceCount}, and of each
   * {@code nvmlDeviceGetGpuInstanceId}, {@code nvmlDeviceGetComputeInstanceId}, {@code
   * nvmlDeviceGetName}, else {@code nvmlDeviceGetAttributes_v2}, and {@code nvmlDeviceGetUUID}.
   *
   * @return an empty list while MIG is off; {@link Unsupported} where there is no MIG; {@link
   *     Failed} also when a device vanishes while it is being asked
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<List<MigDevice>> devices(GpuHandle gpu) {
    return each(gpu).then(Mig::all);
  }

  /**
   * As {@link #devices}, with the result of each: one that the driver refuses to report, as to a
   * program that may not open it, hides no other.
   *
   * @return an empty list while MIG is off; {@link Unsupported} where there is no MIG; {@link
   *     Failed} once the GPU is lost
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<List<NvmlResult<MigDevice>>> each(GpuHandle gpu) {
    return isOn(gpu)
        .then(on -> on ? driver.ask(MigQueries.MOST, gpu) : new Value<>(0))
        .then(most -> each(gpu, most));
  }

  /**
   * Reads the UUID of the GPU that a MIG device is a part of.
   *
   * <p><b>Source:</b> {@code nvmlDeviceGetDeviceHandleFromMigDeviceHandle} and {@code
   * nvmlDeviceGetUUID}.
   *
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<GpuUuid> parent(GpuHandle mig) {
    return driver
        .ask(MigQueries.PARENT, mig)
        .then(device -> driver.ask(NvmlQueries.UUID, mig.related(device)));
  }

  /**
   * Reads what a MIG device has.
   *
   * <p><b>Meaning:</b> now. <b>Source:</b> {@code nvmlDeviceGetAttributes_v2}, or {@code
   * nvmlDeviceGetAttributes}.
   *
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<MigSize> size(GpuHandle mig) {
    return driver.ask(MigQueries.SIZE, mig);
  }

  private NvmlResult<List<NvmlResult<MigDevice>>> each(GpuHandle gpu, int most) {
    List<NvmlResult<MigDevice>> devices = new ArrayList<>();
    for (int index = 0; index < most; index++) {
      NvmlResult<MigDevice> device = handle(gpu, index).then(mig -> described(gpu.related(mig)));
      if (isFailed(device, NvmlReturn.GPU_IS_LOST)) {
        return device.map(_ -> List.of());
      }
      if (!isFailed(device, NvmlReturn.NOT_FOUND)) {
        devices.add(device);
      }
    }
    return new Value<>(List.copyOf(devices));
  }

  private static boolean isFailed(NvmlResult<MigDevice> device, NvmlReturn why) {
    return device instanceof Failed<MigDevice>(var reason, _, _) && reason == why;
  }

  /** The result of the first device that is not reported is the result of all. */
  private static NvmlResult<List<MigDevice>> all(List<NvmlResult<MigDevice>> each) {
    NvmlResult<List<MigDevice>> all = new Value<>(List.of());
    for (NvmlResult<MigDevice> device : each) {
      all = all.then(before -> device.map(found -> with(before, found)));
    }
    return all;
  }

  private static List<MigDevice> with(List<MigDevice> before, MigDevice found) {
    List<MigDevice> devices = new ArrayList<>(before);
    devices.add(found);
    return List.copyOf(devices);
  }

  /** Some drivers call it a wrong argument that no device has that index. */
  private NvmlResult<Long> handle(GpuHandle gpu, int index) {
    var handle = driver.ask(MigQueries.handle(index), gpu);
    return handle instanceof Failed<Long>(var reason, _, _) && reason == NvmlReturn.INVALID_ARGUMENT
        ? new Failed<>(NvmlReturn.NOT_FOUND, NvmlReturn.NOT_FOUND.code())
        : handle;
  }

  /** As the driver calls it; of one that does not, from what the instance has. */
  private NvmlResult<String> profile(GpuHandle mig) {
    return switch (MigName.of(driver.ask(NvmlQueries.NAME, mig))) {
      case Value<String>(var name) ->
          MigName.instanceProfile(name)
              .<NvmlResult<String>>map(Value::new)
              .orElseGet(() -> driver.ask(MigQueries.PROFILE, mig));
      case Unsupported<String> _ -> driver.ask(MigQueries.PROFILE, mig);
      case Failed<String> failed -> failed;
    };
  }

  private NvmlResult<MigDevice> described(GpuHandle mig) {
    return driver
        .ask(MigQueries.GPU_INSTANCE, mig)
        .then(
            instance ->
                driver
                    .ask(MigQueries.COMPUTE_INSTANCE, mig)
                    .then(
                        compute ->
                            profile(mig)
                                .then(
                                    profile ->
                                        driver
                                            .ask(MigQueries.UUID, mig)
                                            .map(
                                                uuid ->
                                                    new MigDevice(
                                                        mig, instance, compute, profile, uuid)))));
  }
}
