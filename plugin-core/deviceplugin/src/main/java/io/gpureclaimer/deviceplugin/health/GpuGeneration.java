package io.gpureclaimer.deviceplugin.health;

import java.util.OptionalDouble;

/** Generations of boards that rules distinguish, by their CUDA compute capability. */
enum GpuGeneration {
  VOLTA(7, 0, 7, 4),
  BEFORE_BLACKWELL(0, 0, 9, 99),
  BLACKWELL(10, 0, 99, 99);

  private static final int MAJOR_SHIFT = 16;

  private final int first;
  private final int last;

  GpuGeneration(int firstMajor, int firstMinor, int lastMajor, int lastMinor) {
    this.first = (firstMajor << MAJOR_SHIFT) | firstMinor;
    this.last = (lastMajor << MAJOR_SHIFT) | lastMinor;
  }

  /** In DCGM's form: the major number in the upper half, the minor one in the lower. */
  boolean is(OptionalDouble computeCapability) {
    return computeCapability.stream().anyMatch(number -> number >= first && number <= last);
  }
}
