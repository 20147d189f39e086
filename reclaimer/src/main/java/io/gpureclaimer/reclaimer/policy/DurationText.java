package io.gpureclaimer.reclaimer.policy;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Durations as they are written in annotations: {@code 90s}, {@code 2h}, {@code 1h30m}. */
public final class DurationText {
  public static final String RULE = "must be a duration like 90s, 10m, 2h, 1h30m, 1d or 1w";

  private static final Pattern GRAMMAR =
      Pattern.compile(
          "(?:([0-9]{1,6})w)?(?:([0-9]{1,6})d)?(?:([0-9]{1,6})h)?"
              + "(?:([0-9]{1,6})m)?(?:([0-9]{1,6})s)?");

  private DurationText() {}

  /** The duration, or nothing where the text is not exactly one. */
  public static Optional<Duration> parse(String text) {
    return Optional.of(GRAMMAR.matcher(text))
        .filter(match -> !text.isEmpty() && match.matches())
        .map(DurationText::sum);
  }

  private static Duration sum(MatchResult match) {
    return Duration.ofDays(7 * number(match, 1))
        .plusDays(number(match, 2))
        .plusHours(number(match, 3))
        .plusMinutes(number(match, 4))
        .plusSeconds(number(match, 5));
  }

  private static long number(MatchResult match, int group) {
    String digits = match.group(group);
    return digits == null ? 0 : Long.parseLong(digits);
  }
}
