package io.gpureclaimer.exporter.deviceplugin;

import io.gpureclaimer.core.config.PluginSettings;
import io.gpureclaimer.core.inventory.Inventory;
import io.gpureclaimer.core.labels.LabelOptions;
import io.gpureclaimer.core.labels.LabelPublication;
import io.gpureclaimer.core.labels.LabelTemplate;
import io.gpureclaimer.core.labels.MachineSurvey;
import io.gpureclaimer.core.labels.SharingFacts;
import io.gpureclaimer.core.labels.StandardLabels;
import java.time.Instant;
import java.util.List;

/** Keeps the labels of the node. Confined to one thread, {@link #state} aside. */
public final class Labeling {
  private final LabelPublication publication;
  private final MachineSurvey machine;
  private final List<LabelTemplate> own;
  private final Instant began;

  /**
   * @param publication where they go
   * @param own labels besides NVIDIA's
   * @param began when this program was started
   */
  public Labeling(
      LabelPublication publication, MachineSurvey machine, List<LabelTemplate> own, Instant began) {
    this.publication = publication;
    this.machine = machine;
    this.own = List.copyOf(own);
    this.began = began;
  }

  /** Labels the node by what the driver told; a driver that told nothing takes no label back. */
  void keep(Inventory inventory, PluginSettings settings, Instant now) {
    var options = new LabelOptions(false, settings.labels().timestamp() ? began : null, own);
    publication.tick(
        StandardLabels.of(
            inventory,
            SharingFacts.of(settings.offer()),
            machine.read(settings.labels().machineTypeFile()),
            options),
        now);
  }

  /** How it stands; for any thread. */
  public LabelPublication.State state() {
    return publication.state();
  }
}
