package io.gpureclaimer.nvml.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.ComputeCapability;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.device.MigSize;
import io.gpureclaimer.nvml.NvmlStub;
import io.gpureclaimer.nvml.poll.GpuFacts.MigMode;
import io.gpureclaimer.nvml.poll.GpuFacts.RecoveryAction;
import io.gpureclaimer.nvml.poll.GpuStatus.Responding;
import io.gpureclaimer.nvml.poll.GpuStatus.Unavailable;
import io.gpureclaimer.nvml.poll.InventoryUpdate.GpuCounters;
import io.gpureclaimer.nvml.poll.NodeInventory.CudaVersion;
import io.gpureclaimer.nvml.poll.Topology.Link;
import io.gpureclaimer.nvml.session.DriverSession;
import io.gpureclaimer.nvml.session.DriverThread;
import io.gpureclaimer.simulator.Fault;
import io.gpureclaimer.simulator.GpuScript;
import io.gpureclaimer.simulator.MigLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Inventory of a simulated node, and of the C stub where that can do more. */
class GpuPollerTest {
  private static final String LOST =
      "its handle cannot be read: GPU has fallen off the bus (code 15)";

  @TempDir private static Path library;
  private static NvmlStub stub;

  @TempDir private Path root;

  @BeforeAll
  static void build() {
    stub = NvmlStub.build(library);
  }

  @Test
  void reportsAllOfEveryGpu() throws IOException {
    write("sys/bus/pci/devices/0000:19:00.0/numa_node", "1\n");
    PolledTestNode node = new PolledTestNode("h100x8", root);

    NodeInventory inventory = node.inventory();

    assertThat(inventory.gpus()).hasSize(8);
    assertThat(inventory.driverVersion()).isEqualTo("550.54.15");
    assertThat(inventory.cuda()).isEqualTo(new CudaVersion(12, 4));
    GpuUuid first = node.uuids().getFirst();
    assertThat(inventory.gpus().getFirst())
        .isEqualTo(
            new Responding(
                new GpuFacts(
                    new Gpu(0, first, "00000000:19:00.0", "NVIDIA H100 80GB HBM3"),
                    0,
                    1,
                    81_559L << 20,
                    new ComputeCapability(9, 0),
                    MigMode.OFF,
                    List.of(),
                    null,
                    RecoveryAction.NONE,
                    false)));
  }

  @Test
  void reportsNoRecoveryAction_whereTheDriverHasNone() {
    assertThat(new PolledTestNode("t4x4", root).inventory().responding())
        .extracting(GpuFacts::recovery)
        .containsOnlyNulls();
  }

  @Test
  void knowsAVirtualGpuByItsMode_andNothingOfOneThatDoesNotReportItsOwn() {
    stub.control().stub_reset(3);
    stub.control().stub_number("nvmlDeviceGetMinorNumber", 0, 0, 0);
    stub.control().stub_number("nvmlDeviceGetMinorNumber", 1, 0, 1);
    stub.control().stub_number("nvmlDeviceGetMinorNumber", 2, 0, 2);
    stub.control().stub_number("nvmlDeviceGetVirtualizationMode", 0, 0, 2);
    stub.control().stub_number("nvmlDeviceGetVirtualizationMode", 1, 0, 1);
    NodeInventory seen = pollOnce().inventory();

    assertThat(seen.responding()).extracting(GpuFacts::virtual).containsExactly(true, false, null);
  }

  @Test
  void reportsAllOfEveryMigDevice_withItsTrueProfileAndTheFilesThatOpenIt() throws IOException {
    write(
        "proc/driver/nvidia-caps/mig-minors",
        """
        config 1
        monitor 2
        gpu0/gi3/access 30
        gpu0/gi3/ci0/access 31
        gpu1/gi3/access 165
        nonsense
        """);
    PolledTestNode node = new PolledTestNode("a100x8", root);
    node.play(GpuScript.idle(0).with(MigLayout.of(List.of("2g.20gb", "1g.10gb+me", "1c.2g.20gb"))));

    GpuFacts gpu = node.inventory().responding().findFirst().orElseThrow();

    assertThat(gpu.migOn()).isTrue();
    assertThat(gpu.instances())
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("uuid")
        .containsExactly(
            new MigFacts("", 3, 0, "2g.20gb", 30, 31, new MigSize(20_096, 32, 2, 2, 2, 1, 0, 0, 0)),
            new MigFacts(
                "", 7, 0, "1g.10gb+me", null, null, new MigSize(9_856, 16, 1, 1, 1, 1, 0, 1, 1)),
            new MigFacts(
                "", 4, 0, "1c.2g.20gb", null, null, new MigSize(20_096, 16, 2, 1, 2, 1, 0, 0, 0)));
    assertThat(gpu.instances()).extracting(MigFacts::uuid).doesNotHaveDuplicates();
    assertThat(gpu.instances())
        .extracting(MigFacts::isWholeInstance)
        .containsExactly(true, true, false);
  }

