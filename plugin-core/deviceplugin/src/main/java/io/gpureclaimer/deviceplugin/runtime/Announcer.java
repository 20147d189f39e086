package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.deviceplugin.health.device.DeviceHealth;
import io.gpureclaimer.deviceplugin.nodeevents.EventPost;
import io.gpureclaimer.deviceplugin.nodeevents.NodeEvent;
import io.gpureclaimer.nvml.poll.NodeInventory;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/**
 * Posts Events on the Node, on a thread that may wait for the API server. Confined to the thread of
 * the device plugin.
 */
public final class Announcer {
  private final Announcements announcements;
  private final EventPost post;
  private final CoalescingTask<DueEvents> task;

  /**
   * @param health of each device
   * @param post confined to the thread
   * @param thread runs one task at a time; a task may wait
   */
  public Announcer(DeviceHealth health, EventPost post, Executor thread) {
    this.announcements = new Announcements(health::condition);
    this.post = post;
    this.task =
        new CoalescingTask<>(thread, DueEvents::and, due -> post.deliver(due.events(), due.at()));
  }

  private record DueEvents(List<NodeEvent> events, Instant at) {
    DueEvents {
      events = List.copyOf(events);
    }

    DueEvents and(DueEvents next) {
      return new DueEvents(Stream.concat(events.stream(), next.events.stream()).toList(), next.at);
    }
  }

  void offered(PluginView view, NodeInventory inventory, Instant at) {
    announcements.offered(view, inventory, at);
  }

  /** Posts the Events that are due. */
  void tick(Configuration.Standing standing, Instant now) {
    List<NodeEvent> due = announcements.due(standing, now);
    if (!due.isEmpty() || post.isWaiting()) {
      task.submit(new DueEvents(due, now));
    }
  }
}
