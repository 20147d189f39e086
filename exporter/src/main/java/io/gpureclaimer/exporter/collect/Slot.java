package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.core.device.Gpu;
import io.gpureclaimer.core.nvml.Nvml;
import io.gpureclaimer.exporter.collect.DriverThread.Outcome.LeftBehind;
import io.gpureclaimer.exporter.collect.DriverThread.Outcome.Returned;
import io.gpureclaimer.exporter.collect.Introduction.Outcome.Met;
import io.gpureclaimer.exporter.collect.Introduction.Outcome.NotMet;
import io.gpureclaimer.exporter.collect.SamplingPass.Deadlines;
import io.gpureclaimer.exporter.sample.GpuSample;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of one index of the driver from pass to pass: the device that sits there, and
 * the call that hangs there, if one does. Confined to the thread that runs the passes.
 */
final class Slot {
  private final int index;
  private final List<Collector> collectors;
  private final DriverThread thread;
  private final Deadlines deadlines;
  private final LongSupplier nanoTime;

  private @Nullable Device device;
  private @Nullable Gpu known;
  private @Nullable Future<?> stuck;

  Slot(
      int index,
      List<Collector> collectors,
      DriverThread thread,
      Deadlines deadlines,
      LongSupplier nanoTime) {
    this.index = index;
    this.collectors = collectors;
    this.thread = thread;
    this.deadlines = deadlines;
    this.nanoTime = nanoTime;
  }

  boolean isStuck() {
    return stuck != null && !stuck.isDone();
  }

  /** Makes the device introduce itself again: its handle is void. */
  void forgetDevice() {
    device = null;
  }

  Taken takeTurn(Nvml nvml) {
    if (isStuck()) {
      return Taken.nothing(new GpuSample.Hung(index, known));
    }
    stuck = null;
    return device == null ? meet(nvml) : ask(device);
  }

  private Taken meet(Nvml nvml) {
    var introduction = new Introduction(nvml, index, known);
    return switch (thread.ask(introduction::make, deadlines.introduction())) {
      case LeftBehind<Introduction.Outcome>(var call) -> leave(call);
      case Returned<Introduction.Outcome>(NotMet(var taken)) -> taken;
      case Returned<Introduction.Outcome>(Met(var met)) -> {
        device = met;
        known = met.gpu();
        yield ask(met);
      }
    };
  }

  private Taken ask(Device asked) {
    var turn = new Turn(asked, collectors, nanoTime);
    return switch (thread.ask(turn::take, deadlines.turn())) {
      case LeftBehind<Taken>(var call) -> leave(call);
      case Returned<Taken>(var taken) -> {
        if (!(taken.sample() instanceof GpuSample.Answered)) {
          forgetDevice();
        }
        yield taken;
      }
    };
  }

  private Taken leave(Future<?> call) {
    stuck = call;
    return Taken.nothing(new GpuSample.Hung(index, known));
  }
}
