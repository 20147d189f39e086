package io.gpureclaimer.common.program;

import io.gpureclaimer.common.time.Durations;
import io.micronaut.core.convert.ConversionContext;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.convert.TypeConverter;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;

/**
 * Durations in properties and configuration files: as in annotations and flags ({@code 1h30m},
 * {@code 1w}), or as Micronaut reads them ({@code 100ms}, {@code PT1H}).
 */
@Singleton
final class DurationConverter implements TypeConverter<CharSequence, Duration> {

  @Override
  public Optional<Duration> convert(
      CharSequence text, Class<Duration> type, ConversionContext context) {
    return Durations.parse(text.toString())
        .or(() -> ConversionService.SHARED.convert(text, type, context));
  }
}
