package io.gpureclaimer.reclaimer.simulate;

import java.util.Random;

/**
 * Activity drawn from distributions, which {@code docs/reference/simulation.md} lists. Repeats
 * itself for the same random numbers. Confined to one thread.
 */
final class ActivityGenerator {
  static final int MINUTE = 60;
  static final int HOUR = 60 * MINUTE;
  static final int DAY = 24 * HOUR;

  private static final int WORKDAYS = 5;
  private static final int WEEK = 7;

  private final Random random;

  ActivityGenerator(Random random) {
    this.random = random;
  }

  /**
   * A person's work in a notebook: on most workdays one to three stretches of work, in which runs
   * of a few minutes and pauses alternate. One notebook in four is forgotten: no work follows after
   * a random part of its lifetime.
   *
   * @param arrival seconds from the start of the trace, which is a Monday, midnight
   */
  ActivityPeriods notebook(int arrival, int lifetime) {
    var periods = new ActivityPeriods.PeriodsBuilder();
    int usedUntil = chance(0.25) ? (int) (lifetime * random.nextDouble()) : lifetime;
    for (int day = arrival / DAY; day * DAY < arrival + usedUntil; day++) {
      boolean isWorkday = day % WEEK < WORKDAYS;
      if (chance(isWorkday ? 0.6 : 0.08)) {
        workday(periods, day * DAY - arrival, usedUntil);
      }
    }
    return periods.build();
  }

  private void workday(ActivityPeriods.PeriodsBuilder into, int midnight, int usedUntil) {
    int at = midnight + (int) (9.5 * HOUR + random.nextGaussian() * HOUR);
    int stretches = 1 + random.nextInt(3);
    for (int i = 0; i < stretches; i++) {
      at = stretch(into, at, at + between(30 * MINUTE, 150 * MINUTE), usedUntil);
      at += logNormal(90 * MINUTE, 0.7);
    }
  }

  private int stretch(ActivityPeriods.PeriodsBuilder into, int from, int to, int usedUntil) {
    int at = from;
    while (at < to) {
      int run = logNormal(4 * MINUTE, 1.0);
      add(into, at, at + run, usedUntil, 0.2 + 0.7 * random.nextDouble());
      at += run + logNormal(5 * MINUTE, 0.9);
    }
    return at;
  }

  /**
   * Requests to a service. Two in five are busy: traffic for a part of the time that follows the
   * time of day. Two in five are used now and then, a few hours apart. One in five is never used
   * after its first day.
   */
  ActivityPeriods service(int arrival, int lifetime) {
    double type = random.nextDouble();
    if (type < 0.4) {
      return busyService(arrival, lifetime);
    }
    return type < 0.8
        ? occasionalService(arrival, lifetime, lifetime)
        : occasionalService(arrival, lifetime, Math.min(lifetime, DAY));
  }

  private ActivityPeriods busyService(int arrival, int lifetime) {
    var periods = new ActivityPeriods.PeriodsBuilder();
    double share = 0.3 + 0.5 * random.nextDouble();
    int at = between(0, 10 * MINUTE);
    while (at < lifetime) {
      int run = logNormal(6 * MINUTE, 0.8);
      add(periods, at, at + run, lifetime, 0.1 + 0.5 * random.nextDouble());
      double busy = Math.max(0.1, share * timeOfDay(arrival + at));
      at += run + exponential(run * (1 - busy) / busy);
    }
    return periods.build();
  }

  private ActivityPeriods occasionalService(int arrival, int lifetime, int usedUntil) {
    var periods = new ActivityPeriods.PeriodsBuilder();
    int at = between(0, HOUR);
    while (at < usedUntil) {
      if (chance(timeOfDay(arrival + at))) {
        int run = logNormal(10 * MINUTE, 0.8);
        add(periods, at, at + run, Math.min(lifetime, usedUntil), 0.1 + 0.4 * random.nextDouble());
        at += run;
      }
      at += exponential(4.0 * HOUR);
    }
    return periods.build();
  }

  /** Share of the traffic of the busiest hour: 1 at 14 o'clock, 0.2 at 2 o'clock. */
  private static double timeOfDay(int at) {
    return 0.6 + 0.4 * Math.cos(2 * Math.PI * ((at % DAY) - 14.0 * HOUR) / DAY);
  }

  /**
   * A training: some minutes of preparation, then computing until the end. One in eight stalls once
   * for up to two hours, and one in twelve hangs: it is idle from some moment on.
   *
   * @param lifetime seconds of its running time
   */
  ActivityPeriods training(int lifetime) {
    var periods = new ActivityPeriods.PeriodsBuilder();
    int usedUntil = chance(1.0 / 12) ? (int) (lifetime * random.nextDouble()) : lifetime;
    int begin = between(MINUTE, 8 * MINUTE);
    double level = 0.4 + 0.59 * random.nextDouble();
    if (chance(1.0 / 8)) {
      int stallAt = begin + (int) (random.nextDouble() * lifetime);
      add(periods, begin, stallAt, usedUntil, level);
      begin = stallAt + between(10 * MINUTE, 2 * HOUR);
    }
    add(periods, begin, lifetime, usedUntil, level);
    return periods.build();
  }

  /** Adds the part of a period that lies behind the earlier ones and within the time of use. */
  private static void add(
      ActivityPeriods.PeriodsBuilder into, int from, int to, int usedUntil, double level) {
    int start = Math.max(Math.max(0, from), into.lastEnd());
    int end = Math.min(to, usedUntil);
    if (start < end) {
      into.add(start, end, level);
    }
  }

  boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  /** A whole number from a range, its end excluded. */
  int between(int from, int to) {
    return from + random.nextInt(to - from);
  }

  /** At least 1. */
  int logNormal(double median, double sigma) {
    return (int) Math.max(1, Math.min(1e8, median * Math.exp(sigma * random.nextGaussian())));
  }

  /** At least 1. */
  int exponential(double mean) {
    return (int) Math.max(1, -mean * Math.log(1 - random.nextDouble()));
  }

  /** One of several values, with their shares of 1. */
  int choose(int[] values, double[] shares) {
    double left = random.nextDouble();
    for (int i = 0; i < values.length - 1; i++) {
      left -= shares[i];
      if (left < 0) {
        return values[i];
      }
    }
    return values[values.length - 1];
  }
}