  @Test
  void sevenOfEightStay_whenOneIsLost() {
    PolledTestNode node = new PolledTestNode("h100x8", root);
    NodeInventory before = node.inventory();
    node.play(GpuScript.broken(3, Fault.LOST));

    NodeInventory now = node.inventory();

    assertThat(now.responding()).hasSize(7);
    assertThat(now.gpus().get(3))
        .isEqualTo(
            new Unavailable(
                3,
                before.gpus().get(3).uuid(),
                before.gpus().get(3).lastKnown(),
                GpuStatus.GpuFault.LOST,
                LOST));
    assertThat(InventoryChange.between(before, now))
        .containsExactly(new InventoryChange.Failed(node.uuids().get(3), LOST));
  }

  @Test
  void aGpuThatWasNeverReadHasNoName() {
    PolledTestNode node = new PolledTestNode("h100x8", root);
    node.play(GpuScript.broken(3, Fault.LOST));

    assertThat(node.inventory().gpus().get(3))
        .isEqualTo(new Unavailable(3, null, null, GpuStatus.GpuFault.LOST, LOST));
  }

  @Test
  void anIndexIsNotTakenForTheGpuThatWasThere_whenThatOneIsElsewhereNow() {
    PolledTestNode node = new PolledTestNode("h100x8", root);
    List<GpuUuid> all = node.uuids();
    node.play(GpuScript.broken(0, Fault.GONE));
    assertThat(node.uuids()).isEqualTo(all.subList(1, 8));
    node.play(GpuScript.broken(0, Fault.GONE), GpuScript.broken(1, Fault.LOST));

    assertThat(node.inventory().gpus().getFirst().uuid()).isEqualTo(all.get(1));
  }

  @Test
  void aGpuThatIsPulledOutVanishes_andAppearsWhenItIsBack() {
    PolledTestNode node = new PolledTestNode("h100x8", root);
    NodeInventory before = node.inventory();
    GpuUuid pulled = node.uuids().get(5);
    node.play(GpuScript.broken(5, Fault.GONE));
    NodeInventory without = node.inventory();
    node.play();

    assertThat(without.responding()).hasSize(7);
    assertThat(InventoryChange.between(before, without))
        .contains(new InventoryChange.Removed(pulled));
    assertThat(InventoryChange.between(without, node.inventory()))
        .contains(new InventoryChange.Appeared(pulled));
    assertThat(node.inventory()).isEqualTo(before);
  }

  @Test
  void seesAnotherDivision() {
    PolledTestNode node = new PolledTestNode("h100x8-mig", root);
    NodeInventory before = node.inventory();
    node.play(GpuScript.idle(2).with(MigLayout.of(List.of("3g.40gb", "4g.40gb"))));

    NodeInventory now = node.inventory();

    assertThat(InventoryChange.between(before, now))
        .containsExactly(
            new InventoryChange.Repartitioned(node.uuids().get(2), List.of("3g.40gb", "4g.40gb")));
    node.play(GpuScript.idle(2).with(MigLayout.OFF));
    assertThat(node.inventory().responding().filter(gpu -> !gpu.migOn()))
        .singleElement()
        .satisfies(gpu -> assertThat(gpu.instances()).isEmpty());
  }

  @Test
  void knowsNothing_whileThereIsNoDriver_andAllWhenItIsBack() {
    PolledTestNode node = new PolledTestNode("h100x8", root);
    NodeInventory before = node.inventory();
    node.driver.unload();
    assertThat(node.poll()).isInstanceOf(InventoryUpdate.DriverDown.class);
    assertThat(node.poll()).isInstanceOf(InventoryUpdate.DriverDown.class);
    node.driver.load("570.10");

    assertThat(InventoryChange.between(before, node.inventory()))
        .containsExactly(new InventoryChange.DriverChanged("550.54.15", "570.10"));
  }

  @Test
  void isEqual_whenNothingHasChanged() {
    PolledTestNode node = new PolledTestNode("a100-mig", root);
    NodeInventory before = node.inventory();
    node.clock.set(PolledTestNode.START.plusSeconds(3600));

    assertThat(node.inventory()).isEqualTo(before).hasSameHashCodeAs(before);
    assertThat(InventoryChange.between(before, node.inventory())).isEmpty();
  }

