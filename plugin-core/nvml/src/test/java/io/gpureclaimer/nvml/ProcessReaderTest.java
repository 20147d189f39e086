package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.NvmlContract.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes, sample buffers and pairs of GPUs; through the real binding, against the C stub. */
class ProcessReaderTest {
  private static final int COMPUTE = 0;
  private static final int GRAPHICS = 1;
  private static final int MPS = 2;
  private static final int NO_INSTANCE = -1;
  private static final int NOT_REPORTED = -1;

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
    driver.stub_reset(3);
    nvml = Nvml.open(stub.lib());
    gpu = value(nvml.handle(1));
  }

  @AfterEach
  void close() {
    nvml.close();
  }

  @Test
  void listsTheProcessesOfAllKinds_eachOnce() {
    driver.stub_process(COMPUTE, 100, 5_000_000_000L, 7);
    driver.stub_process(COMPUTE, 101, NOT_REPORTED, NO_INSTANCE);
    driver.stub_process(GRAPHICS, 101, NOT_REPORTED, NO_INSTANCE);
    driver.stub_process(GRAPHICS, 102, 1, NO_INSTANCE);
    driver.stub_process(MPS, 103, 0, NO_INSTANCE);

    assertThat(value(nvml.processes().running(gpu)))
        .containsExactlyInAnyOrder(
            new GpuProcess(100, OptionalLong.of(5_000_000_000L), OptionalInt.of(7)),
            new GpuProcess(101, OptionalLong.empty(), OptionalInt.empty()),
            new GpuProcess(102, OptionalLong.of(1), OptionalInt.empty()),
            new GpuProcess(103, OptionalLong.of(0), OptionalInt.empty()));
  }

  @Test
  void listsMoreProcessesThanFitAtFirst() {
    for (int pid = 1; pid <= 500; pid++) {
      driver.stub_process(COMPUTE, pid, 1, NO_INSTANCE);
    }

    assertThat(value(nvml.processes().running(gpu)))
        .extracting(GpuProcess::pid)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 500).boxed().toList());
  }

  @Test
  void leavesOutTheKindsThatTheDriverDoesNotKnow() {
    driver.stub_process(COMPUTE, 100, 1, NO_INSTANCE);
    doesNotKnow("MPSCompute");
    doesNotKnow("Graphics");

    assertThat(value(nvml.processes().running(gpu))).hasSize(1);
  }

  @Test
  void fails_whenAnyKindFails() {
    driver.stub_fail("nvmlDeviceGetGraphicsRunningProcesses_v2", 1, 999);

    assertThat(nvml.processes().running(gpu)).isEqualTo(new Failed<>(NvmlReturn.UNKNOWN, 999));
  }

  @Test
  void isUnsupported_whenNoKindIsReported() {
    doesNotKnow("Compute");
    doesNotKnow("MPSCompute");
    doesNotKnow("Graphics");

    assertThat(nvml.processes().running(gpu)).isEqualTo(new Unsupported<>());
  }

  @Test
  void theOlderSpellingIsAskedAgain_whereNoneWasAnswered() {
    doesNotKnow("Compute");
    nvml.processes().running(gpu);
    driver.stub_process(COMPUTE, 100, 1, NO_INSTANCE);
    driver.stub_fail("nvmlDeviceGetComputeRunningProcesses_v2", 1, 0);

    assertThat(value(nvml.processes().running(gpu))).hasSize(1);
  }

  @ParameterizedTest(name = "code {0}")
  @ValueSource(ints = {3, 13, 25, 26})
  void theNewerSpellingIsAsked_whereTheOlderIsNotAnswered(int code) {
    driver.stub_process(COMPUTE, 100, 1, NO_INSTANCE);
    driver.stub_fail("nvmlDeviceGetComputeRunningProcesses_v2", 1, code);

    assertThat(value(nvml.processes().running(gpu))).hasSize(1);
  }

  private void doesNotKnow(String kind) {
    driver.stub_fail("nvmlDeviceGet" + kind + "RunningProcesses_v2", 1, 3);
    driver.stub_fail("nvmlDeviceGet" + kind + "RunningProcesses_v3", 1, 3);
  }

  @Test
  void reportsHowBusyEachProcessWas() {
    driver.stub_process_use(100, 2_000, 55, 20);
    driver.stub_process_use(0, 2_000, 1, 1);
    driver.stub_process_use(101, 2_000, 103, 0);

    assertThat(nvml.processes().utilization(gpu, 1_999))
        .isEqualTo(
            new Value<>(
                List.of(
                    new ProcessUtilization(100, 2_000, 55, 20, 3, 4),
                    new ProcessUtilization(101, 2_000, 100, 0, 3, 4))));
  }

  @Test
  void nothingNewOfTheProcessesIsAnEmptyList() {
    driver.stub_process_use(100, 2_000, 55, 20);

    assertThat(nvml.processes().utilization(gpu, 2_000)).isEqualTo(new Value<>(List.of()));
  }

  @Test
  void readsTheSamplesSinceTheLastLook_inTheOrderOfTime() {
    driver.stub_sample(1, 1_000, 10);
    driver.stub_sample(1, 3_000, 30);
    driver.stub_sample(1, 2_000, 20);
    driver.stub_sample(1, 4_000, 4_711);
    driver.stub_sample(3, 2_000, 99);

    assertThat(nvml.samples(gpu, SampleKind.GPU, 1_000))
        .isEqualTo(
            new Value<>(
                List.of(new UtilizationSample(2_000, 20), new UtilizationSample(3_000, 30))));
    assertThat(nvml.samples(gpu, SampleKind.ENCODER, 0))
        .isEqualTo(new Value<>(List.of(new UtilizationSample(2_000, 99))));
  }

  @Test
  void readsMoreSamplesThanFitAtFirst() {
    for (int i = 1; i <= 500; i++) {
      driver.stub_sample(2, i, 50);
    }

    assertThat(value(nvml.samples(gpu, SampleKind.MEMORY, 0))).hasSize(500);
  }

  @ParameterizedTest(name = "code {0}")
  @ValueSource(ints = {6, 21})
  void nothingNewInABufferIsAnEmptyList(int code) {
    driver.stub_fail("nvmlDeviceGetSamples", 1, code);

    assertThat(nvml.samples(gpu, SampleKind.DECODER, 0)).isEqualTo(new Value<>(List.of()));
  }

  @Test
  void allSixArgumentsArrive() {
    long lastSeen = 0x0102_0304_0506_0708L;
    nvml.samples(gpu, SampleKind.DECODER, lastSeen);

    assertThat(LongStream.range(0, 6).map(i -> driver.stub_last_argument((int) i)))
        .containsExactly(1L, 4L, lastSeen, 1L, 1L, 1L);
  }

  @Test
  void reportsWhetherAGpuReachesAnother_inOneDirection() {
    GpuHandle peer = value(nvml.handle(2));
    driver.stub_p2p(1, 2, 3);
    driver.stub_p2p(2, 1, 17);

    assertThat(nvml.nvlinkTo(gpu, peer)).isEqualTo(new Value<>(P2pStatus.TOPOLOGY_NOT_SUPPORTED));
    assertThat(nvml.nvlinkTo(peer, gpu)).isEqualTo(new Value<>(P2pStatus.UNKNOWN));
    assertThat(nvml.nvlinkTo(gpu, value(nvml.handle(0)))).isEqualTo(new Value<>(P2pStatus.OK));
  }
}
