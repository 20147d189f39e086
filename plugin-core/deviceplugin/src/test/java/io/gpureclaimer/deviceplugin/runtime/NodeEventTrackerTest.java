package io.gpureclaimer.deviceplugin.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gpureclaimer.deviceplugin.allocation.AdvertisedResources;
import io.gpureclaimer.deviceplugin.allocation.AllocationBlocker;
import io.gpureclaimer.deviceplugin.cdi.CdiReport;
import io.gpureclaimer.deviceplugin.config.PluginSettings;
import io.gpureclaimer.deviceplugin.health.device.DeviceHealth;
import io.gpureclaimer.deviceplugin.health.device.HealthChecks;
import io.gpureclaimer.deviceplugin.health.device.HealthFile;
import io.gpureclaimer.deviceplugin.health.device.HealthPolicy;
import io.gpureclaimer.deviceplugin.nodeevents.NodeEvent;
import io.gpureclaimer.deviceplugin.nodehealth.NodeHealth;
import io.gpureclaimer.deviceplugin.nodehealth.NodeHealth.UnhealthyStatus;
import io.gpureclaimer.nvml.DriverEvent;
import io.gpureclaimer.nvml.poll.InventoryUpdate.Polled;
import io.gpureclaimer.nvml.poll.PolledTestNode;
import io.gpureclaimer.simulator.Fault;
import io.gpureclaimer.simulator.GpuScript;
import io.gpureclaimer.simulator.MigLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeEventTrackerTest {
  private static final Duration QUIET = Duration.ofMinutes(1);
  private static final Instant START = Instant.parse("2026-11-22T12:00:00Z");

  private static final PluginSettings MIXED =
      Configuration.begin(
              Map.of("mig-strategy", "mixed"), Map.of(), SettingsSource.none(), true, START)
          .settings()
          .orElseThrow();

  @TempDir Path folder;
  private Instant now = START;
  private Configuration.ActiveConfiguration standing =
      new Configuration.ActiveConfiguration("a.yaml", null, now, List.of());
  private PolledTestNode node;
  private DeviceHealth health;
  private NodeEventTracker announcements;
  private AdvertisedResources offer = AdvertisedResources.NOTHING;
  private Map<String, AllocationBlocker> blockers = Map.of();
  private @Nullable String driverDown;
  private NodeEventTracker.DueEvents due = new NodeEventTracker.DueEvents(List.of(), List.of());

  @BeforeEach
  void make() {
    begin("t4x4");
  }

  @Test
  void reportsThatADeviceIsUnhealthy_onceAndOnceThatItIsNot() {
    raise(2, 74);
    assertThat(after(Duration.ofSeconds(9))).isEmpty();
    String what = "XID 74: NVLink error";

    assertThat(after(Duration.ofSeconds(1)))
        .containsExactly(
            new NodeEvent(
                "GpuUnhealthy",
                true,
                "No new pod gets " + gpu(2) + ": " + what,
                START.toString(),
                START.plusSeconds(10)));
    assertThat(after(QUIET)).isEmpty();
    assertThat(after(QUIET)).isEmpty();
    assertThat(after(Duration.ofSeconds(10)))
        .containsExactly(
            new NodeEvent(
                "GpuHealthy",
                false,
                "New pods get " + gpu(2) + " again, of which this is over: " + what,
                START.toString(),
                now));
    assertThat(after(QUIET)).isEmpty();
  }

  @Test
  void reportsAllPartsOfAGpuInOneEvent() {
    begin("h100x8-mig");
    raise(0, 79);

    assertThat(after(Duration.ofSeconds(10)))
        .singleElement()
        .satisfies(
            event ->
                assertThat(event.message())
                    .startsWith("No new pod gets these 7 devices: GPU 0:0 (MIG-")
                    .endsWith("): XID 79: GPU has fallen off the bus"));
  }

  @Test
  void reportsNothing_ofWhatIsOverAtOnce() {
    blockers =
        Map.of(
            node.uuids().getFirst().value(),
            new AllocationBlocker(AllocationBlocker.BlockerKind.MPS, "its daemon is down"));
    after(Duration.ZERO);
    assertThat(after(Duration.ofSeconds(9))).isEmpty();

    blockers = Map.of();

    assertThat(after(Duration.ofSeconds(1))).isEmpty();
    assertThat(after(Duration.ofSeconds(20))).isEmpty();
  }

  @Test
  void reportsAllDevicesInOneEvent_whenTheDriverIsDown_andNoneLeftOut() {
    begin("h100x8-mig");
    driverDown = "no driver";
    after(Duration.ZERO);

    assertThat(after(Duration.ofSeconds(10)))
        .singleElement()
        .satisfies(
            event ->
                assertThat(event.message())
                    .startsWith("No new pod gets these 56 devices: ")
                    .endsWith(" and 48 more: the driver is down: no driver"));
  }

  @Test
  void reportsThatAGpuIsGone_andThatItIsBack() {
    String gone = gpu(3);
    node.play(GpuScript.broken(3, Fault.GONE));
    after(Duration.ZERO);

    assertThat(after(Duration.ofSeconds(10)))
        .extracting(NodeEvent::message)
        .containsExactly("No new pod gets " + gone + ": it is no longer on the node");

    node.play();
    after(Duration.ZERO);
    assertThat(after(Duration.ofSeconds(10)))
        .extracting(NodeEvent::reason)
        .containsExactly("GpuHealthy");
  }

  @Test
  void reportsNothing_ofPartsThatAGpuIsNoLongerDividedInto() {
    begin("h100x8-mig");
    raise(0, 79);
    assertThat(after(Duration.ofSeconds(10))).hasSize(1);

    node.play(GpuScript.idle(0).with(new MigLayout(false, List.of())));
    after(Duration.ZERO);

    assertThat(after(Duration.ofSeconds(10)))
        .extracting(NodeEvent::reason)
        .containsExactly("GpuUnhealthy"); // of the whole GPU, which is offered now
  }

  @Test
  void reportsThatAConfigurationIsRefused_andThatAnotherOneIsInForce() {
    standing =
        new Configuration.ActiveConfiguration(
            "a.yaml", null, START, List.of("migStrategy is wrong"));
    after(Duration.ofSeconds(1));

    assertThat(after(Duration.ofSeconds(10)))
        .containsExactly(
            new NodeEvent(
                "DevicePluginConfigRejected",
                true,
                "migStrategy is wrong; a.yaml stays in force",
                START.plusSeconds(1).toString(),
                now));

    standing = new Configuration.ActiveConfiguration("b.yaml", null, now, List.of());
    after(Duration.ZERO);
    assertThat(after(Duration.ofSeconds(10)))
        .extracting(NodeEvent::reason, NodeEvent::message)
        .containsExactly(tuple("DevicePluginConfigInForce", "b.yaml is in force"));
  }

  @Test
  void reportsOnlyWhatIsUnhealthyNow_inTheSameWordsAfterARestart() {
    raise(2, 74);
    List<NodeEvent> first = after(Duration.ofSeconds(10));
    assertThat(first).hasSize(1);

    restart();
    after(Duration.ZERO);

    assertThat(after(Duration.ofSeconds(10)))
        .as("the same Event, which the API server has already")
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("at")
        .isEqualTo(first);
    assertThat(after(Duration.ofSeconds(20))).isEmpty();
  }

  @Test
  void reportsNothing_whenAllIsHealthyAfterARestart() {
    driverDown = "no driver";
    after(Duration.ZERO);
    assertThat(after(Duration.ofSeconds(10))).hasSize(1);

    restart();
    driverDown = null;
    after(Duration.ZERO);

    assertThat(after(Duration.ofSeconds(10))).isEmpty();
    assertThat(after(Duration.ofSeconds(20))).isEmpty();
  }

  @Test
  void theConditionFollows_withNamesAndReasons() {
    assertThat(health()).contains(allHealthy());

    raise(2, 74);
    assertThat(health()).as("not settled: what was said stays").isEmpty();
    after(Duration.ofSeconds(10));
    assertThat(health())
        .contains(
            new NodeHealth(
                UnhealthyStatus.TRUE,
                "GpusUnhealthy",
                "1 of 4 unhealthy: " + gpu(2) + ": XID 74: NVLink error"));

    after(QUIET);
    after(QUIET);
    assertThat(health()).as("over, but not for long enough").isPresent();
    after(Duration.ofSeconds(10));
    assertThat(health()).contains(allHealthy());
  }

  @Test
  void theConditionIsNotFalseForAMoment_afterARestartWithAnUnhealthyGpu() {
    raise(2, 74);
    after(Duration.ofSeconds(10));
    restart();
    assertThat(health()).isEmpty();

    after(Duration.ZERO);
    assertThat(health()).isEmpty();
    after(Duration.ofSeconds(10));
    assertThat(health()).map(NodeHealth::status).contains(UnhealthyStatus.TRUE);
  }

  @Test
  void theConditionIsTrueForAGpuThatIsGone_andForAllWithoutADriver() {
    node.play(GpuScript.broken(3, Fault.GONE));
    after(Duration.ZERO);
    after(Duration.ofSeconds(10));
    assertThat(health()).map(NodeHealth::message).get().asString().startsWith("1 of 4 unhealthy");

    driverDown = "no driver";
    after(Duration.ZERO);
    after(Duration.ofSeconds(10));
    assertThat(health()).map(NodeHealth::message).get().asString().startsWith("4 of 4 unhealthy");
  }

  /** A driver that has not answered since the start: nothing is known. */
  @Test
  void theConditionIsUnknown_neverFalse_whileNoGpuWasRead() {
    announcements = new NodeEventTracker(health::condition);
    assertThat(health()).isEmpty();
    now = now.plusSeconds(29);
    assertThat(health()).isEmpty();
    now = now.plusSeconds(1);

    assertThat(health()).map(NodeHealth::status).contains(UnhealthyStatus.UNKNOWN);
  }

  @Test
  void theConditionIsFalse_whileHealthyGpusAreOnlyHeldBack() {
    blockers =
        Map.of(
            node.uuids().getFirst().value(),
            new AllocationBlocker(AllocationBlocker.BlockerKind.HELD, "a container holds it"));
    after(Duration.ZERO);

    assertThat(after(Duration.ofSeconds(10))).hasSize(1);
    assertThat(health()).contains(allHealthy());
    assertThat(due.holders()).isEmpty();
  }

  @Test
  void reportsTheHoldersOfEachGpu_thatItIsUnhealthy_andThatItIsNot() {
    raise(2, 74);
    after(Duration.ofSeconds(10));
    String uuid = node.uuids().get(2).value();

    assertThat(due.holders())
        .containsExactly(
            new NodeEvent(
                "GpuUnhealthy",
                true,
                gpu(2) + " of this pod is unhealthy: XID 74: NVLink error",
                START.toString(),
                START.plusSeconds(10),
                uuid));

    after(QUIET);
    after(QUIET);
    after(Duration.ofSeconds(10));
    assertThat(due.holders())
        .containsExactly(
            new NodeEvent(
                "GpuHealthy",
                false,
                gpu(2) + " of this pod is healthy again; it was: XID 74: NVLink error",
                START.toString(),
                now,
                uuid));
  }

  private Optional<NodeHealth> health() {
    return announcements.health(now);
  }

  private static NodeHealth allHealthy() {
    return new NodeHealth(UnhealthyStatus.FALSE, "AllGpusHealthy", "4 of 4 healthy");
  }

  /** A restart, with the health file of before. */
  private void restart() {
    health = deviceHealth();
    node.uuids().forEach(health::begins);
    offer = AdvertisedResources.NOTHING;
    announcements = new NodeEventTracker(health::condition);
  }

  private DeviceHealth deviceHealth() {
    return new DeviceHealth(
        new HealthPolicy(HealthChecks.ALL, QUIET, true),
        new HealthFile(folder.resolve("health.json"), folder.resolve("boot_id")),
        () -> now,
        () -> {});
  }

  private void begin(String profile) {
    offer = AdvertisedResources.NOTHING;
    node = new PolledTestNode(profile, folder);
    health = deviceHealth();
    announcements = new NodeEventTracker(health::condition);
    node.uuids().forEach(health::begins);
    assertThat(after(Duration.ZERO)).isEmpty();
  }

  private void raise(int gpu, int xid) {
    health.happened(new DriverEvent.Xid(node.uuids().get(gpu), xid, OptionalInt.empty()));
    after(Duration.ZERO);
  }

  private String gpu(int index) {
    return "GPU " + index + " (" + node.uuids().get(index) + ")";
  }

  private List<NodeEvent> after(Duration time) {
    now = now.plus(time);
    Polled survey = node.polled();
    if (driverDown == null) {
      health.polled(survey);
    } else {
      health.driverGone();
    }
    offer = AdvertisedResources.of(survey.inventory(), MIXED.offer(), health::isHealthy, offer);
    announcements.offered(
        new PluginView(
            standing,
            driverDown,
            offer,
            new CdiReport(Map.of(), List.of(), List.of()),
            CdiWrites.NONE,
            blockers),
        survey.inventory(),
        now);
    due = announcements.due(standing, now);
    return due.node();
  }
}
