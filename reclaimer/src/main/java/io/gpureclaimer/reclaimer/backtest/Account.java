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
public record Account(Duration held, Duration idle, Duration unknown, Duration reported) {
  static final Account NOTHING =
      new Account(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);

  static Account idle(Duration time) {
    return new Account(time, time, Duration.ZERO, Duration.ZERO);
  }

  static Account active(Duration time) {
    return new Account(time, Duration.ZERO, Duration.ZERO, Duration.ZERO);
  }

  static Account unknown(Duration time) {
    return new Account(time, Duration.ZERO, time, Duration.ZERO);
  }

  /** The same, all idle time of it over a limit and only reported. */
  Account onlyReported() {
    return new Account(held, idle, unknown, idle);
  }

  /** Both together. */
  public Account plus(Account other) {
    return new Account(
        held.plus(other.held),
        idle.plus(other.idle),
        unknown.plus(other.unknown),
        reported.plus(other.reported));
  }
}
