package io.gpureclaimer.deviceplugin.runtime;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/** The thread of the test itself. */
final class DirectThread extends AbstractExecutorService {
  private boolean over;

  @Override
  public void execute(Runnable task) {
    task.run();
  }

  @Override
  public void shutdown() {
    over = true;
  }

  @Override
  public List<Runnable> shutdownNow() {
    over = true;
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return over;
  }

  @Override
  public boolean isTerminated() {
    return over;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return over;
  }
}
