package io.gpureclaimer.deviceplugin.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.time.ManualTime;
import io.gpureclaimer.common.vocabulary.ActivityField;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.deviceplugin.allocation.AdvertisedResource.ListedDevice;
import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.health.device.DeviceHealth;
import io.gpureclaimer.deviceplugin.health.device.HealthChecks;
import io.gpureclaimer.deviceplugin.health.device.HealthFile;
import io.gpureclaimer.deviceplugin.health.device.HealthPolicy;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing;
import io.gpureclaimer.deviceplugin.plugin.DeviceList.ResourceDevices;
import io.gpureclaimer.exporter.activity.ActivityRules;
import io.gpureclaimer.exporter.activity.DeviceObservation;
import io.gpureclaimer.exporter.activity.Ledger;
import io.gpureclaimer.exporter.collect.fields.GpmCollector;
import io.gpureclaimer.exporter.collect.fields.MemoryCollector;
import io.gpureclaimer.exporter.collect.fields.UtilizationCollector;
import io.gpureclaimer.exporter.collect.pass.SamplingPass;
import io.gpureclaimer.exporter.counters.ClassicCounters;
import io.gpureclaimer.exporter.exposition.text.SeriesStyle;
import io.gpureclaimer.exporter.exposition.text.SnapshotText;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.Snapshot;
import io.gpureclaimer.nvml.poll.GpuPoller;
import io.gpureclaimer.nvml.poll.GpuPoller.Deadlines;
import io.gpureclaimer.nvml.poll.GpuStatus;
import io.gpureclaimer.nvml.poll.InventoryUpdate;
import io.gpureclaimer.nvml.poll.KernelFiles;
import io.gpureclaimer.nvml.poll.NodeInventory;
import io.gpureclaimer.nvml.session.DriverSession;
import io.gpureclaimer.nvml.session.DriverThread;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The table of docs/faults.md: for each fault, which devices of one node have series in /metrics,
 * are observed by the ledger, and are offered to the kubelet as healthy, poll by poll. Each driver
 * of these tests runs it.
 */
@Timeout(120)
abstract class FaultAgreementContract {
  private static final Duration HUNG = Duration.ofSeconds(10);
  private static final Duration REFRESH = Duration.ofSeconds(10);
  private static final Duration QUIET = Duration.ofSeconds(40);
  private static final int NO_PERMISSION = 4;
  private static final int RESET_REQUIRED = 16;
  private static final int UNKNOWN = 999;
  private static final String[] INSTANCES = {"0/1", "0/3", "0/7", "0/8"};
  private static final Pattern SERIES =
      Pattern.compile("DCGM_FI_DEV_FB_FREE\\{.*?UUID=\"([^\"]+)\"(?:.*?GPU_I_ID=\"(\\d+)\")?.*");
  private static final Set<DcgmField> WANTED =
      Set.of(DcgmField.DEV_FB_FREE, DcgmField.DEV_GPU_UTIL, DcgmField.PROF_GR_ENGINE_ACTIVE);

  @TempDir private Path folder;
  private final ManualTime time = new ManualTime();
  private FaultyNode node;
  private final DriverThread thread = new DriverThread();
  private final GpuPoller poller =
      new GpuPoller(
          new DriverSession(
              () -> node.library(), thread, Duration.ofMinutes(1), Duration.ofNanos(1), time),
          thread,
          new KernelFiles(Path.of("/nonexistent")),
          new Deadlines(Duration.ofSeconds(2), Duration.ofMinutes(1), Duration.ZERO, QUIET, HUNG),
          REFRESH,
          true,
          List.of(),
          time,
          time);
  private final SamplingPass pass =
      new SamplingPass(
          List.of(new UtilizationCollector(), new MemoryCollector(), new GpmCollector()),
          poller,
          time);
  private final Ledger ledger =
      new Ledger(
          new ActivityRules(Set.of(ActivityField.GPU_UTIL, ActivityField.GR_ENGINE), 0, 0),
          Duration.ofSeconds(5));
  private final Map<String, Entity> names = new HashMap<>();

  /** By the index that each GPU had at first. */
  private final Map<GpuUuid, String> numbers = new HashMap<>();

  private Map<ResourceName, ResourceDevices> offered = Map.of();

  /** What the three say of the devices of the node after a poll. */
  private record View(Set<String> metrics, Set<String> ledger, Set<String> allocation) {}

  /** A node of eight healthy GPUs; GPU 0 has the MIG instances 1, 3, 7 and 8. */
  abstract FaultyNode node(Path folder, ManualTime time);

