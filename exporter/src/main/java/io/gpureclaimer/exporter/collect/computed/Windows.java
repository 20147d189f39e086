package io.gpureclaimer.exporter.collect.computed;

import io.gpureclaimer.exporter.sample.Label;
import java.time.Duration;

/** How a series says over how long it counts. */
final class Windows {
  private Windows() {}

  static Label label(Duration window) {
    return new Label("window_size_in_ms", Long.toString(window.toMillis()));
  }
}
