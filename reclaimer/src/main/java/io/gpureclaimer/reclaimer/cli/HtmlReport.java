package io.gpureclaimer.reclaimer.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** The flag for a report as an HTML file. */
final class HtmlReport {
  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Also write a report with charts, as one HTML file.")
  Optional<Path> file = Optional.empty();

  /** Writes the report if one is wanted, and returns the exit code. */
  int write(Supplier<String> report) {
    if (file.isEmpty()) {
      return ExitCode.OK;
    }
    try {
      Files.writeString(file.get(), report.get());
      return ExitCode.OK;
    } catch (IOException e) {
      return ExitCode.worldIsBroken("cannot write " + file.get() + ": " + e);
    }
  }
}
