package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.deviceplugin.health.device.DeviceHealth;
import io.gpureclaimer.deviceplugin.nodeevents.EventPost;
import io.gpureclaimer.deviceplugin.nodeevents.NodeEvent;
import io.gpureclaimer.deviceplugin.nodehealth.NodeHealth;
import io.gpureclaimer.deviceplugin.publication.Publication;
import io.gpureclaimer.deviceplugin.runtime.NodeEventTracker.DueEvents;
import io.gpureclaimer.nvml.poll.NodeInventory;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Posts Events on the Node and on pods, and updates the Node's condition, on its own thread.
 * Confined to the thread of the device plugin.
 */
public final class NodeEventReporter {
  private final NodeEventTracker announcements;
  private final Channels channels;
  private final CoalescingTask<DueReports> task;

  /**
   * @param health of each device
   * @param thread runs one task at a time; a task may wait
   */
  public NodeEventReporter(DeviceHealth health, Channels channels, Executor thread) {
    this.announcements = new NodeEventTracker(health::condition);
    this.channels = channels;
    this.task = new CoalescingTask<>(thread, DueReports::and, channels::send);
  }

  /**
   * The channels; each is confined to the thread, and absent if not enabled.
   *
   * @param node Events on the Node
   * @param holders Events on the pods that hold a device
   * @param condition the Node's condition
   */
  public record Channels(
      Optional<EventPost> node,
      Optional<EventPost> holders,
      Optional<Publication<NodeHealth>> condition) {

    private void send(DueReports news) {
      condition.ifPresent(
          publication -> news.health().ifPresent(health -> publication.tick(health, news.at())));
      node.ifPresent(post -> deliver(post, news.events().node(), news.at()));
      holders.ifPresent(post -> deliver(post, news.events().holders(), news.at()));
    }

    private static void deliver(EventPost post, List<NodeEvent> events, Instant at) {
      if (!events.isEmpty() || post.isWaiting()) {
        post.deliver(events, at);
      }
    }

    private boolean isWaiting() {
      return node.stream().anyMatch(EventPost::isWaiting)
          || holders.stream().anyMatch(EventPost::isWaiting);
    }
  }

  private record DueReports(DueEvents events, Optional<NodeHealth> health, Instant at) {
    DueReports and(DueReports later) {
      return new DueReports(
          events.and(later.events), later.health.isPresent() ? later.health : health, later.at);
    }
  }

  void offered(PluginView view, NodeInventory inventory, Instant at) {
    announcements.offered(view, inventory, at);
  }

  /** Announces what is due. */
  void tick(Configuration.ActiveConfiguration standing, Instant now) {
    DueEvents due = announcements.due(standing, now);
    Optional<NodeHealth> health = channels.condition().flatMap(_ -> announcements.health(now));
    if (!due.isEmpty() || health.isPresent() || channels.isWaiting()) {
      task.submit(new DueReports(due, health, now));
    }
  }
}
