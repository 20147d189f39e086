package io.gpureclaimer.deviceplugin.health.device;

/** A file that is not one of ours; the message names the rule and the value in one line. */
final class BadHealthFile extends Exception {
  private static final long serialVersionUID = 1L;

  BadHealthFile(String message) {
    super(message);
  }

  BadHealthFile(String message, Throwable cause) {
    super(message, cause);
  }
}
