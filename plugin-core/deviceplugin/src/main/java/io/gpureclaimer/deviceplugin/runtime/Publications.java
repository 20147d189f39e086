package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.common.files.HostTree;
import io.gpureclaimer.deviceplugin.allocation.DeviceListStrategy;
import io.gpureclaimer.deviceplugin.cdi.CdiPublisher;
import io.gpureclaimer.deviceplugin.cdi.CdiReport;
import io.gpureclaimer.deviceplugin.cdi.CdiSettings;
import io.gpureclaimer.deviceplugin.config.PluginSettings;
import io.gpureclaimer.doctor.RuntimeWithoutCdi;
import io.gpureclaimer.nvml.poll.NodeInventory;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes CDI specifications, if enabled. Confined to one thread. */
final class Publications {
  private static final Logger log = LoggerFactory.getLogger(Publications.class);

  private static final CdiReport NOTHING = new CdiReport(Map.of(), List.of(), List.of());

  private static final Path STATIC_FOLDER = Path.of("/etc/cdi");

  private final Path folder;
  private final List<String> libraryFolders;
  private @Nullable CdiSettings settings;
  private @Nullable CdiPublisher publisher;
  private CdiWrites writes = CdiWrites.NONE;
  private @Nullable String reported;

  /**
   * Has published nothing yet.
   *
   * @param folder that runtimes read, and that is ours to write
   * @param architecture of this node, as Java calls it
   */
  Publications(Path folder, String architecture) {
    this.folder = folder;
    this.libraryFolders = libraryFolders(architecture);
  }

  /** Brings the specifications up to date, if a strategy needs them. */
  CdiReport publish(NodeInventory inventory, PluginSettings plugin, Instant at) {
    if (!isWanted(plugin)) {
      return NOTHING;
    }
    CdiSettings wanted = settings(plugin);
    if (publisher == null || !wanted.equals(settings)) {
      publisher = new CdiPublisher(wanted, folder, List.of(STATIC_FOLDER, folder));
      settings = wanted;
    }
    CdiReport report = publisher.publish(inventory);
    writes = writes.after(report, at);
    return unheeded(plugin).map(report::with).orElse(report);
  }

  /** Where other strategies give a container its devices too, it does not matter. */
  private Optional<String> unheeded(PluginSettings plugin) {
    Set<DeviceListStrategy> strategies = plugin.allocation().response().strategies();
    Optional<String> found =
        strategies.stream().allMatch(DeviceListStrategy::isCdi)
            ? RuntimeWithoutCdi.in(
                NodeCheck.files(plugin.driver()),
                strategies.contains(DeviceListStrategy.CDI_ANNOTATIONS))
            : Optional.empty();
    found.filter(it -> !it.equals(reported)).ifPresent(it -> log.warn("CDI: {}", it));
    reported = found.orElse(null);
    return found;
  }

  /** How it has gone so far. */
  CdiWrites writes() {
    return writes;
  }

  private static boolean isWanted(PluginSettings plugin) {
    return plugin.allocation().response().strategies().stream().anyMatch(DeviceListStrategy::isCdi);
  }

  private CdiSettings settings(PluginSettings plugin) {
    var driver = plugin.driver();
    return new CdiSettings(
        plugin.allocation().response().cdi().vendor(),
        new HostTree(driver.rootInContainer(), driver.root().toString()),
        NodeDevices.of(driver),
        Path.of("/proc"),
        Path.of("/sys"),
        plugin.hooks(),
        libraryFolders);
  }

  /** Debian's and Red Hat's: in one of them the loader of every glibc image looks. */
  private static List<String> libraryFolders(String architecture) {
    String debian = architecture.equals("amd64") ? "x86_64" : architecture;
    return List.of("/usr/lib/" + debian + "-linux-gnu", "/usr/lib64");
  }
}
