package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.common.time.Durations;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations on the command line are written as they are in annotations. */
final class DurationArgument implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String text) {
    return Durations.parse(text)
        .orElseThrow(() -> new TypeConversionException(Durations.RULE + ", was " + text));
  }
}
