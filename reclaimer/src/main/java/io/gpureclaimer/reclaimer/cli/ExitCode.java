package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.common.program.Service;

/** How the program ends, and the one line that it says about it. */
final class ExitCode {
  static final int OK = 0;
  static final int WORLD_IS_BROKEN = 1;
  static final int USER_ERROR = 2;

  private ExitCode() {}

  static int userError(String problem) {
    return say(USER_ERROR, problem);
  }

  static int worldIsBroken(String problem) {
    return say(WORLD_IS_BROKEN, problem);
  }

  /**
   * Waits until a signal ends the program, with exit status 0; a JVM that is left to itself returns
   * 128 and the signal's number.
   */
  static int whenStopped(Service.Running running) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  running.close();
                  Runtime.getRuntime().halt(OK);
                }));
    try {
      Thread.currentThread().join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    return OK;
  }

  private static int say(int code, String problem) {
    System.err.println("gpu-reclaimer: " + problem);
    return code;
  }
}
