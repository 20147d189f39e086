package io.gpureclaimer.exporter.schedule;

import java.util.concurrent.atomic.AtomicReference;

/** Passes on that the inventory has to be polled at once; without a handler nothing happens. */
final class PollRequests implements Runnable {
  private final AtomicReference<Runnable> handler = new AtomicReference<>(() -> {});

  void handle(Runnable poll) {
    handler.set(poll);
  }

  @Override
  public void run() {
    handler.get().run();
  }
}
