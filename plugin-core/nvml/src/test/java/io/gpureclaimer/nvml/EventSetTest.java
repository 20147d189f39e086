package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.NvmlContract.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.DriverEvent.DoubleBitError;
import io.gpureclaimer.nvml.DriverEvent.MigChanged;
import io.gpureclaimer.nvml.DriverEvent.SingleBitError;
import io.gpureclaimer.nvml.DriverEvent.Xid;
import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events of one GPU; through the real binding, against the C stub. */
class EventSetTest {
  private static final GpuUuid GPU = new GpuUuid("GPU-0");
  private static final int XID = 0x8;
  private static final int NO_INSTANCE = -1;

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
    gpu = value(nvml.handle(0));
  }

  @AfterEach
  void close() {
    driver.stub_release();
    nvml.close();
  }

  @Test
  void reportsEachEvent_andNotThoseOfOtherGpus() {
    EventSet set = value(nvml.events(gpu, GPU));
    driver.stub_event(0, XID, 79, NO_INSTANCE);
    driver.stub_event(1, XID, 13, NO_INSTANCE);
    driver.stub_event(0, XID, 31, 7);
    driver.stub_event(0, 0x1, 0, NO_INSTANCE);
    driver.stub_event(0, 0x2, 0, NO_INSTANCE);
    driver.stub_event(0, 0x100, 0, NO_INSTANCE);

    assertThat(List.of(next(set), next(set), next(set), next(set), next(set)))
        .isEqualTo(
            List.of(
                new Xid(GPU, 79, OptionalInt.empty()),
                new Xid(GPU, 31, OptionalInt.of(7)),
                new SingleBitError(GPU),
                new DoubleBitError(GPU),
                new MigChanged(GPU)));
  }

  @Test
  void registersForWhatTheGpuSupports_andForNothingElse() {
    driver.stub_supported_events(0x8 | 0x10);

    value(nvml.events(gpu, GPU));

    assertThat(driver.stub_registered(0)).isEqualTo(0x8);
    assertThat(driver.stub_registered(1)).isZero();
  }

  @ParameterizedTest(name = "refused: {0}, registered: {1}")
  @CsvSource({"256, 11", "2, 8"})
  void hearsOfXids_whenTheDriverRefusesSomethingThatItNamed(long refused, long registered) {
    driver.stub_refused_events(refused);

    value(nvml.events(gpu, GPU));

    assertThat(driver.stub_registered(0)).isEqualTo(registered);
    assertThat(driver.stub_sets()).isEqualTo(1);
  }

  @Test
  void isUnsupported_whenXidsAreNotReported() {
    driver.stub_supported_events(0x1);

    assertThat(nvml.events(gpu, GPU)).isEqualTo(new Unsupported<>());
    assertThat(driver.stub_sets()).isZero();
  }

  @Test
  void keepsNoSet_whenTheRegistrationFails() {
    driver.stub_fail("nvmlDeviceRegisterEvents", 0, 999);

    assertThat(nvml.events(gpu, GPU)).isEqualTo(new Failed<>(NvmlReturn.UNKNOWN, 999));
    assertThat(driver.stub_sets()).isZero();
  }

  @Test
  void nothingHappenedIsNoFailure() {
    EventSet set = value(nvml.events(gpu, GPU));

    assertThat(set.await()).isEqualTo(new Value<>(Optional.empty()));
  }

  @Test
  void aLostGpuIsAFailure() {
    EventSet set = value(nvml.events(gpu, GPU));
    driver.stub_fail("nvmlEventSetWait_v2", NvmlStub.ALL_GPUS, 15);

    assertThat(set.await()).isEqualTo(new Failed<>(NvmlReturn.GPU_IS_LOST, 15));
  }

  @Test
  void theSessionIsNotShutDown_beforeWhoAwaitsHasLeftTheDriver() {
    EventSet set = value(nvml.events(gpu, GPU));
    var heard = CompletableFuture.supplyAsync(set::await);
    Awaitility.await().until(() -> driver.stub_waiting() == 1);

    nvml.close();

    assertThat(driver.stub_waiting()).isZero();
    assertThat(driver.stub_calls("nvmlEventSetFree")).isEqualTo(1);
    assertThat(driver.stub_calls("nvmlShutdown")).isEqualTo(1);
    assertThat(heard.join()).isEqualTo(new Value<>(Optional.empty()));
    assertThatThrownBy(set::await)
        .isInstanceOf(NvmlException.class)
        .hasMessage("nvmlEventSetWait_v2: the session is not open (code 1)");
  }

  @Test
  void theSessionIsLeftOpen_whenTheDriverKeepsWhoAwaits() {
    EventSet set = value(nvml.events(gpu, GPU));
    driver.stub_hang("nvmlEventSetWait_v2", 16);
    var heard = CompletableFuture.supplyAsync(set::await);
    Awaitility.await().until(() -> driver.stub_hanging() == 1);

    nvml.close();

    assertThat(driver.stub_calls("nvmlShutdown")).isZero();
    assertThat(driver.stub_sets()).isEqualTo(1);
    assertThat(nvml.isOpen()).isTrue();
    driver.stub_release();
    assertThat(heard).succeedsWithin(Duration.ofSeconds(10));
    nvml.close();
    assertThat(driver.stub_calls("nvmlShutdown")).isEqualTo(1);
    assertThat(nvml.isOpen()).isFalse();
  }

  @Test
  void aRetiredSetIsGivenBackOnce() {
    EventSet set = value(nvml.events(gpu, GPU));

    assertThat(set.retire()).isTrue();
    assertThat(set.retire()).isTrue();
    nvml.close();

    assertThat(driver.stub_calls("nvmlEventSetFree")).isEqualTo(1);
    assertThatThrownBy(() -> CompletableFuture.supplyAsync(set::await).join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(NvmlException.class);
  }

  private static DriverEvent next(EventSet set) {
    return value(set.await()).orElseThrow();
  }
}
