package io.gpureclaimer.deviceplugin.health;

/**
 * What was found about one watch.
 *
 * @param watch which part of the GPU
 * @param status how bad it is
 * @param code DCGM's name of the reason, such as {@code DCGM_FR_VOLATILE_DBE_DETECTED}
 */
public record Finding(Watch watch, Status status, String code) {
  private static final String PREFIX = "DCGM_FR_";

  /** Nothing wrong with what could be checked. */
  static Finding pass(Watch watch) {
    return new Finding(watch, Status.PASS, PREFIX + "OK");
  }

  static Finding warn(Watch watch, String code) {
    return of(watch, Status.WARN, code);
  }

  static Finding fail(Watch watch, String code) {
    return of(watch, Status.FAIL, code);
  }

  static Finding of(Watch watch, Status status, String code) {
    return new Finding(watch, status, PREFIX + code);
  }

  boolean isWorseThan(Finding other) {
    return status.code() > other.status.code();
  }
}