  @Test
  void countsWhatOnlyGrows_andSeesThatItBeganAgain() {
    PolledTestNode node = new PolledTestNode("h100x8", root);
    GpuUuid gpu = node.uuids().getFirst();
    GpuCounters before = counters(node, gpu);
    node.clock.set(PolledTestNode.START.plusSeconds(10));
    GpuCounters later = counters(node, gpu);
    node.driver.reset(0);
    GpuCounters secondPoll = counters(node, gpu);

    assertThat(later.hasRestartedSince(before)).isFalse();
    assertThat(secondPoll.hasRestartedSince(later)).isTrue();
    assertThat(GpuCounters.UNKNOWN.hasRestartedSince(later)).isFalse();
  }

  @Test
  void asksHowTheGpusAreWiredOnce() {
    PolledTestNode node = new PolledTestNode("h100x8", root);
    NodeInventory first = node.inventory();
    int all = wiringCalls(node);
    int perSurvey = node.calls.all() - all;
    for (int i = 0; i < 10; i++) {
      node.inventory();
    }

    assertThat(all).isEqualTo(28 + 8 * (36 + 18));
    assertThat(wiringCalls(node)).isEqualTo(all);
    assertThat(node.calls.all()).isLessThanOrEqualTo(all + 11 * perSurvey);
    assertThat(perSurvey).isLessThanOrEqualTo(8 * 14 + 4);
    List<GpuUuid> uuids = node.uuids();
    assertThat(
            List.of(
                first.topology().between(uuids.get(0), uuids.get(1)),
                first.topology().between(uuids.get(2), uuids.get(0)),
                first.topology().between(uuids.get(0), uuids.get(7))))
        .containsExactly(
            new Link(Topology.Path.SINGLE_SWITCH, 18),
            new Link(Topology.Path.NODE, 18),
            new Link(Topology.Path.SYSTEM, 18));
  }

  @Test
  void asksHowTheyAreWiredAgain_onlyForAGpuThatWasNotThereOrAnotherDriver() {
    PolledTestNode node = new PolledTestNode("h100x8", root);
    node.inventory();
    int once = wiringCalls(node);
    node.play(GpuScript.broken(0, Fault.GONE), GpuScript.broken(1, Fault.LOST));
    node.inventory();
    node.play();
    node.inventory();
    assertThat(wiringCalls(node)).isEqualTo(once);
    node.driver.unload();
    node.driver.load("570.10");
    node.poll();
    node.inventory();

    assertThat(wiringCalls(node)).isEqualTo(2 * once);
  }

