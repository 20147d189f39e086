package io.gpureclaimer.nvml;

/**
 * A number that can be queried for a GPU; the constants are in {@link DeviceNumbers}.
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
