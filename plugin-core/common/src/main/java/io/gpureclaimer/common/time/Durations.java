package io.gpureclaimer.common.time;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Durations as text. */
public final class Durations {
  /** What {@link #parse} expects, for messages. */
  public static final String EXAMPLES = "a duration like 90s, 10m, 2h, 1h30m, 1d or 1w";

  /** The same as a rule. */
  public static final String RULE = "must be " + EXAMPLES;

  private static final Map<String, Long> NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L,
          "d", 86_400_000_000_000L,
          "w", 604_800_000_000_000L);

  /** Whole numbers, the largest unit first. */
  private static final Pattern PROMETHEUS =
      Pattern.compile(
          "(?=.)(?:[0-9]{1,6}w)?(?:[0-9]{1,6}d)?(?:[0-9]{1,6}h)?(?:[0-9]{1,6}m)?(?:[0-9]{1,6}s)?");

  private static final Pattern GO =
      Pattern.compile(
          "(?:(?:[0-9]{1,9}(?:\\.[0-9]{0,9})?|\\.[0-9]{1,9})(?:ns|us|µs|ms|s|m|h))+"
              + "|[0-9]{1,18}ns|0");

  private static final Pattern PART = Pattern.compile("([0-9.]+)(ns|us|µs|ms|s|m|h|d|w)");

  private record Part(long count, String unit) {}

  private Durations() {}

  /**
   * The duration in annotations and on the reclaimer's command line: {@code 90s}, {@code 1h30m},
   * {@code 1w}, as Prometheus writes it. Empty if the text is anything else.
   */
  public static Optional<Duration> parse(String text) {
    return sum(PROMETHEUS, text)
        .map(nanos -> Duration.ofSeconds(nanos.movePointLeft(9).longValueExact()));
  }

  /**
   * The duration as programs in Go write it: {@code 60s}, {@code 1h30m}, {@code 1.5s}, {@code 0}.
   * Empty if it is not one, is negative or longer than Go's longest.
   */
  public static Optional<Duration> parseGo(String text) {
    return sum(GO, text)
        .filter(nanos -> nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0)
        .map(nanos -> Duration.ofNanos(nanos.longValue()));
  }

  private static Optional<BigDecimal> sum(Pattern grammar, String text) {
    if (!grammar.matcher(text).matches()) {
      return Optional.empty();
    }
    var sum = BigDecimal.ZERO;
    Matcher part = PART.matcher(text);
    while (part.find()) {
      long unit = Objects.requireNonNull(NANOS.get(part.group(2)));
      sum = sum.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit)));
    }
    return Optional.of(sum);
  }

  /**
   * The two largest units, rounded down: {@code 2d 3h}, {@code 1h 12m}, {@code 45s}; {@code 0s} for
   * less than a second.
   */
  public static String format(Duration duration) {
    String text =
        Stream.of(
                new Part(duration.toDaysPart(), "d"),
                new Part(duration.toHoursPart(), "h"),
                new Part(duration.toMinutesPart(), "m"),
                new Part(duration.toSecondsPart(), "s"))
            .dropWhile(part -> part.count() <= 0)
            .limit(2)
            .filter(part -> part.count() > 0)
            .map(part -> part.count() + part.unit())
            .collect(Collectors.joining(" "));
    return text.isEmpty() ? "0s" : text;
  }
}
