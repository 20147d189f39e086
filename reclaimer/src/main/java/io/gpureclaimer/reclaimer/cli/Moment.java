package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.common.time.Durations;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A moment of the past as a flag. */
sealed interface Moment {

  /** When that is, to the second. */
  Instant before(Instant now);

  /** So long ago. */
  record Ago(Duration duration) implements Moment {
    @Override
    public Instant before(Instant now) {
      return now.minus(duration).truncatedTo(ChronoUnit.SECONDS);
    }
  }

  /** At that time. */
  record At(Instant instant) implements Moment {
    @Override
    public Instant before(Instant now) {
      return instant.truncatedTo(ChronoUnit.SECONDS);
    }
  }

  /** How it is written. */
  final class Argument implements ITypeConverter<Moment> {
    @Override
    public Moment convert(String text) {
      return Durations.parse(text)
          .<Moment>map(Ago::new)
          .or(() -> instant(text).map(At::new))
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "must be a duration ago like 14d or 12h, or a time like"
                          + " 2026-03-01T18:00:00Z, was "
                          + text));
    }

    private static Optional<Instant> instant(String text) {
      try {
        return Optional.of(OffsetDateTime.parse(text).toInstant());
      } catch (DateTimeException _) {
        return Optional.empty();
      }
    }
  }
}
