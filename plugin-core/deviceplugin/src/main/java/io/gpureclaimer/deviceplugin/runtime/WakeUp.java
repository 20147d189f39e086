package io.gpureclaimer.deviceplugin.runtime;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Brings what happens on other threads to the one of the device plugin. Before that one is there,
 * nobody is woken: its first look sees all. For any thread.
 */
public final class WakeUp {
  private final AtomicReference<@Nullable Call> call = new AtomicReference<>();

  private record Call(Executor thread, NodePlugin plugin) {}

  /** From now on this plugin is woken, on this thread. */
  public void bind(Executor thread, NodePlugin plugin) {
    call.set(new Call(thread, plugin));
  }

  /** A device became healthy or unhealthy. */
  public void healthChanged() {
    wake(false);
  }

  /** There may be other devices. */
  public void devicesChanged() {
    wake(true);
  }

  private void wake(boolean devices) {
    Call bound = call.get();
    if (bound != null) {
      try {
        bound.thread.execute(
            () -> {
              if (devices) {
                bound.plugin.look(true);
              } else {
                bound.plugin.healthChanged();
              }
            });
      } catch (RejectedExecutionException _) {
        // The program is being stopped: nobody is offered anything any more.
        call.set(null);
      }
    }
  }
}
