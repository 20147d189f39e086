package io.gpureclaimer.deviceplugin.mps;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.ComputeMode;
import io.gpureclaimer.nvml.DeviceNumbers;
import io.gpureclaimer.nvml.GpuHandle;
import io.gpureclaimer.nvml.Nvml;
import io.gpureclaimer.nvml.NvmlException;
import io.gpureclaimer.nvml.NvmlResult;
import io.gpureclaimer.nvml.NvmlReturn;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The driver's compute modes, asked on the thread of the caller with handles of its own. While
 * there is no session, every answer is a failure.
 */
public final class NvmlComputeModes implements ComputeModes {
  private final Supplier<Optional<Nvml>> session;

  /**
   * @param session the one that is open now; empty while the driver is down
   */
  public NvmlComputeModes(Supplier<Optional<Nvml>> session) {
    this.session = session;
  }

  @Override
  public NvmlResult<ComputeMode> of(GpuUuid gpu) {
    return ask(
        gpu,
        nvml ->
            handle ->
                nvml.numbers(handle, List.of(DeviceNumbers.COMPUTE_MODE))
                    .getFirst()
                    .then(NvmlComputeModes::mode));
  }

  @Override
  public NvmlResult<Boolean> set(GpuUuid gpu, ComputeMode mode) {
    return ask(gpu, nvml -> handle -> nvml.setComputeMode(handle, mode));
  }

  /** A mode that drivers no longer have is not one that could be given back. */
  private static NvmlResult<ComputeMode> mode(long code) {
    return ComputeMode.of(code)
        .<NvmlResult<ComputeMode>>map(NvmlResult.Value::new)
        .orElseGet(NvmlResult.Unsupported::new);
  }

  private <T> NvmlResult<T> ask(
      GpuUuid gpu, Function<Nvml, Function<GpuHandle, NvmlResult<T>>> question) {
    try {
      Optional<Nvml> open = session.get();
      if (open.isEmpty()) {
        return failed(NvmlReturn.UNINITIALIZED);
      }
      Nvml nvml = open.get();
      for (int i = 0; i < nvml.deviceCount(); i++) {
        NvmlResult<GpuHandle> found = nvml.handle(i).then(handle -> named(nvml, handle, gpu));
        if (found instanceof NvmlResult.Value<GpuHandle>) {
          return found.then(question.apply(nvml));
        }
      }
      return failed(NvmlReturn.NOT_FOUND);
    } catch (NvmlException e) {
      return new NvmlResult.Failed<>(e.reason(), e.code());
    }
  }

  private static NvmlResult<GpuHandle> named(Nvml nvml, GpuHandle handle, GpuUuid gpu) {
    return nvml.uuid(handle)
        .then(
            uuid ->
                uuid.equals(gpu) ? new NvmlResult.Value<>(handle) : failed(NvmlReturn.NOT_FOUND));
  }

  private static <T> NvmlResult<T> failed(NvmlReturn reason) {
    return new NvmlResult.Failed<>(reason, reason.code());
  }
}
