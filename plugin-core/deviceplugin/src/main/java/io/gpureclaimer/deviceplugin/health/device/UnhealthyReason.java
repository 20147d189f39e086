package io.gpureclaimer.deviceplugin.health.device;

import java.util.Arrays;
import java.util.Optional;

/** Reason why a device is unhealthy, as a metric label has it. */
public enum UnhealthyReason {
  /** The driver reported an error of its catalogue. */
  XID("xid"),
  /** An error in memory could not be corrected. */
  DOUBLE_BIT_ECC("double-bit-ecc"),
  /** The driver wants something done before the GPU is used again. */
  RECOVERY_ACTION("recovery-action"),
  /** The driver counts the GPU and reports nothing else of it. */
  UNREADABLE("unreadable"),
  /** The last survey did not bring the device, or there was none. */
  ABSENT("absent");

  private final String code;

  UnhealthyReason(String code) {
    this.code = code;
  }

  /** As a label spells it. */
  public String code() {
    return code;
  }

  static Optional<UnhealthyReason> of(String code) {
    return Arrays.stream(values()).filter(reason -> reason.code.equals(code)).findFirst();
  }

  /** Whether it is an event, so that its absence counts only while events are subscribed to. */
  boolean isHeard() {
    return this == XID || this == DOUBLE_BIT_ECC;
  }
}
