package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.deviceplugin.allocation.AdvertisedResources;
import io.gpureclaimer.deviceplugin.allocation.AllocationBlocker;
import io.gpureclaimer.deviceplugin.allocation.NodeEnvironment;
import io.gpureclaimer.deviceplugin.allocation.ResourceAllocator;
import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.cdi.CdiReport;
import io.gpureclaimer.deviceplugin.config.PluginSettings;
import io.gpureclaimer.deviceplugin.health.device.DeviceHealth;
import io.gpureclaimer.deviceplugin.kubelet.PluginHost;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing;
import io.gpureclaimer.deviceplugin.mps.ComputeModes;
import io.gpureclaimer.deviceplugin.plugin.DeviceList.ResourceDevices;
import io.gpureclaimer.nvml.poll.InventoryChange;
import io.gpureclaimer.nvml.poll.InventoryUpdate;
import io.gpureclaimer.nvml.poll.InventoryUpdate.DriverDown;
import io.gpureclaimer.nvml.poll.InventoryUpdate.Polled;
import io.gpureclaimer.nvml.poll.NodeInventory;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Advertises the devices of the polled inventory, after changes of devices, health or settings.
 * Confined to one thread, {@link #view} aside. That thread never waits for the driver: a GPU that
 * hangs must not delay what the kubelet learns about the others.
 */
public final class NodePlugin implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(NodePlugin.class);

  private final Configuration configuration;
  private final DeviceHealth health;
  private final Consumer<Map<ResourceName, ResourceDevices>> kubelet;
  private final Publications publications;
  private final MpsSharing mps;
  private final StaleAllocations holders;
  private final Optional<NodeLabeling> labels;
  private final Optional<NodeEventReporter> announcer;
  private final Clock clock;
  private final AtomicReference<PluginView> view = new AtomicReference<>(PluginView.NOTHING);

  private @Nullable NodeInventory inventory;
  private @Nullable String driverDown = PluginView.NOTHING.driverDown();
  private AdvertisedResources offer = AdvertisedResources.NOTHING;
  private CdiReport cdi = PluginView.NOTHING.cdi();

  /**
   * Paths of the node.
   *
   * @param cdi the folder of specifications
   * @param mpsProgram the control program of MPS
   */
  public record HostPaths(Path cdi, String mpsProgram) {}

  /**
   * Offers nothing yet.
   *
   * @param own the thread of the device plugin
   * @param modes reads and sets compute modes
   * @param host already running
   * @param held asks the kubelet who holds which device
   * @param trigger run when an MPS daemon goes up or down
   */
  public static NodePlugin of(
      Executor own,
      Configuration configuration,
      ComputeModes modes,
      DeviceHealth health,
      PluginHost host,
      Supplier<PodResourcesListing> held,
      HostPaths places,
      PluginTrigger trigger,
      Optional<NodeLabeling> labels,
      Optional<NodeEventReporter> announcer,
      Clock clock) {
    var mps =
        new MpsSupervision(
            places.mpsProgram(), modes, clock, oneThread("mps"), trigger::healthChanged);
    return new NodePlugin(
        configuration,
        health,
        host::offer,
        new Publications(places.cdi(), System.getProperty("os.arch")),
        new MpsSharing(mps),
        new StaleAllocations(
            held, task -> Thread.ofVirtual().name("former-holders").start(task), own),
        labels,
        announcer,
        clock);
  }

  private static ExecutorService oneThread(String name) {
    return Executors.newSingleThreadExecutor(
        task -> Thread.ofPlatform().daemon().name(name).unstarted(task));
  }

  NodePlugin(
      Configuration configuration,
      DeviceHealth health,
      Consumer<Map<ResourceName, ResourceDevices>> kubelet,
      Publications publications,
      MpsSharing mps,
      StaleAllocations holders,
      Optional<NodeLabeling> labels,
      Optional<NodeEventReporter> announcer,
      Clock clock) {
    this.configuration = configuration;
    this.health = health;
    this.kubelet = kubelet;
    this.publications = publications;
    this.mps = mps;
    this.holders = holders;
    this.labels = labels;
    this.announcer = announcer;
    this.clock = clock;
  }

  /** Applies the settings if they have changed, and reports what is due. */
  public void tick() {
    Instant at = clock.instant();
    if (configuration.refresh(at)) {
      renew(at);
    } else {
      view.set(view.get().under(configuration.active()));
    }
    announcer.ifPresent(it -> it.tick(configuration.active(), at));
  }

  /** Offers the same devices again, as healthy as they are now. */
  public void healthChanged() {
    offer(false);
  }

  /** State after the last change; for any thread. */
  public PluginView view() {
    return view.get();
  }

  /** Offers what was polled. */
  public void polled(InventoryUpdate update) {
    switch (update) {
      case Polled poll -> {
        NodeInventory before = inventory;
        inventory = poll.inventory();
        if (driverDown != null) {
          int gpus = poll.inventory().gpus().size();
          log.info("device plugin: the driver reports {} GPU{}", gpus, gpus == 1 ? "" : "s");
        }
        driverDown = null;
        health.polled(poll);
        if (before != null) {
          InventoryChange.between(before, poll.inventory()).forEach(NodePlugin::logChange);
        }
      }
      case DriverDown(var reason) -> {
        if (!reason.equals(driverDown)) {
          log.warn("device plugin: no GPU can be allocated, the driver is down: {}", reason);
        }
        driverDown = reason;
        health.driverGone();
      }
    }
    renew(clock.instant());
  }

  private void renew(Instant at) {
    publish(at);
    offer(true);
    label(at);
  }

  private void publish(Instant at) {
    NodeInventory known = inventory;
    if (known != null && driverDown == null) {
      configuration
          .settings()
          .ifPresent(settings -> cdi = publications.publish(known, settings, at));
    }
  }

  private void label(Instant at) {
    NodeInventory known = inventory;
    if (known != null && driverDown == null) {
      configuration
          .settings()
          .ifPresent(
              settings -> labels.ifPresent(labeling -> labeling.keep(known, settings, offer, at)));
    }
  }

  private void offer(boolean lookForHolders) {
    NodeInventory known = inventory;
    Optional<PluginSettings> settings = configuration.settings();
    if (known == null || settings.isEmpty()) {
      show(Map.of());
      return;
    }
    List<String> before = offer.problems();
    offer = AdvertisedResources.of(known, settings.get().offer(), health::isHealthy, offer);
    offer.problems().stream()
        .filter(problem -> !before.contains(problem))
        .forEach(problem -> log.warn("device plugin: {}", problem));
    mps.keep(offer, known, settings.get().allocation().response().mpsRoot());
    if (holders.wereAskedFor()) {
      show(offerToKubelet(known, settings.get()));
    }
    if (lookForHolders) {
      holders.check(offer, () -> offer(false));
    }
  }

  /** Says why devices are held back, by their UUIDs. */
  private Map<String, AllocationBlocker> offerToKubelet(
      NodeInventory known, PluginSettings settings) {
    var there =
        new NodeEnvironment(
            file -> NodeDevices.has(settings.driver(), file),
            Set.copyOf(cdi.devices()),
            mps::down,
            holders.devices(offer),
            holders.unaccounted(offer));
    var blockers = new TreeMap<String, AllocationBlocker>();
    var offers = new HashMap<ResourceName, ResourceDevices>();
    offer
        .resources()
        .forEach(
            (name, resource) -> {
              var allocator =
                  new ResourceAllocator(resource, known.topology(), settings.allocation(), there);
              blockers.putAll(allocator.blockers());
              offers.put(name, new ResourceDevices(allocator.devices(), allocator));
            });
    kubelet.accept(offers);
    return blockers;
  }

  private void show(Map<String, AllocationBlocker> blockers) {
    var seen =
        new PluginView(
            configuration.active(), driverDown, offer, cdi, publications.writes(), blockers);
    view.set(seen);
    NodeInventory known = inventory;
    if (known != null && configuration.settings().isPresent()) {
      // Before that, no device is known to be healthy.
      announcer.ifPresent(it -> it.offered(seen, known, clock.instant()));
    }
  }

  private static void logChange(InventoryChange change) {
    switch (change) {
      case InventoryChange.Appeared(var gpu) -> log.info("GPU {} appeared", gpu);
      case InventoryChange.Removed(var gpu) -> log.warn("GPU {} is gone", gpu);
      case InventoryChange.Failed(var gpu, var reason) ->
          log.warn("GPU {} is not offered to new pods: {}", gpu, reason);
      case InventoryChange.Recovered(var gpu) -> log.info("GPU {} responds again", gpu);
      case InventoryChange.Repartitioned(var gpu, var profiles) ->
          log.info("GPU {} is partitioned into {}", gpu, profiles);
      case InventoryChange.ActionChanged(var gpu, var action) ->
          log.warn(
              "GPU {}: recovery action of the driver: {}",
              gpu,
              Objects.requireNonNullElse(action, "none reported"));
      case InventoryChange.DriverChanged(var before, var now) ->
          log.info("the driver changed from {} to {}", before, now);
    }
  }

  /** MPS ends, and issues are written. The kubelet has to get its last lists before. */
  @Override
  public void close() {
    mps.close();
    health.save();
  }
}
