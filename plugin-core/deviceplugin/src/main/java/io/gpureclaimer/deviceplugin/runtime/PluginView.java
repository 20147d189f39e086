package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.deviceplugin.allocation.AdvertisedResources;
import io.gpureclaimer.deviceplugin.allocation.AllocationBlocker;
import io.gpureclaimer.deviceplugin.allocation.Sharing;
import io.gpureclaimer.deviceplugin.cdi.CdiReport;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Result of the last update of the device plugin, for metrics and people.
 *
 * @param configuration which settings are in force
 * @param driverDown why the driver cannot be asked; null if it can
 * @param offer what is offered to the kubelet
 * @param cdi what was written for container runtimes
 * @param cdiWrites how often that was done
 * @param blockers why no container can get a device, however healthy it is, by its UUID
 */
public record PluginView(
    Configuration.ActiveConfiguration configuration,
    @Nullable String driverDown,
    AdvertisedResources offer,
    CdiReport cdi,
    CdiWrites cdiWrites,
    Map<String, AllocationBlocker> blockers) {
  static final PluginView NOTHING =
      new PluginView(
          new Configuration.ActiveConfiguration("nothing was read yet", null, null, List.of()),
          "it was not asked yet",
          AdvertisedResources.NOTHING,
          new CdiReport(Map.of(), List.of(), List.of()),
          CdiWrites.NONE,
          Map.of());

  public PluginView {
    blockers = Map.copyOf(blockers);
  }

  /**
   * Why the container has to restart; empty if it has not, or may not: with it daemons of MPS would
   * end, and the work of all their clients.
   */
  public Optional<String> beyondHelp() {
    boolean isSharedByMps =
        offer.resources().values().stream()
            .flatMap(resource -> resource.portions().stream())
            .anyMatch(portion -> portion.sharing() == Sharing.SharingKind.MPS);
    return isSharedByMps ? Optional.empty() : cdi.cutOff();
  }

  /** The same, with a configuration that stands otherwise. */
  PluginView under(Configuration.ActiveConfiguration other) {
    return new PluginView(other, driverDown, offer, cdi, cdiWrites, blockers);
  }
}
