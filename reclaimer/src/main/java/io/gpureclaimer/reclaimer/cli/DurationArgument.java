package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.reclaimer.policy.DurationText;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations on the command line are written as they are in annotations. */
final class DurationArgument implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String text) {
    return DurationText.parse(text)
        .orElseThrow(() -> new TypeConversionException(DurationText.RULE + ", was " + text));
  }
}