  @BeforeEach
  void begin() {
    node = node(folder, time);
    var health =
        new DeviceHealth(
            new HealthPolicy(HealthChecks.ALL, QUIET, false),
            new HealthFile(folder.resolve("health.json"), folder.resolve("boot_id")),
            time,
            () -> {});
    var clock = time.withZone(ZoneOffset.UTC);
    var plugin =
        new NodePlugin(
            Configuration.begin(
                Map.of("mig-strategy", "mixed"),
                Map.of(),
                SettingsSource.none(),
                true,
                time.instant()),
            health,
            offers -> offered = offers,
            new Publications(folder.resolve("cdi"), "amd64"),
            new MpsSharing(
                new MpsSupervision(
                    "/nothing", new InMemoryComputeModes(), time, new DirectThread(), () -> {})),
            new StaleAllocations(
                () -> new PodResourcesListing.Listed(List.of()), Runnable::run, Runnable::run),
            Optional.empty(),
            Optional.empty(),
            clock);
    poller.subscribe(this::learnNames);
    poller.subscribe(plugin::polled);
    plugin.tick();
    poll();
    poll();
    assertThat(poll()).isEqualTo(same(all()));
  }

  @AfterEach
  void end() {
    node.repair();
    thread.close();
  }

  @Test
  void lost() {
    node.lose(3);

    for (int poll = 0; poll < 12; poll++) {
      assertThat(poll()).isEqualTo(same(without("3")));
    }
  }

  @Test
  void healthyAgain() {
    node.lose(3);
    poll();
    node.repair();
    View first = poll();
    assertThat(first.metrics()).isEqualTo(all());
    assertThat(first.allocation()).isEqualTo(without("3"));

    // Allocation waits for the quiet time, as docs/device-plugin/health.md promises.
    for (Duration left = QUIET.plus(REFRESH); left.isPositive(); left = left.minusSeconds(1)) {
      poll();
    }
    assertThat(poll()).isEqualTo(same(all()));
  }

  @Test
  void lateAndThenHung() {
    node.hang(3);

    for (int second = 0; second < HUNG.toSeconds(); second++) {
      assertThat(poll()).isEqualTo(new View(without("3"), without("3"), all()));
    }
    for (int poll = 0; poll < 12; poll++) {
      assertThat(poll()).isEqualTo(same(without("3")));
    }
  }

  @Test
  void lateOnly() {
    node.hang(3);
    poll();
    node.repair();
    await().until(() -> !thread.hasHungCall());

    View back = poll();
    assertThat(back.metrics()).isEqualTo(all());
    assertThat(back.allocation()).isEqualTo(all());
  }

  @Test
  void refusedHandle() {
    node.refuseHandle(3, UNKNOWN);
    time.advance(REFRESH);

    for (int poll = 0; poll < 12; poll++) {
      assertThat(poll()).isEqualTo(same(without("3")));
    }
  }

  @Test
  void refusedInstance() {
    node.refuseInstance(1, NO_PERMISSION);
    time.advance(REFRESH);

    for (int poll = 0; poll < 12; poll++) {
      assertThat(poll()).isEqualTo(same(without("0/3")));
    }
  }

  @Test
  void missingFact() {
    node.failOfFirst("nvmlDeviceGetCudaComputeCapability", RESET_REQUIRED);
    time.advance(REFRESH);

    for (int poll = 0; poll < 12; poll++) {
      assertThat(poll()).isEqualTo(new View(all(), all(), without(INSTANCES)));
    }
  }

  @Test
  void missingMinorNumber() {
    node.unload();
    poll();
    node.failOfFirst("nvmlDeviceGetMinorNumber", UNKNOWN);
    node.load();
    poll();

    for (int poll = 0; poll < 12; poll++) {
      assertThat(poll()).isEqualTo(new View(all(), all(), without(INSTANCES)));
    }
  }

  @Test
  void missingMigList() {
    node.failOfFirst("nvmlDeviceGetMaxMigDeviceCount", UNKNOWN);
    time.advance(REFRESH);

    for (int poll = 0; poll < 12; poll++) {
      assertThat(poll()).isEqualTo(same(without(INSTANCES)));
    }
  }

  @Test
  void refusedReadings() {
    for (String function :
        List.of(
            "nvmlDeviceGetUtilizationRates",
            "nvmlDeviceGetMemoryInfo",
            "nvmlDeviceGetMemoryInfo_v2",
            "nvmlGpmSampleGet")) {
      node.failOfFirst(function, UNKNOWN);
    }
    Set<String> others = without(INSTANCES);

    for (int poll = 0; poll < 12; poll++) {
      assertThat(poll()).isEqualTo(new View(others, others, all()));
    }
  }

