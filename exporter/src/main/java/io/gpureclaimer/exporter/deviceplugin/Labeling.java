package io.gpureclaimer.exporter.deviceplugin;

import io.gpureclaimer.core.allocation.OfferSettings;
import io.gpureclaimer.core.allocation.SharedResource;
import io.gpureclaimer.core.config.PluginSettings;
import io.gpureclaimer.core.inventory.Inventory;
import io.gpureclaimer.core.labels.LabelOptions;
import io.gpureclaimer.core.labels.LabelPublication;
import io.gpureclaimer.core.labels.LabelTemplate;
import io.gpureclaimer.core.labels.MachineSurvey;
import io.gpureclaimer.core.labels.MigStrategy;
import io.gpureclaimer.core.labels.Sharing;
import io.gpureclaimer.core.labels.Sharing.Strategy;
import io.gpureclaimer.core.labels.SharingFacts;
import io.gpureclaimer.core.labels.StandardLabels;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

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
        StandardLabels.of(inventory, facts(settings.offer()), machine.read(settings.labels().machineTypeFile()), options), now);
  }

  /** How it stands; for any thread. */
  public LabelPublication.State state() {
    return publication.state();
  }

  private static SharingFacts facts(OfferSettings offer) {
    Strategy strategy =
        switch (offer.sharing().kind()) {
          case NONE -> Strategy.NONE;
          case TIME_SLICING -> Strategy.TIME_SLICING;
          case MPS -> Strategy.MPS;
        };
    Map<String, List<SharedResource>> byName =
        offer.sharing().resources().stream()
            .collect(Collectors.groupingBy(resource -> resource.name().value()));
    return new SharingFacts(
        MigStrategy.valueOf(offer.mig().name()),
        byName.entrySet().stream()
            .collect(
                Collectors.toMap(Map.Entry::getKey, entry -> sharing(strategy, entry.getValue()))));
  }

  private static Sharing sharing(Strategy strategy, List<SharedResource> resources) {
    boolean alike = resources.stream().map(SharedResource::replicas).distinct().count() == 1;
    return new Sharing(
        strategy,
        alike ? resources.getFirst().replicas() : null,
        resources.stream().noneMatch(one -> one.offeredAs().equals(one.name())));
  }
}
