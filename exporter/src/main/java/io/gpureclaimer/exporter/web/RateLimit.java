package io.gpureclaimer.exporter.web;

import java.time.Duration;

/**
 * How many requests are answered: a token comes after each interval, and each request takes one.
 *
 * @param interval more than nothing
 * @param burst how many tokens lie ready at most
 */
record RateLimit(Duration interval, int burst) {
  RateLimit {
    if (!interval.isPositive() || burst < 1) {
      throw new IllegalArgumentException("lets nobody in: " + interval + ", " + burst);
    }
  }
}
