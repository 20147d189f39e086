package io.gpureclaimer.nvml;

/**
 * A text that can be queried for a GPU; the constants are in {@link DeviceTexts}.
 *
 * @see Nvml#text
 */
public final class DeviceText {
  private final FallbackCalls<String> ways;

  DeviceText(FallbackCalls<String> ways) {
    this.ways = ways;
  }

  DeviceText(NvmlQuery<String> question) {
    this(FallbackCalls.only(question));
  }

  FallbackCalls<String> ways() {
    return ways;
  }
}
