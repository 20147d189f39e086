package io.gpureclaimer.verification.gpupack;

import java.util.Arrays;
import java.util.Locale;

/** Latencies of many scrapes, one after the other over one connection. */
final class ScrapeLatency {
  private final long[] sortedNanos;
  private final int failures;

  private ScrapeLatency(long[] sortedNanos, int failures) {
    this.sortedNanos = sortedNanos;
    this.failures = failures;
  }

  /** One scrape; false if it failed. */
  @FunctionalInterface
  interface Scraper {
    boolean scrape() throws InterruptedException;
  }

  static ScrapeLatency measure(int count, Scraper scraper) throws InterruptedException {
    long[] nanos = new long[count];
    int failures = 0;
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      failures += scraper.scrape() ? 0 : 1;
      nanos[i] = System.nanoTime() - start;
    }
    Arrays.sort(nanos);
    return new ScrapeLatency(nanos, failures);
  }

  int failures() {
    return failures;
  }

  private double percentileMillis(double share) {
    int index = (int) Math.ceil(share * sortedNanos.length) - 1;
    return sortedNanos[Math.clamp(index, 0, sortedNanos.length - 1)] / 1e6;
  }

  String text() {
    return String.format(
        Locale.ROOT,
        "%d failed; median %.2f ms, 90th %.2f, 99th %.2f, 99.9th %.2f, slowest %.2f",
        failures,
        percentileMillis(0.5),
        percentileMillis(0.9),
        percentileMillis(0.99),
        percentileMillis(0.999),
        percentileMillis(1));
  }
}
