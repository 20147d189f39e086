package io.gpureclaimer.exporter.http.status;

import java.time.Duration;

/** Lengths of time as people say them: the two largest units. */
final class Ages {
  private static final long HOURS_PER_DAY = 24;
  private static final long PER_SIXTY = 60;

  private Ages() {}

  static String of(Duration age) {
    long seconds = Math.max(0, age.toSeconds());
    if (seconds < PER_SIXTY) {
      return seconds + " s";
    }
    long minutes = seconds / PER_SIXTY;
    if (minutes < PER_SIXTY) {
      return minutes + " min " + seconds % PER_SIXTY + " s";
    }
    long hours = minutes / PER_SIXTY;
    if (hours < HOURS_PER_DAY) {
      return hours + " h " + minutes % PER_SIXTY + " min";
    }
    return hours / HOURS_PER_DAY + " d " + hours % HOURS_PER_DAY + " h";
  }
}
