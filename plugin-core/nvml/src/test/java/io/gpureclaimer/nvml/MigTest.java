package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.NvmlContract.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the driver says of MIG; through the real binding, against the C stub. */
class MigTest {
  private static final int ON = 1;

  @TempDir private static Path folder;
  private static NvmlStub stub;

  private NvmlStub.StubControl driver;
  private Nvml nvml;
  private GpuHandle gpu;

  @BeforeAll
  static void build() {
    stub = NvmlStub.build(folder);
  }

  @BeforeEach
  void open() {
    driver = stub.control();
    driver.stub_reset(2);
    nvml = Nvml.open(stub.lib());
    gpu = value(nvml.handle(1));
  }

  @AfterEach
  void close() {
    nvml.close();
  }

  @Test
  void listsTheDevices_andLeavesOutTheSlotsWithoutOne() {
    driver.stub_mig_mode(1, ON, 7);
    driver.stub_mig_device(1, 0, 2, 0, 3, 40_192);
    driver.stub_mig_device(1, 1, 2, 1, 3, 40_192);
    driver.stub_mig_device(1, 5, 9, 0, 1, 9_856);

    List<MigDevice> devices = value(nvml.mig().devices(gpu));

    assertThat(devices)
        .extracting(MigDevice::instance, MigDevice::compute, MigDevice::profile, MigDevice::uuid)
        .containsExactly(
            tuple(2, 0, "3g.40gb+me", "MIG-00000000-1111-2222-0001-000200000000"),
            tuple(2, 1, "3g.40gb+me", "MIG-00000000-1111-2222-0001-000200000001"),
            tuple(9, 0, "1g.10gb+me", "MIG-00000000-1111-2222-0001-000900000000"));
  }

  /** By its memory it would be another profile, and so another resource, until the next answer. */
  @Test
  void aDeviceIsNotCalledByItsMemory_becauseItsNameCouldNotBeReadThisOnce() {
    driver.stub_mig_mode(1, ON, 7);
    driver.stub_mig_device(1, 5, 9, 0, 1, 9_856);
    driver.stub_fail("nvmlDeviceGetName", 1, NvmlReturn.TIMEOUT.code());

    assertThat(nvml.mig().devices(gpu)).isInstanceOf(Failed.class);
  }

  @Test
  void aDeviceIsCalledByItsMemory_whereTheDriverHasNoNamesForThem() {
    driver.stub_mig_mode(1, ON, 7);
    driver.stub_mig_device(1, 5, 9, 0, 1, 9_856);
    driver.stub_fail("nvmlDeviceGetName", 1, NvmlReturn.INVALID_ARGUMENT.code());

    assertThat(value(nvml.mig().devices(gpu)))
        .extracting(MigDevice::profile)
        .containsExactly("1g.10gb");
  }

  /** They are listed every few seconds: each with memory of its own filled the heap with it. */
  @Test
  void theDevicesOfAGpuAreAskedWithItsMemory() {
    driver.stub_mig_mode(1, ON, 7);
    driver.stub_mig_device(1, 0, 2, 0, 3, 40_192);
    driver.stub_mig_device(1, 5, 9, 0, 1, 9_856);

    assertThat(value(nvml.mig().devices(gpu)))
        .hasSize(2)
        .allSatisfy(device -> assertThat(device.handle().out()).isSameAs(gpu.out()));
  }

  @Test
  void aDeviceReportsItsMemoryAndItsParent() {
    driver.stub_mig_mode(1, ON, 7);
    driver.stub_mig_device(1, 0, 9, 0, 1, 9_856);
    GpuHandle mig = value(nvml.mig().devices(gpu)).getFirst().handle();

    assertThat(nvml.memory(mig))
        .isEqualTo(
            new Value<>(new Memory(9_856L << 20, OptionalLong.of(0), 9_855L << 20, 1 << 20)));
    assertThat(nvml.mig().parent(mig))
        .isEqualTo(new Value<>(new GpuUuid("GPU-00000000-1111-2222-3333-000000000001")));
  }

