package io.gpureclaimer.exporter.deviceplugin;

import io.gpureclaimer.core.device.GpuUuid;
import io.gpureclaimer.core.mps.ComputeModes;
import io.gpureclaimer.core.nvml.ComputeMode;
import io.gpureclaimer.core.nvml.DeviceNumbers;
import io.gpureclaimer.core.nvml.GpuHandle;
import io.gpureclaimer.core.nvml.Nvml;
import io.gpureclaimer.core.nvml.NvmlResult;
import io.gpureclaimer.core.nvml.NvmlResult.Failed;
import io.gpureclaimer.core.nvml.NvmlResult.Value;
import io.gpureclaimer.core.nvml.NvmlReturn;
import io.gpureclaimer.exporter.collect.driver.DriverSession;
import io.gpureclaimer.exporter.collect.driver.DriverSession.Open;
import io.gpureclaimer.exporter.collect.driver.DriverSession.Visit.Closed;
import io.gpureclaimer.exporter.collect.driver.DriverSession.Visit.Seen;
import io.gpureclaimer.exporter.collect.driver.DriverThread;
import io.gpureclaimer.exporter.collect.driver.DriverThread.Outcome.LeftBehind;
import io.gpureclaimer.exporter.collect.driver.DriverThread.Outcome.Returned;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;

/** The GPUs' compute modes, asked and set in visits to the driver. */
final class DriverComputeModes implements ComputeModes {
  private final DriverSession driver;
  private final DriverThread thread;
  private final Duration deadline;

  DriverComputeModes(DriverSession driver, DriverThread thread, Duration deadline) {
    this.driver = driver;
    this.thread = thread;
    this.deadline = deadline;
  }

  @Override
  public NvmlResult<ComputeMode> of(GpuUuid gpu) {
    return visit(gpu, DriverComputeModes::mode);
  }

  @Override
  public NvmlResult<Boolean> set(GpuUuid gpu, ComputeMode mode) {
    return visit(gpu, (nvml, handle) -> nvml.setComputeMode(handle, mode));
  }

  private static NvmlResult<ComputeMode> mode(Nvml nvml, GpuHandle gpu) {
    return nvml.numbers(gpu, List.of(DeviceNumbers.COMPUTE_MODE))
        .getFirst()
        .then(
            number ->
                ComputeMode.of(number)
                    .<NvmlResult<ComputeMode>>map(Value::new)
                    .orElseGet(() -> failed(NvmlReturn.INVALID_STATE)));
  }

  private static <T> Failed<T> failed(NvmlReturn reason) {
    return new Failed<>(reason, reason.code());
  }

  private <T> NvmlResult<T> visit(
      GpuUuid gpu, BiFunction<Nvml, GpuHandle, NvmlResult<T>> question) {
    return switch (driver.visit(session -> ask(session, gpu, question))) {
      case Seen<NvmlResult<T>>(_, var answer) -> answer;
      case Closed<NvmlResult<T>> _ -> failed(NvmlReturn.UNINITIALIZED);
    };
  }

  private <T> NvmlResult<T> ask(
      Open session, GpuUuid gpu, BiFunction<Nvml, GpuHandle, NvmlResult<T>> question) {
    return switch (thread.ask(
        () -> found(session, gpu).then(handle -> question.apply(session.nvml(), handle)),
        deadline)) {
      case Returned<NvmlResult<T>>(var answer) -> answer;
      case LeftBehind<NvmlResult<T>> _ -> failed(NvmlReturn.TIMEOUT);
    };
  }

  private static NvmlResult<GpuHandle> found(Open session, GpuUuid gpu) {
    for (int index = 0; index < session.devices(); index++) {
      if (session.nvml().handle(index) instanceof Value<GpuHandle>(var handle)
          && session.nvml().uuid(handle) instanceof Value<GpuUuid>(var uuid)
          && uuid.equals(gpu)) {
        return new Value<>(handle);
      }
    }
    return failed(NvmlReturn.NOT_FOUND);
  }
}
