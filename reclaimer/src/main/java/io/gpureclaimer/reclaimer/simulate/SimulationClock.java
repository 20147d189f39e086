package io.gpureclaimer.reclaimer.simulate;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Virtual time of a simulation, in whole seconds. Confined to the thread of the simulation. */
public final class SimulationClock extends Clock {
  private long seconds;

  SimulationClock() {}

  /** Seconds since the start of the trace. */
  long seconds() {
    return seconds;
  }

  void advanceTo(long to) {
    if (to < seconds) {
      throw new IllegalArgumentException("time only moves forward, was " + seconds + ", to " + to);
    }
    seconds = to;
  }

  static Instant instantOf(long seconds) {
    return WorkloadTrace.START.plusSeconds(seconds);
  }

  /** Negative before the start of the trace. */
  static long secondsOf(Instant instant) {
    return Duration.between(WorkloadTrace.START, instant).toSeconds();
  }

  @Override
  public Instant instant() {
    return instantOf(seconds);
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("simulated time is in UTC");
  }
}