  @Test
  void triesThreeTimes_ifAGpuFailsToReportHowItIsWired() {
    stub.control().stub_reset(2);
    stub.control().stub_fail("nvmlDeviceGetTopologyCommonAncestor", NvmlStub.ALL_GPUS, 999);
    try (var node = new StubPoller(List.of())) {
      for (int i = 0; i < 10; i++) {
        assertThat(node.poll().inventory().topology()).isEqualTo(Topology.UNKNOWN);
      }
    }

    assertThat(stub.control().stub_calls("nvmlDeviceGetTopologyCommonAncestor")).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nvmlDeviceGetHandleByIndex_v2",
        "nvmlDeviceGetName",
        "nvmlDeviceGetUUID",
        "nvmlDeviceGetPciInfo_v3",
        "nvmlDeviceGetMinorNumber",
        "nvmlDeviceGetMigMode"
      })
  void whatCannotBeReadOfOneGpuCostsTheOthersNothing(String function) {
    stub.control().stub_reset(3);
    stub.control().stub_fail(function, 1, 999);
    var gpus = pollOnce().inventory().gpus();

    assertThat(gpus)
        .extracting(gpu -> gpu instanceof Responding)
        .containsExactly(true, false, true);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nvmlDeviceGetMemoryInfo_v2",
        "nvmlDeviceGetCudaComputeCapability",
        "nvmlDeviceGetFieldValues",
        "nvmlDeviceGetGpuFabricInfoV"
      })
  void whatIsNotNeededMayFail_unlessTheGpuIsDead(String function) {
    stub.control().stub_reset(1);
    stub.control().stub_fail(function, 0, 999);
    try (var node = new StubPoller(List.of())) {
      assertThat(node.poll().inventory().responding()).hasSize(1);
      stub.control().stub_fail(function, 0, 15);
      assertThat(node.poll().inventory().responding()).isEmpty();
    }
  }

  @Test
  void aGpuThatWasLostBeforeHasTheNameThatIsRemembered_whileTheDriverCountsAsMany() {
    stub.control().stub_reset(2);
    stub.control().stub_fail("nvmlDeviceGetHandleByIndex_v2", 1, 15);
    var reported =
        Stream.of("GPU-00000000-1111-2222-3333-000000000000", "GPU-lost")
            .map(uuid -> Optional.of(new GpuUuid(uuid)))
            .toList();
    assertThat(second(reported)).isEqualTo(new GpuUuid("GPU-lost"));
    assertThat(second(reported.subList(0, 1))).isNull();
    assertThat(second(reported.reversed())).isNull();
  }

  @Test
  void reportsWhoIsAtWhichIndex_ofThoseThatMigDoesNotDivide_alsoWhileTheyAreSilent() {
    stub.control().stub_reset(3);
    stub.control().stub_mig_mode(2, 1, 7);
    stub.control().stub_fail("nvmlDeviceGetHandleByIndex_v2", 1, 15);
    var lost = Optional.of(new GpuUuid("GPU-lost"));
    var order = pollOnce().order();
    assertThat(order).hasSize(3);
    assertThat(order.getFirst()).isPresent();
    assertThat(order.subList(1, 3)).containsOnly(Optional.empty());

    try (var again = new StubPoller(List.of(order.get(0), lost, lost))) {
      assertThat(again.poll().order()).startsWith(order.getFirst(), lost);
    }
  }

  private @Nullable GpuUuid second(List<Optional<GpuUuid>> order) {
    try (var node = new StubPoller(order)) {
      return node.poll().inventory().gpus().get(1).uuid();
    }
  }

  private InventoryUpdate.Polled pollOnce() {
    try (var node = new StubPoller(List.of())) {
      return node.poll();
    }
  }

  /** A poller of the stub, in a session of its own. */
  private final class StubPoller implements AutoCloseable {
    private final DriverThread thread = new DriverThread();
    private final DriverSession session = PolledTestNode.session(stub.lib(), thread);
    private final AtomicReference<InventoryUpdate> update =
        new AtomicReference<>(new InventoryUpdate.DriverDown("not polled yet"));
    private final GpuPoller poller;

    StubPoller(List<Optional<GpuUuid>> order) {
      poller = PolledTestNode.poller(session, thread, root, order);
      poller.subscribe(update::set);
    }

    InventoryUpdate.Polled poll() {
      poller.poll();
      return (InventoryUpdate.Polled) update.get();
    }

    @Override
    public void close() {
      session.close();
      thread.close();
    }
  }

  @Test
  void ofTwoGpusOfOneNameTheSecondCannotBeRead() {
    stub.control().stub_reset(3);
    stub.control().stub_identity(1, "GPU-00000000-1111-2222-3333-000000000000", "Twin");
    var gpus = pollOnce().inventory().gpus();

    assertThat(gpus.get(1))
        .isEqualTo(
            new Unavailable(
                1, null, null, GpuStatus.GpuFault.REFUSED, "its UUID is another GPU's"));
    assertThat(gpus)
        .extracting(gpu -> gpu instanceof Responding)
        .containsExactly(true, false, true);
  }

  @Test
  void leavesOutABoardThatDrivesADisplay() {
    stub.control().stub_reset(3);
    stub.control()
        .stub_identity(1, "GPU-00000000-1111-2222-3333-000000000001", "NVIDIA DGX Display");
    var gpus = pollOnce().inventory().gpus();

    assertThat(gpus).extracting(GpuStatus::index).containsExactly(0, 2);
  }

  @Test
  void anActionWithoutANameIsNotNone() {
    stub.control().stub_reset(1);
    stub.control().stub_field(0, 230, 0, 3, 77);
    var survey = pollOnce();

    assertThat(survey.inventory().responding())
        .extracting(GpuFacts::recovery)
        .containsExactly(RecoveryAction.OTHER);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1\n", "", "none", "99999999999999"})
  void reportsNoNumaNode_whenTheKernelDoesNot(String text) throws IOException {
    write("sys/bus/pci/devices/0000:19:00.0/numa_node", text);

    assertThat(new KernelFiles(root).numaNode("00000000:19:00.0")).isEmpty();
    assertThat(new KernelFiles(root).numaNode("00010000:19:00.0")).isEmpty();
  }

  private static GpuCounters counters(PolledTestNode node, GpuUuid gpu) {
    return node.polled().counters().getOrDefault(gpu, GpuCounters.UNKNOWN);
  }

  private static int wiringCalls(PolledTestNode node) {
    return IntStream.of(
            node.calls.of("nvmlDeviceGetTopologyCommonAncestor"),
            node.calls.of("nvmlDeviceGetNvLinkState"),
            node.calls.of("nvmlDeviceGetNvLinkRemoteDeviceType"),
            node.calls.of("nvmlDeviceGetNvLinkRemotePciInfo_v2"))
        .sum();
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }
}
