package io.gpureclaimer.reclaimer.page;

import io.gpureclaimer.reclaimer.evidence.utilization.UtilizationHistory.UtilizationPoint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * A small chart of utilization. A time without samples is a gap in the line, never zero.
 *
 * @param path of the line, as SVG has it, in a box of {@link #WIDTH} and {@link #HEIGHT}
 * @param label the same in words
 */
public record Sparkline(String path, String label) {
  public static final int WIDTH = 144;
  public static final int HEIGHT = 24;

  private static final double FULL = 100;

  /** Steps between samples from which on the line is broken. */
  private static final Duration GAP = Duration.ofMinutes(15);

  /** The chart of a time. */
  public static Sparkline of(List<UtilizationPoint> points, Instant from, Instant to) {
    if (points.isEmpty()) {
      return new Sparkline("", "GPU utilization: no samples in the last 6 hours");
    }
    var path = new StringBuilder();
    Instant before = Instant.MIN;
    for (int i = 0; i < points.size(); i++) {
      UtilizationPoint point = points.get(i);
      boolean starts = before.equals(Instant.MIN) || isGap(before, point.at());
      boolean ends = i + 1 == points.size() || isGap(point.at(), points.get(i + 1).at());
      path.append(starts ? "M" : "L").append(x(point.at(), from, to)).append(' ').append(y(point));
      if (starts && ends) {
        path.append("h1");
      }
      before = point.at();
    }
    double highest = points.stream().mapToDouble(UtilizationPoint::percent).max().orElseThrow();
    return new Sparkline(
        path.toString(),
        String.format(
            Locale.ROOT,
            "GPU utilization in the last 6 hours: at most %.0f %%, last %.0f %%",
            highest,
            points.getLast().percent()));
  }

  private static boolean isGap(Instant one, Instant other) {
    return Duration.between(one, other).compareTo(GAP) > 0;
  }

  private static long x(Instant at, Instant from, Instant to) {
    double share =
        (double) Duration.between(from, at).toMillis() / Duration.between(from, to).toMillis();
    return Math.round(1 + share * (WIDTH - 2));
  }

  private static long y(UtilizationPoint point) {
    double share = Math.clamp(point.percent() / FULL, 0, 1);
    return Math.round(HEIGHT - 1 - share * (HEIGHT - 2));
  }
}
