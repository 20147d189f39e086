package io.gpureclaimer.deviceplugin.allocation;

/** What NVIDIA's runtime, or a CDI specification, brings in addition to GPUs. */
public enum Feature {
  /** GPUDirect copies by the CPU. */
  GDRCOPY("gdrcopy", "NVIDIA_GDRCOPY"),
  /** GPUDirect Storage. */
  GDS("gds", "NVIDIA_GDS"),
  /** Mellanox' network stack. */
  MOFED("mofed", "NVIDIA_MOFED");

  private final String cdiClass;
  private final String variable;

  Feature(String cdiClass, String variable) {
    this.cdiClass = cdiClass;
    this.variable = variable;
  }

  /** Its class in CDI names; the device is called {@code all}. */
  public String cdiClass() {
    return cdiClass;
  }

  /** The variable by which NVIDIA's runtime is asked for it. */
  String variable() {
    return variable;
  }
}
