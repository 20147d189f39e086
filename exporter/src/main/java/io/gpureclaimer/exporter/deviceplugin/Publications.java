package io.gpureclaimer.exporter.deviceplugin;

import io.gpureclaimer.core.allocation.DeviceListStrategy;
import io.gpureclaimer.core.cdi.CdiPublisher;
import io.gpureclaimer.core.cdi.CdiReport;
import io.gpureclaimer.core.cdi.CdiSettings;
import io.gpureclaimer.core.cdi.HookName;
import io.gpureclaimer.core.config.PluginSettings;
import io.gpureclaimer.core.files.HostTree;
import io.gpureclaimer.core.inventory.Inventory;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Keeps what container runtimes go by, if they are to go by it. Confined to one thread. */
final class Publications {
  private static final CdiReport NOTHING = new CdiReport(Map.of(), List.of(), List.of());

  /** NVIDIA's usual place of the hook program; there and elsewhere it is looked for anyway. */
  private static final Path USUAL_HOOK = Path.of("/usr/bin/nvidia-ctk");

  private static final Path STATIC_FOLDER = Path.of("/etc/cdi");
  private static final List<String> LIBRARY_FOLDERS =
      List.of("/usr/lib/x86_64-linux-gnu", "/usr/lib64");
  private static final String ALL = "all";

  private final Path folder;
  private @Nullable CdiSettings settings;
  private @Nullable CdiPublisher publisher;
  private CdiWrites writes = CdiWrites.NONE;

  Publications(Path folder) {
    this.folder = folder;
  }

  /** Brings the specifications up to date, if a strategy needs them. */
  CdiReport publish(Inventory inventory, PluginSettings plugin, Instant at) {
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
    return report;
  }

  /** How it has gone so far. */
  CdiWrites writes() {
    return writes;
  }

  private static boolean isWanted(PluginSettings plugin) {
    return plugin.allocation().response().strategies().stream().anyMatch(DeviceListStrategy::isCdi);
  }

  private static CdiSettings settings(PluginSettings plugin) {
    var driver = plugin.driver();
    Path hook = plugin.hooks().program();
    return new CdiSettings(
        plugin.allocation().response().cdi().vendor(),
        new HostTree(driver.rootInContainer(), driver.root().toString()),
        new HostTree(driver.devRoot(), driver.devRoot().toString()),
        Path.of("/proc"),
        Path.of("/sys"),
        new CdiSettings.Hooks(
            hook.equals(USUAL_HOOK) ? null : hook.toString(), disabled(plugin.hooks().disabled())),
        LIBRARY_FOLDERS);
  }

  private static Set<HookName> disabled(List<String> names) {
    return names.contains(ALL)
        ? Arrays.stream(HookName.values()).collect(Collectors.toUnmodifiableSet())
        : names.stream()
            .map(HookName::of)
            .flatMap(Optional::stream)
            .collect(Collectors.toUnmodifiableSet());
  }
}
