package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.NvmlContract.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.MigSize;
import io.gpureclaimer.nvml.NvLink.Down;
import io.gpureclaimer.nvml.NvLink.ToGpu;
import io.gpureclaimer.nvml.NvLink.ToOther;
import io.gpureclaimer.nvml.NvLink.ToSwitch;
import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.Script;
import io.gpureclaimer.simulator.SimulatedDriver;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the driver says of the ways between GPUs, and what can be set; against the C stub. */
class NvLinksTest {
  private static final int GPU = 0;
  private static final int CPU = 1;
  private static final int SWITCH = 2;
  private static final int DOWN = -1;

  @TempDir private static Path library;
  private static NvmlStub whole;

  @TempDir private Path folder;
  private NvmlStub.StubControl driver;
  private Nvml nvml;
  private GpuHandle gpu;

  @BeforeAll
  static void build() {
    whole = NvmlStub.build(library);
  }

  @BeforeEach
  void open() {
    open(whole);
  }

  private void openWithout(String... functions) {
    nvml.close();
    open(NvmlStub.build(folder, functions));
  }

  private void open(NvmlStub stub) {
    driver = stub.control();
    driver.stub_reset(3);
    nvml = Nvml.open(stub.lib());
    gpu = value(nvml.handle(0));
  }

  @AfterEach
  void close() {
    nvml.close();
  }

  @Test
  void reportsWhereEachLinkLeads_andLeavesOutThoseThatTheBoardLacks() {
    driver.stub_link(0, 0, GPU, 2);
    driver.stub_link(0, 1, SWITCH, 0);
    driver.stub_link(0, 2, DOWN, 0);
    driver.stub_link(0, 3, CPU, 0);
    driver.stub_link(0, 5, GPU, 1);

    assertThat(value(nvml.links().nvlinks(gpu)))
        .containsExactly(
            new ToGpu("00000000:1C:00.0"),
            new ToSwitch(),
            new Down(),
            new ToOther(),
            new ToGpu("00000000:1B:00.0"));
  }

  @Test
  void reportsWhichLinksAreUp_andLeavesOutThoseThatTheBoardDoesNotHave() {
    driver.stub_link(0, 0, GPU, 2);
    driver.stub_link(0, 2, DOWN, 0);
    driver.stub_link(0, 35, SWITCH, 0);

    assertThat(nvml.links().states(gpu))
        .isEqualTo(Map.of(0, new Value<>(true), 2, new Value<>(false), 35, new Value<>(true)));

    driver.stub_fail("nvmlDeviceGetNvLinkState", 0, 999);
    assertThat(nvml.links().states(gpu).values())
        .hasSize(36)
        .allMatch(NvmlResult.Failed.class::isInstance);
  }

  @Test
  void aBoardWithoutNvlinkHasNoLinks() {
    assertThat(nvml.links().nvlinks(gpu)).isEqualTo(new Value<>(List.of()));
  }

  @Test
  void fails_whenTheGpuIsLost() {
    driver.stub_fail("nvmlDeviceGetNvLinkState", 0, 15);

    assertThat(nvml.links().nvlinks(gpu)).isEqualTo(new Failed<>(NvmlReturn.GPU_IS_LOST, 15));
  }

  @Test
  void aLinkWhoseEndIsUnknownLeadsToSomethingElse() {
    openWithout("nvmlDeviceGetNvLinkRemotePciInfo_v2");
    driver.stub_link(0, 0, GPU, 2);
    driver.stub_link(0, 1, SWITCH, 0);

    assertThat(value(nvml.links().nvlinks(gpu))).containsExactly(new ToOther(), new ToSwitch());
  }

  @Test
  void aLinkWhoseEndHasNoTypeLeadsToWhatIsThereOnTheBus() {
    openWithout("nvmlDeviceGetNvLinkRemoteDeviceType");
    driver.stub_link(0, 0, GPU, 2);

    assertThat(value(nvml.links().nvlinks(gpu))).containsExactly(new ToGpu("00000000:1C:00.0"));
  }

