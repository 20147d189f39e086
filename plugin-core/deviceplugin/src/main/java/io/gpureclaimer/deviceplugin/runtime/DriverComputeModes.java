package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.mps.ComputeModes;
import io.gpureclaimer.deviceplugin.mps.NvmlComputeModes;
import io.gpureclaimer.nvml.ComputeMode;
import io.gpureclaimer.nvml.NvmlResult;
import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlReturn;
import io.gpureclaimer.nvml.session.DriverSession;
import io.gpureclaimer.nvml.session.DriverSession.Open;
import io.gpureclaimer.nvml.session.DriverSession.SessionResult.Closed;
import io.gpureclaimer.nvml.session.DriverSession.SessionResult.Seen;
import io.gpureclaimer.nvml.session.DriverThread;
import io.gpureclaimer.nvml.session.DriverThread.CallOutcome.Returned;
import io.gpureclaimer.nvml.session.DriverThread.CallOutcome.TimedOut;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** The GPUs' compute modes, asked and set in visits to the driver. */
public final class DriverComputeModes implements ComputeModes {
  private final DriverSession driver;
  private final DriverThread thread;
  private final Duration deadline;

  public DriverComputeModes(DriverSession driver, DriverThread thread, Duration deadline) {
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
    return switch (thread.call(() -> question.apply(modes), deadline)) {
      case Returned<NvmlResult<T>>(var answer) -> answer;
      case TimedOut<NvmlResult<T>> _ -> failed(NvmlReturn.TIMEOUT);
    };
  }

  private static <T> Failed<T> failed(NvmlReturn reason) {
    return new Failed<>(reason, reason.code());
  }
}
