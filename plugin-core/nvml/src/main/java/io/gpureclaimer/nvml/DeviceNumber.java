package io.gpureclaimer.nvml;

/**
 * A single whole number that a GPU can be asked for; the constants are in {@link DeviceNumbers}.
 *
 * @see Nvml#numbers
 */
public final class DeviceNumber {
  private final Alternatives<Long> ways;

  DeviceNumber(Alternatives<Long> ways) {
    this.ways = ways;
  }

  Alternatives<Long> ways() {
    return ways;
  }
}
