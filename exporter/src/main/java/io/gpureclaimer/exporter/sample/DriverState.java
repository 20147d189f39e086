package io.gpureclaimer.exporter.sample;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** State of the driver session. */
public sealed interface DriverState {

  /**
   * A session is open. {@code knownVersion} is null when the driver does not report its version.
   */
  record Up(@Nullable String knownVersion) implements DriverState {
    /** For example {@code 570.86.15}. */
    public Optional<String> version() {
      return Optional.ofNullable(knownVersion);
    }
  }

  /** There is no session; {@code reason} is one line for a human. */
  record Down(String reason) implements DriverState {}
}
