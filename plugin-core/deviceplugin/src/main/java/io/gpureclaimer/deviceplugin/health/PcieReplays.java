package io.gpureclaimer.deviceplugin.health;

import java.util.OptionalDouble;

/** How many packets a PCIe link may have to send again before something is wrong with it. */
final class PcieReplays {
  /** A minute and lane, from generation 1 on. */
  private static final double[] PER_LANE = {0.15, 0.3, 0.48, 0.96, 1.92, 3.84};

  private PcieReplays() {}

  static boolean isKnown(OptionalDouble generation) {
    return generation.stream().anyMatch(number -> number >= 1 && number <= PER_LANE.length);
  }

  static double mostPerMinute(double generation, double lanes) {
    return Math.ceil(lanes * PER_LANE[(int) generation - 1]);
  }
}
