package io.gpureclaimer.common.vocabulary;

import java.util.Arrays;

/** Where the values of a DCGM field come from, or why this project cannot supply them. */
public enum FieldSource {
  /** The driver, through NVML. */
  NVML("nvml", true, "read through NVML"),
  /** NVML's performance monitoring, on Hopper and newer. */
  GPM("gpm", true, "read through NVML's GPM, on Hopper and newer, if the driver permits it"),
  /** Worked out from several answers of the driver. */
  COMPUTED("computed", true, "worked out by the exporter"),
  NVSWITCH("nvswitch", false, "belongs to an NVSwitch, which NVML does not reach"),
  CPU("cpu", false, "belongs to a Grace CPU, which NVML does not reach"),
  CONNECTX("connectx", false, "belongs to a ConnectX adapter, which NVML does not reach"),
  IMEX("imex", false, "belongs to the IMEX service, which NVML does not reach"),
  VGPU("vgpu", false, "belongs to a vGPU instance of a virtualization host"),
  BINARY("binary", false, "is a structure, not a number"),
  REGISTER("register", false, "is read from link registers that NVML does not offer"),
  DCGM("dcgm", false, "is DCGM's own, no quantity of a GPU"),
  NOT_OFFERED("not-offered", false, "is not offered by NVML");

  private final String text;
  private final boolean supplied;
  private final String reason;

  FieldSource(String text, boolean supplied, String reason) {
    this.text = text;
    this.supplied = supplied;
    this.reason = reason;
  }

  /** Whether there is anything to expose. */
  public boolean isSupplied() {
    return supplied;
  }

  /** For people, after the name of the field. */
  public String reason() {
    return reason;
  }

  static FieldSource of(String text) {
    return Arrays.stream(values())
        .filter(source -> source.text.equals(text))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no source is called \"" + text + '"'));
  }
}
