package io.gpureclaimer.nvml.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.ComputeCapability;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.device.MigSize;
import io.gpureclaimer.nvml.Nvml;
import io.gpureclaimer.nvml.NvmlStub;
import io.gpureclaimer.nvml.inventory.SurveyedGpu.Answered;
import io.gpureclaimer.nvml.inventory.SurveyedGpu.Unreadable;
import io.gpureclaimer.nvml.inventory.Topology.Link;
import io.gpureclaimer.simulator.Fault;
import io.gpureclaimer.simulator.GpuScript;
import io.gpureclaimer.simulator.MigLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a survey brings of a simulated node, and of the C stub where that can do more. */
class SurveyorTest {
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
  void tellsAllOfEveryGpu() throws IOException {
    write("sys/bus/pci/devices/0000:19:00.0/numa_node", "1\n");
    Node node = new Node("h100x8", root);

    Inventory inventory = node.inventory();

    assertThat(inventory.gpus()).hasSize(8);
    assertThat(inventory.driverVersion()).isEqualTo("550.54.15");
    assertThat(inventory.cuda()).isEqualTo(new CudaVersion(12, 4));
    GpuUuid first = node.uuids().getFirst();
    assertThat(inventory.gpus().getFirst())
        .isEqualTo(
            new Answered(
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
  void tellsNoRecoveryAction_whereTheDriverHasNone() {
    assertThat(new Node("t4x4", root).inventory().readable())
        .extracting(GpuFacts::recovery)
        .containsOnlyNulls();
  }

  @Test
  void knowsAVirtualGpuByItsMode_andNothingOfOneThatDoesNotTellItsOwn() {
    stub.control().stub_reset(3);
    stub.control().stub_number("nvmlDeviceGetMinorNumber", 0, 0, 0);
    stub.control().stub_number("nvmlDeviceGetMinorNumber", 1, 0, 1);
    stub.control().stub_number("nvmlDeviceGetMinorNumber", 2, 0, 2);
    stub.control().stub_number("nvmlDeviceGetVirtualizationMode", 0, 0, 2);
    stub.control().stub_number("nvmlDeviceGetVirtualizationMode", 1, 0, 1);
    try (Nvml nvml = Nvml.open(stub.lib())) {
      Inventory seen = new Surveyor(new KernelFiles(root), Turns.HERE).survey(nvml).inventory();

      assertThat(seen.readable()).extracting(GpuFacts::virtual).containsExactly(true, false, null);
    }
  }

  @Test
  void tellsAllOfEveryMigDevice_withItsTrueProfileAndTheFilesThatOpenIt() throws IOException {
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
    Node node = new Node("a100x8", root);
    node.play(GpuScript.idle(0).with(MigLayout.of(List.of("2g.20gb", "1g.10gb+me", "1c.2g.20gb"))));

    GpuFacts gpu = node.inventory().readable().findFirst().orElseThrow();

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
    Node node = new Node("h100x8", root);
    Inventory before = node.inventory();
    node.play(GpuScript.broken(3, Fault.LOST));

    Inventory now = node.inventory();

    assertThat(now.readable()).hasSize(7);
    assertThat(now.gpus().get(3))
        .isEqualTo(
            new Unreadable(
                3,
                before.gpus().get(3) instanceof Answered(var facts) ? facts.gpu().uuid() : null,
                LOST));
    assertThat(Changes.between(before, now))
        .containsExactly(new Change.Silenced(node.uuids().get(3), LOST));
  }

  @Test
  void aGpuThatWasNeverReadHasNoName() {
    Node node = new Node("h100x8", root);
    node.play(GpuScript.broken(3, Fault.LOST));

    assertThat(node.inventory().gpus().get(3)).isEqualTo(new Unreadable(3, null, LOST));
  }

  @Test
  void anIndexIsNotTakenForTheGpuThatWasThere_whenThatOneIsElsewhereNow() {
    Node node = new Node("h100x8", root);
    List<GpuUuid> all = node.uuids();
    node.play(GpuScript.broken(0, Fault.GONE));
    assertThat(node.uuids()).isEqualTo(all.subList(1, 8));
    node.play(GpuScript.broken(0, Fault.GONE), GpuScript.broken(1, Fault.LOST));

    assertThat(node.inventory().gpus().getFirst()).isEqualTo(new Unreadable(0, all.get(1), LOST));
  }

  @Test
  void aGpuThatIsPulledOutVanishes_andAppearsWhenItIsBack() {
    Node node = new Node("h100x8", root);
    Inventory before = node.inventory();
    GpuUuid pulled = node.uuids().get(5);
    node.play(GpuScript.broken(5, Fault.GONE));
    Inventory without = node.inventory();
    node.play();

    assertThat(without.readable()).hasSize(7);
    assertThat(Changes.between(before, without)).contains(new Change.Vanished(pulled));
    assertThat(Changes.between(without, node.inventory())).contains(new Change.Appeared(pulled));
    assertThat(node.inventory()).isEqualTo(before);
  }

  @Test
  void seesAnotherDivision() {
    Node node = new Node("h100x8-mig", root);
    Inventory before = node.inventory();
    node.play(GpuScript.idle(2).with(MigLayout.of(List.of("3g.40gb", "4g.40gb"))));

    Inventory now = node.inventory();

    assertThat(Changes.between(before, now))
        .containsExactly(new Change.Divided(node.uuids().get(2), List.of("3g.40gb", "4g.40gb")));
    node.play(GpuScript.idle(2).with(MigLayout.OFF));
    assertThat(node.inventory().readable().filter(gpu -> !gpu.migOn()))
        .singleElement()
        .satisfies(gpu -> assertThat(gpu.instances()).isEmpty());
  }

  @Test
  void knowsNothing_whileThereIsNoDriver_andAllWhenItIsBack() {
    Node node = new Node("h100x8", root);
    Inventory before = node.inventory();
    node.driver.unload();
    assertThat(node.survey()).isEmpty();
    assertThat(node.survey()).isEmpty();
    node.driver.load("570.10");

    assertThat(Changes.between(before, node.inventory()))
        .containsExactly(new Change.DriverChanged("550.54.15", "570.10"));
  }

  @Test
  void isEqual_whenNothingHasChanged() {
    Node node = new Node("a100-mig", root);
    Inventory before = node.inventory();
    node.clock.set(Node.START.plusSeconds(3600));

    assertThat(node.inventory()).isEqualTo(before).hasSameHashCodeAs(before);
    assertThat(Changes.between(before, node.inventory())).isEmpty();
  }

  @Test
  void countsWhatOnlyGrows_andSeesThatItBeganAnew() {
    Node node = new Node("h100x8", root);
    GpuUuid gpu = node.uuids().getFirst();
    Counters before = counters(node, gpu);
    node.clock.set(Node.START.plusSeconds(10));
    Counters later = counters(node, gpu);
    node.driver.reset(0);
    Counters anew = counters(node, gpu);

    assertThat(later.startedAnewSince(before)).isFalse();
    assertThat(anew.startedAnewSince(later)).isTrue();
    assertThat(Counters.UNTOLD.startedAnewSince(later)).isFalse();
  }

  @Test
  void asksHowTheGpusAreWiredOnce() {
    Node node = new Node("h100x8", root);
    Inventory first = node.inventory();
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
    Node node = new Node("h100x8", root);
    node.inventory();
    int once = wiringCalls(node);
    node.play(GpuScript.broken(0, Fault.GONE), GpuScript.broken(1, Fault.LOST));
    node.inventory();
    node.play();
    node.inventory();
    assertThat(wiringCalls(node)).isEqualTo(once);
    node.driver.unload();
    node.driver.load("570.10");
    node.survey();
    node.inventory();

    assertThat(wiringCalls(node)).isEqualTo(2 * once);
  }

  @Test
  void triesThreeTimes_ifAGpuFailsToTellHowItIsWired() {
    stub.control().stub_reset(2);
    stub.control().stub_fail("nvmlDeviceGetTopologyCommonAncestor", NvmlStub.ALL_GPUS, 999);
    var surveyor = new Surveyor(new KernelFiles(root), Turns.HERE);
    try (Nvml nvml = Nvml.open(stub.lib())) {
      for (int i = 0; i < 10; i++) {
        assertThat(surveyor.survey(nvml).inventory().topology()).isEqualTo(Topology.UNKNOWN);
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
    try (Nvml nvml = Nvml.open(stub.lib())) {
      var gpus = new Surveyor(new KernelFiles(root), Turns.HERE).survey(nvml).inventory().gpus();

      assertThat(gpus)
          .extracting(gpu -> gpu instanceof Answered)
          .containsExactly(true, false, true);
    }
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
    try (Nvml nvml = Nvml.open(stub.lib())) {
      var surveyor = new Surveyor(new KernelFiles(root), Turns.HERE);
      assertThat(surveyor.survey(nvml).inventory().readable()).hasSize(1);
      stub.control().stub_fail(function, 0, 15);
      assertThat(surveyor.survey(nvml).inventory().readable()).isEmpty();
    }
  }

  @Test
  void aGpuThatWasLostBeforeHasTheNameThatIsRemembered_whileTheDriverCountsAsMany() {
    stub.control().stub_reset(2);
    stub.control().stub_fail("nvmlDeviceGetHandleByIndex_v2", 1, 15);
    var told =
        Stream.of("GPU-00000000-1111-2222-3333-000000000000", "GPU-lost")
            .map(uuid -> Optional.of(new GpuUuid(uuid)))
            .toList();
    try (Nvml nvml = Nvml.open(stub.lib())) {
      assertThat(second(nvml, told)).isEqualTo(new GpuUuid("GPU-lost"));
      assertThat(second(nvml, told.subList(0, 1))).isNull();
      assertThat(second(nvml, told.reversed())).isNull();
    }
  }

  @Test
  void tellsWhoIsAtWhichIndex_ofThoseThatMigDoesNotDivide_alsoWhileTheyAreSilent() {
    stub.control().stub_reset(3);
    stub.control().stub_mig_mode(2, 1, 7);
    stub.control().stub_fail("nvmlDeviceGetHandleByIndex_v2", 1, 15);
    var lost = Optional.of(new GpuUuid("GPU-lost"));
    try (Nvml nvml = Nvml.open(stub.lib())) {
      var surveyor = new Surveyor(new KernelFiles(root), Turns.HERE);
      var told = surveyor.survey(nvml).order();
      assertThat(told).hasSize(3);
      assertThat(told.getFirst()).isPresent();
      assertThat(told.subList(1, 3)).containsOnly(Optional.empty());

      var again = new Surveyor(new KernelFiles(root), Turns.HERE, List.of(told.get(0), lost, lost));
      assertThat(again.survey(nvml).order()).startsWith(told.getFirst(), lost);
    }
  }

  private @Nullable GpuUuid second(Nvml nvml, List<Optional<GpuUuid>> order) {
    var surveyor = new Surveyor(new KernelFiles(root), Turns.HERE, order);
    return ((Unreadable) surveyor.survey(nvml).inventory().gpus().get(1)).uuid();
  }

  @Test
  void ofTwoGpusOfOneNameTheSecondCannotBeRead() {
    stub.control().stub_reset(3);
    stub.control().stub_identity(1, "GPU-00000000-1111-2222-3333-000000000000", "Twin");
    try (Nvml nvml = Nvml.open(stub.lib())) {
      var gpus = new Surveyor(new KernelFiles(root), Turns.HERE).survey(nvml).inventory().gpus();

      assertThat(gpus.get(1)).isEqualTo(new Unreadable(1, null, "its UUID is another GPU's"));
      assertThat(gpus)
          .extracting(gpu -> gpu instanceof Answered)
          .containsExactly(true, false, true);
    }
  }

  @Test
  void leavesOutABoardThatDrivesADisplay() {
    stub.control().stub_reset(3);
    stub.control()
        .stub_identity(1, "GPU-00000000-1111-2222-3333-000000000001", "NVIDIA DGX Display");
    try (Nvml nvml = Nvml.open(stub.lib())) {
      var gpus = new Surveyor(new KernelFiles(root), Turns.HERE).survey(nvml).inventory().gpus();

      assertThat(gpus).extracting(SurveyedGpu::index).containsExactly(0, 2);
    }
  }

  @Test
  void aGpuThatMayComeBackYetIsWhatItWas_andCountsNothing() {
    var late = new AtomicBoolean();
    Turns patient =
        new Turns() {
          @Override
          public <T> Turn<T> take(int gpu, boolean answered, Supplier<T> questions) {
            return gpu == 1 && late.get() && answered
                ? new Turn.Awaited<>()
                : new Turn.Taken<>(questions.get());
          }
        };
    var node = new Node("t4x4", root);
    try (Nvml nvml = Nvml.open(node.driver)) {
      var surveyor = new Surveyor(new KernelFiles(root), patient);
      Survey before = surveyor.survey(nvml);
      late.set(true);
      surveyor.survey(nvml);
      Survey now = surveyor.survey(nvml);

      GpuUuid awaited = node.uuids().get(1);
      assertThat(now.inventory()).isEqualTo(before.inventory());
      assertThat(now.awaited()).containsExactly(awaited);
      assertThat(now.counters()).hasSize(3).doesNotContainKey(awaited);
    }
  }

  @Test
  void aGpuThatDoesNotComeBackIsSilent_andIsAskedForNothingElse() {
    stub.control().stub_reset(3);
    var asked = new HashSet<Integer>();
    Turns impatient =
        new Turns() {
          @Override
          public <T> Turn<T> take(int gpu, boolean answered, Supplier<T> questions) {
            return gpu == 1 && asked.contains(1) ? new Turn.Silent<>() : answer(gpu, questions);
          }

          private <T> Turn<T> answer(int gpu, Supplier<T> questions) {
            asked.add(gpu);
            return new Turn.Taken<>(questions.get());
          }
        };
    try (Nvml nvml = Nvml.open(stub.lib())) {
      var surveyor = new Surveyor(new KernelFiles(root), impatient);
      surveyor.survey(nvml);

      assertThat(surveyor.survey(nvml).inventory().gpus().get(1))
          .isEqualTo(
              new Unreadable(
                  1,
                  new GpuUuid("GPU-00000000-1111-2222-3333-000000000001"),
                  "it does not come back"));
    }
  }

  @Test
  void anActionWithoutANameIsNotNone() {
    stub.control().stub_reset(1);
    stub.control().stub_field(0, 230, 0, 3, 77);
    try (Nvml nvml = Nvml.open(stub.lib())) {
      var survey = new Surveyor(new KernelFiles(root), Turns.HERE).survey(nvml);

      assertThat(survey.inventory().readable())
          .extracting(GpuFacts::recovery)
          .containsExactly(RecoveryAction.OTHER);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1\n", "", "none", "99999999999999"})
  void tellsNoNumaNode_whenTheKernelDoesNot(String text) throws IOException {
    write("sys/bus/pci/devices/0000:19:00.0/numa_node", text);

    assertThat(new KernelFiles(root).numaNode("00000000:19:00.0")).isEmpty();
    assertThat(new KernelFiles(root).numaNode("00010000:19:00.0")).isEmpty();
  }

  private static Counters counters(Node node, GpuUuid gpu) {
    return node.survey().orElseThrow().counters().getOrDefault(gpu, Counters.UNTOLD);
  }

  private static int wiringCalls(Node node) {
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
