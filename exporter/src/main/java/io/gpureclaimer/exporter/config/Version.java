package io.gpureclaimer.exporter.config;

import java.util.Optional;

/** Version of the agent. */
public final class Version {
  private Version() {}

  /** From the executable jar's manifest; {@code development} when run without it. */
  public static String ofThisProgram() {
    return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
        .orElse("development");
  }
}
