package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.deviceplugin.health.device.DeviceHealth;
import io.gpureclaimer.deviceplugin.nodeevents.EventPost;
import io.gpureclaimer.deviceplugin.nodeevents.NodeEvent;
import io.gpureclaimer.nvml.poll.NodeInventory;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * Has people told on the Node what they have to know, on a thread that may wait for the API server.
 * Confined to the thread of the device plugin.
 */
public final class Announcer {
  private final Announcements announcements;
  private final EventPost post;
  private final Executor thread;
  private final AtomicReference<List<NodeEvent>> handedOver = new AtomicReference<>(List.of());
  private final AtomicBoolean delivering = new AtomicBoolean();

  /**
   * @param health of each device
   * @param post confined to the thread
   * @param thread one, that may wait
   */
  public Announcer(DeviceHealth health, EventPost post, Executor thread) {
    this.announcements = new Announcements(health::condition);
    this.post = post;
    this.thread = thread;
  }

  void offered(PluginView view, NodeInventory inventory, Instant at) {
    announcements.offered(view, inventory, at);
  }

  /** Tells what is due. */
  void tick(Configuration.Standing standing, Instant now) {
    List<NodeEvent> due = announcements.due(standing, now);
    handedOver.updateAndGet(before -> Stream.concat(before.stream(), due.stream()).toList());
    boolean any = !handedOver.get().isEmpty() || post.isWaiting();
    if (any && delivering.compareAndSet(false, true)) {
      thread.execute(() -> deliver(now));
    }
  }

  private void deliver(Instant now) {
    try {
      post.deliver(handedOver.getAndSet(List.of()), now);
    } finally {
      delivering.set(false);
    }
  }
}
