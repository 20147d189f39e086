package io.gpureclaimer.nvml;

/**
 * A text that a GPU can be asked for; the constants are in {@link DeviceTexts}.
 *
 * @see Nvml#text
 */
public final class DeviceText {
  private final Alternatives<String> ways;

  DeviceText(Alternatives<String> ways) {
    this.ways = ways;
  }

  DeviceText(Question<String> question) {
    this(Alternatives.only(question));
  }

  Alternatives<String> ways() {
    return ways;
  }
}