  @ParameterizedTest(name = "{0} slices of {1} MiB: {2}")
  @CsvSource({"1, 9728, 1g.10gb", "1, 10240, 1g.10gb", "1, 10241, 1g.11gb", "7, 81408, 7g.80gb"})
  void roundsTheMemoryUp_whereTheNameReportsNoProfile(int slices, long mib, String profile) {
    driver.stub_mig_mode(1, ON, 1);
    driver.stub_mig_device(1, 0, 7, 0, slices, mib);
    driver.stub_mig_name("Stub GPU");

    assertThat(value(nvml.mig().devices(gpu)).getFirst().profile()).isEqualTo(profile);
  }

  /** Sizes as the driver has them on an H200, an A100 of 80 GB and an H100. */
  @ParameterizedTest(name = "{1}, {0} MiB: {2}")
  @CsvSource({
    "16384, NVIDIA H200 MIG 1g.18gb, 1g.18gb",
    "33280, NVIDIA H200 MIG 1c.2g.35gb, 2g.35gb",
    "80896, NVIDIA A100 80GB PCIe MIG 7g.80gb, 7g.80gb",
    "9984, NVIDIA H100 80GB HBM3 MIG 1g.10gb+me, 1g.10gb+me"
  })
  void callsAProfileAsTheDriverDoes(long mib, String name, String profile) {
    driver.stub_mig_mode(1, ON, 1);
    driver.stub_mig_device(1, 0, 7, 0, 1, mib);
    driver.stub_mig_name(name);

    assertThat(value(nvml.mig().devices(gpu)).getFirst().profile()).isEqualTo(profile);
  }

  @Test
  void seesAnotherLayout_whenAskedAgain() {
    driver.stub_mig_mode(1, ON, 7);
    assertThat(nvml.mig().devices(gpu)).isEqualTo(new Value<>(List.of()));
    driver.stub_mig_device(1, 3, 11, 0, 1, 9_856);

    assertThat(value(nvml.mig().devices(gpu))).hasSize(1);
  }

  @Test
  void hasNoDevices_whenMigIsOff() {
    driver.stub_mig_mode(1, 0, 7);
    driver.stub_mig_device(1, 0, 9, 0, 1, 9_856);

    assertThat(nvml.mig().isOn(gpu)).isEqualTo(new Value<>(false));
    assertThat(nvml.mig().devices(gpu)).isEqualTo(new Value<>(List.of()));
  }

  @ParameterizedTest(name = "code {0}")
  @ValueSource(ints = {3, 13})
  void isUnsupported_whereThereIsNoMig(int code) {
    driver.stub_fail("nvmlDeviceGetMigMode", 1, code);

    assertThat(nvml.mig().isOn(gpu)).isEqualTo(new Unsupported<>());
    assertThat(nvml.mig().devices(gpu)).isEqualTo(new Unsupported<>());
  }

  @Test
  void fails_whenADeviceVanishesWhileItIsAsked() {
    driver.stub_mig_mode(1, ON, 7);
    driver.stub_mig_device(1, 0, 9, 0, 1, 9_856);
    driver.stub_fail("nvmlDeviceGetGpuInstanceId", 1, 2);

    assertThat(nvml.mig().devices(gpu)).isEqualTo(new Failed<>(NvmlReturn.INVALID_ARGUMENT, 2));
  }

  @Test
  void anIndexThatNoDeviceHasMayBeAWrongArgument() {
    driver.stub_mig_mode(1, ON, 7);
    driver.stub_mig_device(1, 5, 9, 0, 1, 9_856);
    driver.stub_mig_empty_slot(2);

    assertThat(value(nvml.mig().devices(gpu))).hasSize(1);
  }

  @Test
  void fails_whenTheGpuIsLost() {
    driver.stub_mig_mode(1, ON, 7);
    driver.stub_fail("nvmlDeviceGetMigDeviceHandleByIndex", 1, 15);

    assertThat(nvml.mig().devices(gpu)).isEqualTo(new Failed<>(NvmlReturn.GPU_IS_LOST, 15));
  }
}
