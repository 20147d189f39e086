package io.gpureclaimer.reclaimer.policy;

import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Durations as people say them: the two largest units, rounded down. */
public final class HumanDuration {

  private record Part(long count, String unit) {}

  private HumanDuration() {}

  /** For example {@code 2d 3h}, {@code 1h 12m}, {@code 45s}; {@code 0s} for less than a second. */
  public static String of(Duration duration) {
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
