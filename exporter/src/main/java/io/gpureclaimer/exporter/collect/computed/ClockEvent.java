package io.gpureclaimer.exporter.collect.computed;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/** Why a clock is lower than it could be: a bit in the driver's mask. */
enum ClockEvent {
  GPU_IDLE(0x1, "gpu_idle"),
  CLOCKS_SETTING(0x2, "clocks_setting"),
  POWER_CAP(0x4, "power_cap"),
  HW_SLOWDOWN(0x8, "hw_slowdown"),
  SYNC_BOOST(0x10, "sync_boost"),
  SW_THERMAL(0x20, "sw_thermal"),
  HW_THERMAL(0x40, "hw_thermal"),
  HW_POWER_BRAKE(0x80, "hw_power_brake"),
  DISPLAY_CLOCKS(0x100, "display_clocks");

  private final long bit;
  private final String label;

  ClockEvent(long bit, String label) {
    this.bit = bit;
    this.label = label;
  }

  /** As dcgm-exporter spells it. */
  String label() {
    return label;
  }

  /** Those whose bit is set; bits of no name are passed over. */
  static Set<ClockEvent> in(long mask) {
    return Arrays.stream(values())
        .filter(event -> (mask & event.bit) != 0)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(ClockEvent.class)));
  }
}
