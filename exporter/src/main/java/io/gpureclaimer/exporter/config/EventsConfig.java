package io.gpureclaimer.exporter.config;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.time.Duration;

/**
 * Time range in which events are counted. Bound from {@code events.*}.
 *
 * @param xidWindow for {@code DCGM_EXP_XID_ERRORS_COUNT}; longer than zero
 * @param clockWindow for {@code DCGM_EXP_CLOCK_EVENTS_COUNT}; longer than zero
 */
@Context
@ConfigurationProperties("events")
public record EventsConfig(Duration xidWindow, Duration clockWindow) {
  public EventsConfig {
    require("xid-window", xidWindow);
    require("clock-window", clockWindow);
  }

  private static void require(String name, Duration window) {
    if (!window.isPositive()) {
      throw new IllegalArgumentException("events." + name + " must be positive, was " + window);
    }
  }
}
