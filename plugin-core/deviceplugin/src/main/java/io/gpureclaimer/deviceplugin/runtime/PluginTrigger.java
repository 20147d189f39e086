package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.nvml.poll.InventoryUpdate;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the device plugin on its own thread when something happens on another. Before that thread is
 * bound nothing runs: its first tick sees everything. For any thread.
 */
public final class PluginTrigger {
  private final AtomicReference<@Nullable BoundTask> bound = new AtomicReference<>();
  private final AtomicReference<@Nullable InventoryUpdate> early = new AtomicReference<>();

  private record BoundTask(Executor thread, NodePlugin plugin) {}

  /** From now on this plugin is run, on this thread. */
  public void bind(Executor thread, NodePlugin plugin) {
    bound.set(new BoundTask(thread, plugin));
    InventoryUpdate last = early.getAndSet(null);
    if (last != null) {
      polled(last);
    }
  }

  /** A device became healthy or unhealthy. */
  public void healthChanged() {
    run(NodePlugin::healthChanged);
  }

  /** The GPUs were polled. */
  public void polled(InventoryUpdate update) {
    early.set(update);
    if (run(plugin -> plugin.polled(update))) {
      early.set(null);
    }
  }

  private boolean run(Consumer<NodePlugin> task) {
    BoundTask now = bound.get();
    if (now == null) {
      return false;
    }
    try {
      now.thread.execute(() -> task.accept(now.plugin));
    } catch (RejectedExecutionException _) {
      // The program is being stopped: nothing is offered from now on.
      bound.set(null);
    }
    return true;
  }
}
