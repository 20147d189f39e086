package io.gpureclaimer.exporter.deviceplugin;

import io.gpureclaimer.core.device.GpuUuid;
import io.gpureclaimer.core.mps.ComputeModes;
import io.gpureclaimer.core.mps.NvmlComputeModes;
import io.gpureclaimer.core.nvml.ComputeMode;
import io.gpureclaimer.core.nvml.NvmlResult;
import io.gpureclaimer.core.nvml.NvmlResult.Failed;
import io.gpureclaimer.core.nvml.NvmlReturn;
import io.gpureclaimer.exporter.collect.driver.DriverSession;
import io.gpureclaimer.exporter.collect.driver.DriverSession.Open;
import io.gpureclaimer.exporter.collect.driver.DriverSession.Visit.Closed;
import io.gpureclaimer.exporter.collect.driver.DriverSession.Visit.Seen;
import io.gpureclaimer.exporter.collect.driver.DriverThread;
import io.gpureclaimer.exporter.collect.driver.DriverThread.Outcome.LeftBehind;
import io.gpureclaimer.exporter.collect.driver.DriverThread.Outcome.Returned;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

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
    return visit(modes -> modes.of(gpu));
  }

  @Override
  public NvmlResult<Boolean> set(GpuUuid gpu, ComputeMode mode) {
    return visit(modes -> modes.set(gpu, mode));
  }

  private <T> NvmlResult<T> visit(Function<ComputeModes, NvmlResult<T>> question) {
    return switch (driver.visit(session -> ask(session, question))) {
      case Seen<NvmlResult<T>>(_, var answer) -> answer;
      case Closed<NvmlResult<T>> _ -> failed(NvmlReturn.UNINITIALIZED);
    };
  }

  private <T> NvmlResult<T> ask(Open session, Function<ComputeModes, NvmlResult<T>> question) {
    var modes = new NvmlComputeModes(() -> Optional.of(session.nvml()));
    return switch (thread.ask(() -> question.apply(modes), deadline)) {
      case Returned<NvmlResult<T>>(var answer) -> answer;
      case LeftBehind<NvmlResult<T>> _ -> failed(NvmlReturn.TIMEOUT);
    };
  }

  private static <T> Failed<T> failed(NvmlReturn reason) {
    return new Failed<>(reason, reason.code());
  }
}
