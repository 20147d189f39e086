package io.gpureclaimer.deviceplugin.health;

/** Severity of a finding. */
public enum WatchStatus {
  /** Of what could be checked, nothing is wrong. */
  PASS(0),
  WARN(10),
  FAIL(20);

  private final int code;

  WatchStatus(int code) {
    this.code = code;
  }

  /** DCGM's number of it; the worse, the greater. */
  public int code() {
    return code;
  }
}
