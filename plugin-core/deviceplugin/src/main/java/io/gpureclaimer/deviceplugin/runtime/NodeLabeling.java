package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.deviceplugin.allocation.AdvertisedResources;
import io.gpureclaimer.deviceplugin.config.PluginSettings;
import io.gpureclaimer.deviceplugin.labels.LabelOptions;
import io.gpureclaimer.deviceplugin.labels.MachineSurvey;
import io.gpureclaimer.deviceplugin.labels.NodeLabels;
import io.gpureclaimer.deviceplugin.labels.SharingFacts;
import io.gpureclaimer.deviceplugin.labels.StandardLabels;
import io.gpureclaimer.deviceplugin.publication.Publication;
import io.gpureclaimer.nvml.poll.NodeInventory;
import java.time.Instant;
import java.util.concurrent.Executor;

/**
 * Keeps the labels of the node current, on a thread of its own because the API server may hang.
 * Safe for several threads.
 */
public final class NodeLabeling {
  private final Publication<NodeLabels> publication;
  private final MachineSurvey machine;
  private final Instant began;
  private final CoalescingTask<LabelFacts> task;

  /**
   * @param publication where they go
   * @param began when this program was started
   * @param thread runs one task at a time; a task may wait
   */
  public NodeLabeling(
      Publication<NodeLabels> publication, MachineSurvey machine, Instant began, Executor thread) {
    this.publication = publication;
    this.machine = machine;
    this.began = began;
    this.task = CoalescingTask.newest(thread, this::publish);
  }

  /** What labels are made of. */
  private record LabelFacts(
      NodeInventory inventory, PluginSettings settings, AdvertisedResources offer, Instant at) {}

  /**
   * Labels the node by what the driver reported, and what of it is offered; a driver that reported
   * nothing removes no label.
   */
  void keep(
      NodeInventory inventory, PluginSettings settings, AdvertisedResources offer, Instant now) {
    task.submit(new LabelFacts(inventory, settings, offer, now));
  }

  private void publish(LabelFacts facts) {
    var settings = facts.settings();
    var options = new LabelOptions(false, settings.labels().timestamp() ? began : null);
    publication.tick(
        StandardLabels.of(
            facts.inventory(),
            SharingFacts.of(settings.offer().mig(), facts.offer()),
            machine.read(settings.labels().machineTypeFile()),
            options),
        facts.at());
  }

  /** How it stands. */
  public Publication.PublicationState state() {
    return publication.state();
  }
}
