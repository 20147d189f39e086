package io.gpureclaimer.reclaimer.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** Which build this is. */
final class ProgramVersion implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {text()};
  }

  /** From the executable jar's manifest; {@code development} when run without it. */
  static String text() {
    return "gpu-reclaimer "
        + Optional.ofNullable(ProgramVersion.class.getPackage().getImplementationVersion())
            .orElse("development");
  }
}
