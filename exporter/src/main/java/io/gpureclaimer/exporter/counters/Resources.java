package io.gpureclaimer.exporter.counters;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The texts that are compiled in beside this package. */
final class Resources {
  private Resources() {}

  static String text(String name) {
    try (var in = Objects.requireNonNull(Resources.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("a resource of this program cannot be read", e);
    }
  }
}
