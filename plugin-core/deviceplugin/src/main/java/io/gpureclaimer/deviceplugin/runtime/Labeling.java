package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.deviceplugin.allocation.Offer;
import io.gpureclaimer.deviceplugin.config.PluginSettings;
import io.gpureclaimer.deviceplugin.labels.LabelOptions;
import io.gpureclaimer.deviceplugin.labels.LabelPublication;
import io.gpureclaimer.deviceplugin.labels.MachineSurvey;
import io.gpureclaimer.deviceplugin.labels.SharingFacts;
import io.gpureclaimer.deviceplugin.labels.StandardLabels;
import io.gpureclaimer.nvml.poll.NodeInventory;
import java.time.Instant;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the labels of the node, on a thread of its own, so that an API server that hangs keeps
 * nobody waiting. For any thread; of several facts the last count.
 */
public final class Labeling {
  private final LabelPublication publication;
  private final MachineSurvey machine;
  private final Instant began;
  private final Executor thread;
  private final AtomicReference<@Nullable Facts> newest = new AtomicReference<>();

  /**
   * @param publication where they go
   * @param began when this program was started
   * @param thread one, that may wait
   */
  public Labeling(
      LabelPublication publication, MachineSurvey machine, Instant began, Executor thread) {
    this.publication = publication;
    this.machine = machine;
    this.began = began;
    this.thread = thread;
  }

  /** What labels are made of. */
  private record Facts(NodeInventory inventory, PluginSettings settings, Offer offer, Instant at) {}

  /**
   * Labels the node by what the driver told, and what of it is offered; a driver that told nothing
   * takes no label back.
   */
  void keep(NodeInventory inventory, PluginSettings settings, Offer offer, Instant now) {
    if (newest.getAndSet(new Facts(inventory, settings, offer, now)) == null) {
      thread.execute(this::publish);
    }
  }

  private void publish() {
    Facts facts = newest.getAndSet(null);
    if (facts != null) {
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
  }

  /** How it stands. */
  public LabelPublication.PublicationState state() {
    return publication.state();
  }
}
