package io.gpureclaimer.reclaimer.config;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.nio.file.Path;

/**
 * Where the record of each decision goes. Bound from {@code audit.*}.
 *
 * @param to {@code log}, {@code off}, {@code -} for the standard output, or the path of a file
 */
@Context
@ConfigurationProperties("audit")
public record AuditConfig(String to) {
  public AuditConfig {
    if (to.isBlank()) {
      throw new IllegalArgumentException(
          "audit.to must be log, off, - or the path of a file, was \"" + to + "\"");
    }
  }

  /** The same, understood. */
  public Destination destination() {
    return switch (to) {
      case "off" -> new Destination.Off();
      case "log" -> new Destination.Log();
      case "-" -> new Destination.StandardOutput();
      default -> new Destination.OneFile(Path.of(to));
    };
  }

  /** Where records can go. */
  public sealed interface Destination {
    /** Nowhere. */
    record Off() implements Destination {}

    /** The program's log. */
    record Log() implements Destination {}

    /** The standard output. */
    record StandardOutput() implements Destination {}

    /** A file. */
    record OneFile(Path file) implements Destination {}
  }
}
