package io.gpureclaimer.reclaimer.policy;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The plain values of annotations. Each grammar is also that of the admission policy, so that both
 * say the same.
 */
final class ValueGrammar {
  private static final Pattern COUNT = Pattern.compile("[0-9]{1,6}");
  private static final Pattern PRIORITY = Pattern.compile("-?[0-9]{1,10}");
  private static final Pattern DAY =
      Pattern.compile("[12][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])");
  private static final Pattern INSTANT =
      Pattern.compile(
          DAY.pattern()
              + "T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?"
              + "(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])");

  private ValueGrammar() {}

  /** {@code true} or {@code false}. */
  static Optional<Boolean> truth(String text) {
    return switch (text) {
      case "true" -> Optional.of(true);
      case "false" -> Optional.of(false);
      default -> Optional.empty();
    };
  }

  /** Zero or more. */
  static Optional<Integer> count(String text) {
    return COUNT.matcher(text).matches() ? Optional.of(Integer.parseInt(text)) : Optional.empty();
  }

  /** A priority of pods. */
  static Optional<Integer> priority(String text) {
    return Optional.of(text)
        .filter(written -> PRIORITY.matcher(written).matches())
        .map(Long::parseLong)
        .filter(number -> number == number.intValue())
        .map(Long::intValue);
  }

  /** A time as RFC 3339 writes it. */
  static Optional<Instant> instant(String text) {
    if (!INSTANT.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  /** A time, or the midnight with which a day begins in UTC. */
  static Optional<Instant> instantOrDay(String text) {
    return DAY.matcher(text).matches() ? instant(text + "T00:00:00Z") : instant(text);
  }
}
