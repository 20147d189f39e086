package io.gpureclaimer.deviceplugin.health;

/** NVML's health mask of the NVLink fabric, two bits for each check. */
final class FabricHealth {
  private static final int TWO_BITS = 0x3;
  private static final int YES = 1;
  private static final int DEGRADED_BANDWIDTH = 0;
  private static final int ROUTE_RECOVERY = 2;
  private static final int ROUTE_UNHEALTHY = 4;
  private static final int ACCESS_TIMEOUT_RECOVERY = 6;
  private static final int CONFIGURATION = 8;
  private static final int FOUR_BITS = 0xF;
  private static final int CONFIGURATION_IS_RIGHT = 1;

  private FabricHealth() {}

  static boolean isIll(long mask) {
    return says(mask, DEGRADED_BANDWIDTH)
        || says(mask, ROUTE_RECOVERY)
        || says(mask, ROUTE_UNHEALTHY)
        || says(mask, ACCESS_TIMEOUT_RECOVERY)
        || ((mask >> CONFIGURATION) & FOUR_BITS) > CONFIGURATION_IS_RIGHT;
  }

  private static boolean says(long mask, int shift) {
    return ((mask >> shift) & TWO_BITS) == YES;
  }
}