  @Test
  void driverGone() {
    node.unload();
    assertThat(poll()).isEqualTo(same(Set.of()));
    assertThat(poll()).isEqualTo(same(Set.of()));

    node.load();
    poll();
    assertThat(poll()).isEqualTo(same(all()));
  }

  @Test
  void partitionedAgain() {
    node.uniteInstances();
    poller.repartitioned(uuid("0"));
    Set<String> now = new TreeSet<>(without(INSTANCES));
    now.add("0/0");

    View first = poll();
    assertThat(first.metrics()).isEqualTo(now);
    assertThat(first.allocation()).isEqualTo(now);
    for (int poll = 0; poll < 12; poll++) {
      assertThat(poll()).isEqualTo(same(now));
    }
  }

  @Test
  void removed() {
    node.remove(7);
    poll();

    for (int poll = 0; poll < 12; poll++) {
      assertThat(poll()).isEqualTo(same(without("7")));
    }
  }

  private View poll() {
    time.advance(Duration.ofSeconds(1));
    var sweep = pass.run(WANTED);
    Map<Entity, List<Holder>> holders =
        names.values().stream()
            .distinct()
            .collect(Collectors.toMap(it -> it, _ -> List.of(new Holder("ml", "a", "b", null))));
    var snapshot =
        new Snapshot(
            time.instant(), "node-a", sweep.driver(), sweep.gpus(), holders, sweep.report());
    return new View(
        metrics(snapshot),
        ledger.observe(snapshot).stream()
            .filter(it -> it.until().equals(time.instant()))
            .map(DeviceObservation::device)
            .map(this::shown)
            .collect(Collectors.toCollection(TreeSet::new)),
        allocation());
  }

  /** Devices with series; a GPU that has MIG instances is not a device itself. */
  private Set<String> metrics(Snapshot snapshot) {
    String text =
        new String(
            new SnapshotText(SeriesStyle.CLASSIC)
                .render(snapshot, ClassicCounters.set(), List.of(), new byte[0])
                .toByteArray(),
            UTF_8);
    Set<Entity> found = new HashSet<>();
    text.lines()
        .map(SERIES::matcher)
        .filter(Matcher::matches)
        .forEach(
            series -> {
              var gpu = new GpuUuid(series.group(1));
              String instance = series.group(2);
              found.add(
                  instance == null
                      ? Entity.whole(gpu)
                      : Entity.instance(gpu, Integer.parseInt(instance)));
            });
    return found.stream()
        .filter(it -> it.instanceId().isPresent() || !isDivided(it.gpu()))
        .map(this::shown)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private boolean isDivided(GpuUuid gpu) {
    return names.values().stream()
        .anyMatch(it -> it.gpu().equals(gpu) && it.instanceId().isPresent());
  }

  private Set<String> allocation() {
    return offered.values().stream()
        .flatMap(it -> it.devices().stream())
        .filter(ListedDevice::healthy)
        .map(it -> Objects.requireNonNull(names.get(it.id())))
        .map(this::shown)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private void learnNames(InventoryUpdate update) {
    if (update instanceof InventoryUpdate.Polled(NodeInventory inventory, _, _)) {
      for (GpuStatus gpu : inventory.gpus()) {
        var facts = gpu.lastKnown();
        if (facts != null) {
          var uuid = facts.gpu().uuid();
          names.putIfAbsent(uuid.value(), Entity.whole(uuid));
          numbers.putIfAbsent(uuid, Integer.toString(gpu.index()));
          facts
              .instances()
              .forEach(it -> names.put(it.uuid(), Entity.instance(uuid, it.gpuInstance())));
        }
      }
    }
  }

  private GpuUuid uuid(String number) {
    return numbers.entrySet().stream()
        .filter(it -> it.getValue().equals(number))
        .findFirst()
        .orElseThrow()
        .getKey();
  }

  private String shown(Entity device) {
    String gpu = Objects.requireNonNull(numbers.get(device.gpu()));
    return device.instanceId().map(id -> gpu + "/" + id).orElse(gpu);
  }

  private static Set<String> all() {
    return new TreeSet<>(List.of("0/1", "0/3", "0/7", "0/8", "1", "2", "3", "4", "5", "6", "7"));
  }

  private static Set<String> without(String... devices) {
    Set<String> others = all();
    others.removeAll(List.of(devices));
    return others;
  }

  private static View same(Set<String> devices) {
    return new View(devices, devices, devices);
  }
}
