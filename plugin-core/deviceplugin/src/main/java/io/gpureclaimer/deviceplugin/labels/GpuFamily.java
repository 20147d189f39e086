package io.gpureclaimer.deviceplugin.labels;

import io.gpureclaimer.common.device.ComputeCapability;

/** The names that NVIDIA's feature discovery has for generations of GPUs. */
final class GpuFamily {
  private static final ComputeCapability TURING = new ComputeCapability(7, 5);
  private static final ComputeCapability ADA_LOVELACE = new ComputeCapability(8, 9);

  private GpuFamily() {}

  static String of(ComputeCapability capability) {
    return switch (capability.major()) {
      case 1 -> "tesla";
      case 2 -> "fermi";
      case 3 -> "kepler";
      case 5 -> "maxwell";
      case 6 -> "pascal";
      case 7 -> capability.compareTo(TURING) < 0 ? "volta" : "turing";
      case 8 -> capability.compareTo(ADA_LOVELACE) < 0 ? "ampere" : "ada-lovelace";
      case 9 -> "hopper";
      case 10, 12 -> "blackwell";
      case 13 -> "rubin";
      default -> "undefined";
    };
  }
}
