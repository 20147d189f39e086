package io.gpureclaimer.exporter.signal;

import sun.misc.Signal;

/**
 * SIGHUP. Apart from the other sources, and compiled without {@code -Werror}: javac warns of {@code
 * sun.misc.Signal}, which is supported and has no replacement, and the warning cannot be turned off.
 */
public final class HangUpSignal {
  private HangUpSignal() {}

  /** Has this done whenever the signal comes, on a thread of its own, instead of ending. */
  public static void handle(Runnable action) {
    Signal.handle(new Signal("HUP"), signal -> action.run());
  }
}
