package io.gpureclaimer.deviceplugin.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.retry.Backoff;
import io.gpureclaimer.deviceplugin.allocation.AdvertisedResource.ListedDevice;
import io.gpureclaimer.deviceplugin.allocation.Allocation;
import io.gpureclaimer.deviceplugin.allocation.AllocationBlocker;
import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.health.device.DeviceHealth;
import io.gpureclaimer.deviceplugin.health.device.HealthChecks;
import io.gpureclaimer.deviceplugin.health.device.HealthFile;
import io.gpureclaimer.deviceplugin.health.device.HealthPolicy;
import io.gpureclaimer.deviceplugin.kubelet.ContainerDevice;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing;
import io.gpureclaimer.deviceplugin.nodeevents.EventPost;
import io.gpureclaimer.deviceplugin.nodeevents.EventSink;
import io.gpureclaimer.deviceplugin.nodeevents.NodeEvent;
import io.gpureclaimer.deviceplugin.plugin.DeviceList.ResourceDevices;
import io.gpureclaimer.nvml.ComputeMode;
import io.gpureclaimer.nvml.DriverEvent;
import io.gpureclaimer.nvml.poll.InventoryUpdate;
import io.gpureclaimer.nvml.poll.PolledTestNode;
import io.gpureclaimer.simulator.Fault;
import io.gpureclaimer.simulator.GpuScript;
import io.gpureclaimer.simulator.MigLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodePluginTest {
  private static final Duration POLL_AFTER = Duration.ofSeconds(10);
  private static final ResourceName GPU = new ResourceName("nvidia.com/gpu");

  @TempDir Path folder;
  private final List<Map<ResourceName, ResourceDevices>> reported = new ArrayList<>();
  private final FakeSource source = FakeSource.of("version: v1");
  private final Map<String, String> options = new HashMap<>();
  private Instant now = Instant.parse("2026-11-22T00:00:00Z");
  private final InstantSource time = () -> now;
  private final InMemoryComputeModes modes = new InMemoryComputeModes();
  private PodResourcesListing listing = new PodResourcesListing.Listed(List.of());
  private int asked;
  private Executor aside = Runnable::run;
  private boolean strict = true;
  private Instant nextPoll = Instant.MIN;
  private Optional<NodeEventReporter> announcer = Optional.empty();
  private PolledTestNode node;
  private DeviceHealth health;

  @BeforeEach
  void make() {
    node = new PolledTestNode("t4x4", folder);
    health =
        new DeviceHealth(
            new HealthPolicy(HealthChecks.ALL, Duration.ofMinutes(1), false),
            new HealthFile(folder.resolve("health.json"), folder.resolve("boot_id")),
            time,
            () -> {});
  }

  @Test
  void offersEveryGpu_whenAllAreWell() {
    NodePlugin plugin = plugin("h100x8");

    run(plugin);

    assertThat(offered()).isEqualTo(Map.of("nvidia.com/gpu", "8 of 8 healthy"));
    assertThat(plugin.view().blockers()).isEmpty();
    assertThat(plugin.view().driverDown()).isNull();
  }

  @Test
  void offersTheOtherSeven_whenOneGpuIsLost() {
    NodePlugin plugin = plugin("h100x8");
    run(plugin);
    String lost = ids().get(3);

    node.play(GpuScript.broken(3, Fault.LOST));
    nextPoll(plugin);

    assertThat(offered()).isEqualTo(Map.of("nvidia.com/gpu", "7 of 8 healthy"));
    assertThat(allocate(lost)).isInstanceOf(Allocation.Refused.class);
    ids().stream()
        .filter(id -> !id.equals(lost))
        .forEach(id -> assertThat(allocate(id)).isInstanceOf(Allocation.Granted.class));
  }

  @Test
  void offersAsHealthyAsItIs_whenADeviceFellIllBetweenSurveys() {
    NodePlugin plugin = plugin("h100x8");
    run(plugin);

    health.happened(new DriverEvent.Xid(node.uuids().get(2), 79, OptionalInt.empty()));
    plugin.healthChanged();

    assertThat(offered()).isEqualTo(Map.of("nvidia.com/gpu", "7 of 8 healthy"));
  }

  @Test
  void offersNothingAsHealthy_whenTheDriverIsGone() {
    NodePlugin plugin = plugin("t4x4");
    run(plugin);

    node.driver.unload();
    nextPoll(plugin);

    assertThat(offered()).isEqualTo(Map.of("nvidia.com/gpu", "0 of 4 healthy"));
    assertThat(plugin.view().driverDown())
        .isEqualTo("nvmlDeviceGetCount_v2: driver not loaded (code 9)");
  }

  @Test
  void offersEveryGpuAtTheNextLook_whenTheDriverIsBack() {
    NodePlugin plugin = plugin("t4x4");
    run(plugin);
    node.driver.unload();
    nextPoll(plugin);

    node.driver.load("570.86.10");
    later(Duration.ofSeconds(1));
    run(plugin);

    assertThat(offered()).isEqualTo(Map.of("nvidia.com/gpu", "4 of 4 healthy"));
    assertThat(plugin.view().driverDown()).isNull();
  }

  @Test
  void refusesNothing_inAThousandAllocationsWithOneGpuOfEightLost() {
    NodePlugin plugin = plugin("h100x8");
    run(plugin);
    node.play(GpuScript.broken(5, Fault.LOST));
    nextPoll(plugin);
    var chance = new Random(1);
    ResourceDevices offer = offer();
    var healthy =
        offer.devices().stream()
            .filter(ListedDevice::healthy)
            .map(ListedDevice::id)
            .collect(Collectors.toSet());

    for (int i = 0; i < 1_000; i++) {
      var chosen = offer.allocator().prefer(healthy, Set.of(), 1 + chance.nextInt(7));
      assertThat(chosen).isNotEmpty();
      assertThat(offer.allocator().allocate(chosen)).isInstanceOf(Allocation.Granted.class);
    }
  }

  @Test
  void saysNothingToTheKubelet_beforeTheDriverHasAnsweredOnce() {
    NodePlugin plugin = plugin("t4x4");
    node.driver.unload();

    run(plugin);

    assertThat(reported).isEmpty();
    assertThat(plugin.view().driverDown()).isEqualTo("nvmlInit_v2: driver not loaded (code 9)");
  }

  @Test
  void offersAnEmptyList_whenAResourceVanishes() {
    options.put("mig-strategy", "mixed");
    NodePlugin plugin = plugin("h100x8-mig");
    run(plugin);
    assertThat(offered()).isEqualTo(Map.of("nvidia.com/mig-1g.10gb", "56 of 56 healthy"));

    GpuScript[] whole = new GpuScript[8];
    for (int index = 0; index < whole.length; index++) {
      whole[index] = GpuScript.idle(index).with(new MigLayout(false, List.of()));
    }
    node.play(whole);
    nextPoll(plugin);

    assertThat(offered())
        .isEqualTo(
            Map.of("nvidia.com/mig-1g.10gb", "0 of 0 healthy", "nvidia.com/gpu", "8 of 8 healthy"));
  }

  @Test
  void appliesAnEditOfTheConfigurationAtOnce_andKeepsTheOldOneWhenItIsBad() {
    NodePlugin plugin = plugin("t4x4");
    run(plugin);

    source.write("sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 10}]}}");
    run(plugin);
    assertThat(offered()).isEqualTo(Map.of("nvidia.com/gpu", "40 of 40 healthy"));

    source.write("sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 1}]}}");
    run(plugin);
    assertThat(offered()).isEqualTo(Map.of("nvidia.com/gpu", "40 of 40 healthy"));
    assertThat(plugin.view().configuration().problems()).hasSize(1);
  }

  @Test
  void noPodIsGivenAGpu_whileAPodHoldsAShareOfItFromAnEarlierConfiguration() {
    source.write("sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}");
    NodePlugin plugin = plugin("t4x4");
    run(plugin);
    String share = ids().getFirst();
    String gpu = share.substring(0, share.indexOf("::"));

    listing = held(share);
    source.write("version: v1");
    run(plugin);
    assertThat(offered()).isEqualTo(Map.of("nvidia.com/gpu", "3 of 4 healthy"));
    assertThat(plugin.view().blockers().get(gpu))
        .extracting(AllocationBlocker::kind)
        .isEqualTo(AllocationBlocker.BlockerKind.HELD);
    assertThat(allocate(gpu)).isInstanceOf(Allocation.Refused.class);
    plugin.healthChanged();
    assertThat(offered()).isEqualTo(Map.of("nvidia.com/gpu", "3 of 4 healthy"));

    listing = new PodResourcesListing.Listed(List.of());
    nextPoll(plugin);
    assertThat(offered()).isEqualTo(Map.of("nvidia.com/gpu", "4 of 4 healthy"));
  }

  @Test
  void noPodIsGivenAShare_whileAPodHoldsTheWholeGpuSinceBeforeTheAgentWasStarted() {
    listing = held(new PolledTestNode("t4x4", folder).uuids().getFirst().value());
    source.write("sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}");
    NodePlugin plugin = plugin("t4x4");

    run(plugin);

    assertThat(offered()).isEqualTo(Map.of("nvidia.com/gpu", "12 of 16 healthy"));
  }

  @Test
  void noPodIsGivenAPartOfAGpu_whileAPodHoldsItSinceItWasWhole() {
    options.put("mig-strategy", "mixed");
    NodePlugin plugin = plugin("h100x8");
    run(plugin);
    listing = held(ids().getFirst());

    node.play(GpuScript.idle(0).with(MigLayout.of(List.of("3g.40gb", "3g.40gb"))));
    nextPoll(plugin);

    assertThat(offered())
        .isEqualTo(
            Map.of("nvidia.com/gpu", "7 of 7 healthy", "nvidia.com/mig-3g.40gb", "0 of 2 healthy"));
  }

  @Test
  void asksWhoHoldsDevices_untilTheKubeletAnswers_andThenOnlyAfterAChange() {
    listing = new PodResourcesListing.Failed("unavailable", "no listener");
    NodePlugin plugin = plugin("t4x4");
    run(plugin);
    nextPoll(plugin);
    assertThat(asked).isEqualTo(2);

    listing = new PodResourcesListing.Listed(List.of());
    nextPoll(plugin);
    nextPoll(plugin);
    nextPoll(plugin);
    assertThat(asked).isEqualTo(4);

    source.write("sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}");
    run(plugin);
    nextPoll(plugin);
    nextPoll(plugin);
    assertThat(asked).isEqualTo(6);
  }

  @Test
  void whoGotADeviceWhileTheKubeletMadeItsList_isSeenWithTheNextLook() {
    NodePlugin plugin = plugin("t4x4");
    run(plugin);
    nextPoll(plugin);
    String gpu = ids().getFirst();
    source.write("sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}");
    run(plugin);

    listing = held(gpu);
    nextPoll(plugin);

    assertThat(offered()).isEqualTo(Map.of("nvidia.com/gpu", "12 of 16 healthy"));
  }

  @Test
  void waitsForTheKubeletsFirstAnswer_andOffersAsBeforeWhenThereIsNone() {
    var questions = new ArrayDeque<Runnable>();
    aside = questions::add;
    listing = new PodResourcesListing.Failed("deadline_exceeded", "the kubelet hangs");
    NodePlugin plugin = plugin("t4x4");
    run(plugin);
    plugin.healthChanged();
    assertThat(reported).isEmpty();

    questions.remove().run();

    assertThat(offered()).isEqualTo(Map.of("nvidia.com/gpu", "4 of 4 healthy"));
  }

  @Test
  void reportsHealthToTheKubelet_whileTheKubeletDoesNotReportAllocations() {
    NodePlugin plugin = plugin("t4x4");
    run(plugin);
    var questions = new ArrayDeque<Runnable>();
    aside = questions::add;

    source.write("sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}");
    run(plugin);
    assertThat(offered()).isEqualTo(Map.of("nvidia.com/gpu", "0 of 16 healthy"));
    health.happened(new DriverEvent.Xid(node.uuids().get(2), 79, OptionalInt.empty()));
    plugin.healthChanged();
    questions.remove().run();

    assertThat(offered()).isEqualTo(Map.of("nvidia.com/gpu", "12 of 16 healthy"));
  }

  @Test
  void noPodIsGivenWhatIsOfferedOtherwise_untilTheKubeletReportsWhoHoldsIt() {
    NodePlugin plugin = plugin("t4x4");
    run(plugin);
    String gpu = ids().getFirst();

    listing = new PodResourcesListing.Failed("unavailable", "no listener");
    source.write(
        "sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, devices: [0], replicas: 4}]}}");
    run(plugin);
    assertThat(offered()).isEqualTo(Map.of("nvidia.com/gpu", "3 of 7 healthy"));
    assertThat(plugin.view().blockers().get(gpu))
        .extracting(AllocationBlocker::kind)
        .isEqualTo(AllocationBlocker.BlockerKind.HELD);
    assertThat(allocate(gpu + "::0")).isInstanceOf(Allocation.Refused.class);

    listing = new PodResourcesListing.Listed(List.of());
    nextPoll(plugin);
    assertThat(offered()).isEqualTo(Map.of("nvidia.com/gpu", "7 of 7 healthy"));
  }

  @Test
  void whatIsOfferedOtherwiseIsGiven_whereTheKubeletHasNeverReportedWhoHoldsWhat() {
    listing = new PodResourcesListing.Failed("unavailable", "no such socket");
    NodePlugin plugin = plugin("t4x4");
    run(plugin);

    source.write("sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}");
    run(plugin);

    assertThat(offered()).isEqualTo(Map.of("nvidia.com/gpu", "16 of 16 healthy"));
  }

  @Test
  void aGpuThatIsNewIsOffered_whateverTheKubeletReports() {
    NodePlugin plugin = plugin("t4x4");
    node.play(GpuScript.broken(3, Fault.GONE));
    run(plugin);
    assertThat(offered()).isEqualTo(Map.of("nvidia.com/gpu", "3 of 3 healthy"));

    listing = new PodResourcesListing.Failed("unavailable", "no listener");
    node.play();
    nextPoll(plugin);

    assertThat(offered()).isEqualTo(Map.of("nvidia.com/gpu", "4 of 4 healthy"));
  }

  @Test
  void reportsWhatIsUnhealthyAtTheStart_whenItsConfigurationComesALittleLater() {
    GpuUuid ill = node.uuids().get(2);
    health.happened(new DriverEvent.Xid(ill, 79, OptionalInt.empty()));
    var events = new ArrayList<NodeEvent>();
    announcer =
        Optional.of(
            new NodeEventReporter(
                health,
                new NodeEventReporter.Channels(
                    Optional.of(post(events)), Optional.empty(), Optional.empty()),
                Runnable::run));
    strict = false;
    source.fail("the API server has not answered yet");
    NodePlugin plugin = plugin("t4x4");
    run(plugin);
    assertThat(reported).isEmpty();

    later(Duration.ofSeconds(1));
    source.recover();
    run(plugin);
    nextPoll(plugin);

    assertThat(events)
        .singleElement()
        .satisfies(event -> assertThat(event.message()).contains(ill.value(), "XID 79"));
  }

  @Test
  void offersNoGpuThroughCdi_whileNoSpecificationCanBeWritten() throws IOException {
    options.put("device-list-strategy", "cdi-cri");
    options.put("driver-root-ctr-path", driver().toString());
    Path cdi = Files.writeString(folder.resolve("cdi"), "a file where the folder should be");
    NodePlugin plugin = plugin("t4x4");

    run(plugin);
    assertThat(offered()).isEqualTo(Map.of("nvidia.com/gpu", "0 of 4 healthy"));
    assertThat(plugin.view().blockers().values())
        .extracting(AllocationBlocker::kind)
        .containsOnly(AllocationBlocker.BlockerKind.CDI)
        .hasSize(4);
    assertThat(Set.copyOf(plugin.view().blockers().values()))
        .as("what they have in common is reported once")
        .hasSize(1);
    assertThat(plugin.view().cdi().problems()).anyMatch(it -> it.contains("is not a folder"));
    assertThat(plugin.view().cdiWrites()).isEqualTo(new CdiWrites(0, 1, null));
    assertThat(allocate(ids().getFirst()))
        .isInstanceOfSatisfying(
            Allocation.Refused.class,
            refused -> assertThat(refused.reason()).contains("its CDI device is missing"));

    Files.delete(cdi);
    nextPoll(plugin);
    assertThat(offered()).isEqualTo(Map.of("nvidia.com/gpu", "4 of 4 healthy"));
    assertThat(plugin.view().cdiWrites()).isEqualTo(new CdiWrites(1, 1, now));
    assertThat(plugin.view().blockers()).isEmpty();
  }

  @Test
  void offersNoShareOfMps_whileItsDaemonCannotBeStarted() {
    source.write(
        "flags: {mpsRoot: "
            + folder.resolve("mps")
            + "}\nsharing: {mps: {resources: [{name: nvidia.com/gpu, replicas: 4, devices: 2}]}}");
    NodePlugin plugin = plugin("t4x4");

    run(plugin);

    assertThat(offered()).isEqualTo(Map.of("nvidia.com/gpu", "2 of 10 healthy"));
    assertThat(plugin.view().blockers().values())
        .extracting(AllocationBlocker::kind)
        .containsOnly(AllocationBlocker.BlockerKind.MPS)
        .hasSize(2);
  }

  @Test
  void givesGpusBack_whenAnEditOfTheConfigurationTakesMpsOut() throws IOException {
    shareByMps();
    NodePlugin plugin = plugin("t4x4");
    run(plugin);
    assertThat(modes.modes.values()).containsOnly(ComputeMode.EXCLUSIVE_PROCESS).hasSize(4);

    source.write("version: v1");
    run(plugin);

    assertThat(modes.modes.values()).containsOnly(ComputeMode.DEFAULT).hasSize(4);
    assertThat(offered()).isEqualTo(Map.of("nvidia.com/gpu", "4 of 4 healthy"));
  }

  @Test
  void leavesALostGpuToItself_whileTheOthersAreShared() throws IOException {
    shareByMps();
    NodePlugin plugin = plugin("t4x4");
    run(plugin);
    GpuUuid lost = node.uuids().get(1);

    node.play(GpuScript.broken(1, Fault.LOST));
    nextPoll(plugin);
    assertThat(modes.modes)
        .containsEntry(lost, ComputeMode.DEFAULT)
        .containsEntry(node.uuids().get(0), ComputeMode.EXCLUSIVE_PROCESS);
  }

  /** So that whatever brings the offer about is as in the program, without its threads. */
  private NodePlugin plugin(String profile) {
    node = new PolledTestNode(profile, folder);
    var care = new MpsSupervision("/nothing", modes, time, new DirectThread(), () -> {});
    return new NodePlugin(
        Configuration.begin(options, Map.of(), source, strict, now),
        health,
        reported::add,
        new Publications(folder.resolve("cdi"), "amd64"),
        new MpsSharing(care),
        new StaleAllocations(this::listing, task -> aside.execute(task), Runnable::run),
        Optional.empty(),
        announcer,
        time.withZone(ZoneOffset.UTC));
  }

  private PodResourcesListing listing() {
    asked++;
    return listing;
  }

  private static PodResourcesListing held(String id) {
    return new PodResourcesListing.Listed(
        List.of(new ContainerDevice("research", "train", "main", "nvidia.com/gpu", id)));
  }

  private static EventPost post(List<NodeEvent> events) {
    EventSink sink =
        new EventSink() {
          @Override
          public Delivery write(NodeEvent event) {
            events.add(event);
            return new Delivery.Delivered();
          }

          @Override
          public String target() {
            return "a list";
          }
        };
    return new EventPost(
        sink, new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1), () -> 0.5));
  }

  /** One second of the plugin; the GPUs are polled when it is time, or the driver was down. */
  private void run(NodePlugin plugin) {
    plugin.tick();
    if (!now.isBefore(nextPoll)) {
      InventoryUpdate update = node.poll();
      nextPoll = update instanceof InventoryUpdate.DriverDown ? now : now.plus(POLL_AFTER);
      plugin.polled(update);
    }
  }

  private static final String DRIVER = "550.54.15";

  /** As much of a driver's files as CDI needs. */
  private Path driver() throws IOException {
    Path libraries = folder.resolve("root/usr/lib/x86_64-linux-gnu");
    Files.createDirectories(libraries);
    for (String library : List.of("libcuda.so.", "libnvidia-ml.so.")) {
      Files.writeString(libraries.resolve(library + DRIVER), "a library");
    }
    return folder.resolve("root");
  }

  /** All GPUs, with a folder in which MPS can work. */
  private void shareByMps() throws IOException {
    Path mps = Files.createDirectory(folder.resolve("mps"));
    Files.createSymbolicLink(mps.resolve("shm"), Path.of("/dev/shm"));
    source.write(
        "flags: {mpsRoot: "
            + mps
            + "}\nsharing: {mps: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}");
  }

  private void nextPoll(NodePlugin plugin) {
    later(POLL_AFTER);
    run(plugin);
  }

  private void later(Duration duration) {
    now = now.plus(duration);
  }

  private Map<String, String> offered() {
    var summary = new TreeMap<String, String>();
    reported
        .getLast()
        .forEach(
            (name, offer) ->
                summary.put(
                    name.value(),
                    offer.devices().stream().filter(ListedDevice::healthy).count()
                        + " of "
                        + offer.devices().size()
                        + " healthy"));
    return summary;
  }

  private ResourceDevices offer() {
    return Optional.ofNullable(reported.getLast().get(GPU)).orElseThrow();
  }

  private List<String> ids() {
    return offer().devices().stream().map(ListedDevice::id).toList();
  }

  private Allocation allocate(String id) {
    return offer().allocator().allocate(List.of(id));
  }
}
