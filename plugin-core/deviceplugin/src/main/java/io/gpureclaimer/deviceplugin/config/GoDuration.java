package io.gpureclaimer.deviceplugin.config;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as programs in Go write them: {@code 60s}, {@code 1h30m}, {@code 1.5s}. */
public final class GoDuration {
  private static final Pattern WHOLE =
      Pattern.compile(
          "(?:(?:[0-9]{1,9}(?:\\.[0-9]{0,9})?|\\.[0-9]{1,9})(?:ns|us|µs|ms|s|m|h))+"
              + "|[0-9]{1,18}ns|0");
  private static final Pattern PART = Pattern.compile("([0-9.]+)(ns|us|µs|ms|s|m|h)");
  private static final Map<String, Long> NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);

  private GoDuration() {}

  /** Empty if it is none, or negative. */
  public static Optional<Duration> parse(String text) {
    if (!WHOLE.matcher(text).matches()) {
      return Optional.empty();
    }
    var sum = BigDecimal.ZERO;
    Matcher part = PART.matcher(text);
    while (part.find()) {
      long unit = NANOS.getOrDefault(part.group(2), 0L);
      sum = sum.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit)));
    }
    BigDecimal longest = BigDecimal.valueOf(Long.MAX_VALUE);
    return sum.compareTo(longest) <= 0
        ? Optional.of(Duration.ofNanos(sum.longValue()))
        : Optional.empty();
  }
}
