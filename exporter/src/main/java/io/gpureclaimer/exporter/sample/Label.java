package io.gpureclaimer.exporter.sample;

import java.time.Duration;

/**
 * A label of one reading, in addition to those of its device.
 *
 * @param name in the characters that Prometheus allows
 * @param value any text
 */
public record Label(String name, String value) {

  /** The label of a reading that counts over a sliding window. */
  public static Label ofWindow(Duration window) {
    return new Label("window_size_in_ms", Long.toString(window.toMillis()));
  }
}
