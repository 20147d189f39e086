package io.gpureclaimer.simulator;

import java.util.Arrays;
import java.util.Optional;

/** What can be wrong with a simulated GPU. */
public enum Fault {
  /** Has fallen off the bus: whatever is asked about it, the driver answers that it is lost. */
  LOST("lost"),
  /** Is not there: the driver does not count it, and those after it move up. */
  GONE("gone"),
  /** The driver does not come back from a reading, until the script says otherwise. */
  HANG("hang"),
  /** Has no power sensor. */
  POWER_UNSUPPORTED("power-unsupported"),
  /** Its first NVLink is down. */
  NVLINK_DOWN("nvlink-down"),
  /** A checksum in its infoROM is wrong. */
  INFOROM_CORRUPT("inforom-corrupt");

  private final String text;

  Fault(String text) {
    this.text = text;
  }

  /** As a script spells it. */
  public String text() {
    return text;
  }

  static Optional<Fault> of(String text) {
    return Arrays.stream(values()).filter(fault -> fault.text.equals(text)).findFirst();
  }
}
