package io.gpureclaimer.simulator;

/** A script that cannot be played; the message names entry, rule and value in one line. */
final class BadScript extends Exception {
  private static final long serialVersionUID = 1L;

  BadScript(String message) {
    super(message);
  }

  BadScript(String message, Throwable cause) {
    super(message, cause);
  }
}
