package io.gpureclaimer.deviceplugin.health;

/**
 * Finding of one health watch.
 *
 * @param watch which part of the GPU
 * @param status how bad it is
 * @param code DCGM's name of the reason, such as {@code DCGM_FR_VOLATILE_DBE_DETECTED}
 */
public record HealthFinding(HealthWatch watch, WatchStatus status, String code) {
  private static final String PREFIX = "DCGM_FR_";

  /** Nothing wrong with what could be checked. */
  static HealthFinding pass(HealthWatch watch) {
    return new HealthFinding(watch, WatchStatus.PASS, PREFIX + "OK");
  }

  static HealthFinding warn(HealthWatch watch, String code) {
    return of(watch, WatchStatus.WARN, code);
  }

  static HealthFinding fail(HealthWatch watch, String code) {
    return of(watch, WatchStatus.FAIL, code);
  }

  static HealthFinding of(HealthWatch watch, WatchStatus status, String code) {
    return new HealthFinding(watch, status, PREFIX + code);
  }

  boolean isWorseThan(HealthFinding other) {
    return status.code() > other.status.code();
  }
}
