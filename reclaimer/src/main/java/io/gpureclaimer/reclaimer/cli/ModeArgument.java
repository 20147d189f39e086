package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.reclaimer.policy.Mode;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A mode to suppose: one that acts, or report, which takes nothing. */
final class ModeArgument implements ITypeConverter<Mode> {
  private static final List<Mode> SUPPOSED = List.of(Mode.ALWAYS, Mode.ON_DEMAND, Mode.REPORT);

  @Override
  public Mode convert(String text) {
    return Mode.of(text)
        .filter(SUPPOSED::contains)
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "must be one of "
                        + SUPPOSED.stream().map(Mode::text).collect(Collectors.joining(", "))
                        + ", was "
                        + text));
  }
}
