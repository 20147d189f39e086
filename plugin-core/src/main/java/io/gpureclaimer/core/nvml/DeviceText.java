package io.gpureclaimer.core.nvml;

/**
 * A text that a GPU can be asked for; the constants are in {@link DeviceTexts}.
 *
 * @see Nvml#text
 */
public final class DeviceText {
  private final Question<String> question;

  DeviceText(Question<String> question) {
    this.question = question;
  }

  Question<String> question() {
    return question;
  }
}
