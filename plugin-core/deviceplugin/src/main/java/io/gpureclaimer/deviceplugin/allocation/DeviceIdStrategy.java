package io.gpureclaimer.deviceplugin.allocation;

/** How devices are named for NVIDIA's runtime. Names of CDI use the UUID in any case. */
public enum DeviceIdStrategy {
  UUID("uuid"),
  /** The driver's index, which may be another after the driver was loaded again. */
  INDEX("index");

  private final String text;

  DeviceIdStrategy(String text) {
    this.text = text;
  }

  /** As it is written in configurations. */
  public String text() {
    return text;
  }

  /** A device, spelled so. */
  String of(Device device) {
    return switch (this) {
      case UUID -> device.uuid();
      case INDEX -> device.index().toString();
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
