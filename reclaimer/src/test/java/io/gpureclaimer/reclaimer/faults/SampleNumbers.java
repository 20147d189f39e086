package io.gpureclaimer.reclaimer.faults;

import java.math.BigDecimal;
import java.time.Instant;

/** Numbers as a Prometheus writes them. */
final class SampleNumbers {
  private static final double MILLIS_PER_SECOND = 1_000.0;

  private SampleNumbers() {}

  static String text(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    return BigDecimal.valueOf(value).toPlainString();
  }

  static double seconds(Instant instant) {
    return instant.toEpochMilli() / MILLIS_PER_SECOND;
  }
}
