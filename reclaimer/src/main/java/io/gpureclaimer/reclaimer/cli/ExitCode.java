package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.common.program.Service;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
   * Starts the program and waits until a signal ends it, which is exit status 0, also while it
   * starts; a JVM that is left to itself returns 128 and the signal's number.
   */
  static int run(Supplier<Service> start) {
    var running = new AtomicReference<Service.@Nullable Running>();
    var leaving = new AtomicBoolean();
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> endBySignal(running.get(), leaving.get())));
    try {
      return switch (start.get()) {
        case Service.Running started -> {
          running.set(started);
          Thread.currentThread().join();
          yield OK;
        }
        case Service.Misconfigured(String problem) -> userError(problem);
        case Service.NotListening(String problem) -> worldIsBroken(problem);
      };
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return OK;
    } finally {
      leaving.set(true);
    }
  }

  private static void endBySignal(Service.@Nullable Running running, boolean isLeaving) {
    if (running != null) {
      running.close();
    }
    if (running != null || !isLeaving) {
      Runtime.getRuntime().halt(OK);
    }
  }

  private static int say(int code, String problem) {
    System.err.println("gpu-reclaimer: " + problem);
    return code;
  }
}
