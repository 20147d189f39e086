package io.gpureclaimer.nvml;

/**
 * A single whole number that a GPU can be asked for; the constants are in {@link DeviceNumbers}.
 *
 * @see Nvml#numbers
 */
public final class DeviceNumber {
  private final FallbackCalls<Long> ways;

  DeviceNumber(FallbackCalls<Long> ways) {
    this.ways = ways;
  }

  FallbackCalls<Long> ways() {
    return ways;
  }
}
