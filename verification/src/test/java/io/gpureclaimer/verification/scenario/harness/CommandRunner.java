package io.gpureclaimer.verification.scenario.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Runs programs of this machine to their end. */
final class CommandRunner {
  private CommandRunner() {}

  /**
   * Runs one, and answers what it printed.
   *
   * @throws IllegalStateException if it failed
   */
  static String run(ProcessBuilder command) {
    String line = String.join(" ", command.command());
    try {
      Process process = command.redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.waitFor();
      if (code != 0) {
        throw new IllegalStateException(line + " ended with " + code + ": " + output);
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(line, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(line, e);
    }
  }
}
