package io.gpureclaimer.reclaimer.backtest;

import java.time.Duration;

/**
 * What became of the time of GPUs and MIG slices: the times of all of them added up.
 *
 * @param held by pods
 * @param idle of that, while they were idle
 * @param unknown of that, while nobody knew what they did
 * @param reported of the idle time, over the limit of workloads that are only reported on
 */
public record GpuTime(Duration held, Duration idle, Duration unknown, Duration reported) {
  static final GpuTime NOTHING =
      new GpuTime(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);

  static GpuTime idle(Duration time) {
    return new GpuTime(time, time, Duration.ZERO, Duration.ZERO);
  }

  static GpuTime active(Duration time) {
    return new GpuTime(time, Duration.ZERO, Duration.ZERO, Duration.ZERO);
  }

  static GpuTime unknown(Duration time) {
    return new GpuTime(time, Duration.ZERO, time, Duration.ZERO);
  }

  /** The same, all idle time of it over a limit and only reported. */
  GpuTime onlyReported() {
    return new GpuTime(held, idle, unknown, idle);
  }

  /** Both together. */
  public GpuTime plus(GpuTime other) {
    return new GpuTime(
        held.plus(other.held),
        idle.plus(other.idle),
        unknown.plus(other.unknown),
        reported.plus(other.reported));
  }
}