  @Test
  void asksOnlyForTheLinksThatAreCounted() {
    driver.stub_link(0, 0, GPU, 2);
    driver.stub_link(0, 1, DOWN, 0);
    driver.stub_link(0, 2, DOWN, 0);
    driver.stub_field(0, 91, 0, 1, 2);

    assertThat(nvml.links().states(gpu))
        .isEqualTo(Map.of(0, new Value<>(true), 1, new Value<>(false)));
    assertThat(driver.stub_calls("nvmlDeviceGetNvLinkState")).isEqualTo(2);
  }

  @Test
  void reportsThatAllLinksAreDown_onlyWhereTheyAreCounted() {
    driver.stub_link(0, 0, DOWN, 0);
    driver.stub_link(0, 1, DOWN, 0);

    assertThat(nvml.links().states(gpu)).isEmpty();
    driver.stub_field(0, 91, 0, 1, 2);
    assertThat(nvml.links().states(gpu))
        .isEqualTo(Map.of(0, new Value<>(false), 1, new Value<>(false)));
  }

  @Test
  void reportsTheWayOverPcie() {
    driver.stub_ancestor(0, 1, 10);
    GpuHandle one = value(nvml.handle(1));
    GpuHandle two = value(nvml.handle(2));

    assertThat(
            List.of(nvml.links().commonAncestor(gpu, one), nvml.links().commonAncestor(gpu, two)))
        .containsExactly(new Value<>(10), new Value<>(50));
  }

  @ParameterizedTest
  @EnumSource(ComputeMode.class)
  void aModeThatIsSetIsTheOneThatIsRead(ComputeMode mode) {
    assertThat(nvml.setComputeMode(gpu, mode)).isEqualTo(new Value<>(true));

    assertThat(nvml.numbers(gpu, List.of(DeviceNumbers.COMPUTE_MODE)))
        .containsExactly(new Value<>((long) mode.code()));
    assertThat(ComputeMode.of(mode.code())).contains(mode);
  }

  @Test
  void aModeIsNotSet_withoutPermission() {
    driver.stub_fail("nvmlDeviceSetComputeMode", 0, 4);

    assertThat(nvml.setComputeMode(gpu, ComputeMode.EXCLUSIVE_PROCESS))
        .isEqualTo(new Failed<>(NvmlReturn.NO_PERMISSION, 4));
  }

  @Test
  void everythingIsUnsupported_byALibraryWithoutIt() {
    openWithout(
        "nvmlDeviceSetComputeMode",
        "nvmlDeviceGetMinorNumber",
        "nvmlDeviceGetNvLinkState",
        "nvmlDeviceGetTopologyCommonAncestor");

    assertThat(
            List.of(
                nvml.setComputeMode(gpu, ComputeMode.DEFAULT),
                nvml.numbers(gpu, List.of(DeviceNumbers.MINOR)).getFirst(),
                nvml.links().commonAncestor(gpu, gpu)))
        .containsOnly(new Unsupported<>());
    assertThat(nvml.links().nvlinks(gpu)).isEqualTo(new Value<>(List.of()));
  }

  @Test
  void reportsAllThatAMigDeviceHas_andItsTrueName() {
    driver.stub_mig_mode(0, 1, 7);
    driver.stub_mig_device(0, 0, 9, 0, 1, 9_856);
    GpuHandle mig = value(nvml.mig().devices(gpu)).getFirst().handle();

    assertThat(nvml.mig().size(mig))
        .isEqualTo(new Value<>(new MigSize(9_856, 16, 1, 1, 1, 2, 3, 4, 5)));
    assertThat(nvml.name(mig)).isEqualTo(new Value<>("Stub GPU MIG 1g.10gb+me"));
  }

  @Test
  void theSimulatedCardsAreWiredAsTheirBoardsAre() {
    assertThat(simulated("h100x8")).isEqualTo(Collections.nCopies(18, new ToSwitch()));
    assertThat(simulated("a100-mig"))
        .isEqualTo(Collections.nCopies(12, new ToGpu("00000000:2B:00.0")));
    assertThat(simulated("t4x4")).isEmpty();
  }

  private static List<NvLink> simulated(String profile) {
    var driver =
        new SimulatedDriver(
            Profile.named(profile).orElseThrow(),
            "node-a",
            () -> Script.IDLE,
            InstantSource.system());
    try (Nvml nvml = Nvml.open(driver)) {
      return value(nvml.links().nvlinks(value(nvml.handle(0))));
    }
  }
}
