package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.NvmlContract.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is measured between two samples; through the real binding, against the C stub. */
class GpmTest {
  private static final GpmQuery QUERY = new GpmQuery(List.of(1, 2, 300));
  private static final NvmlResult<List<NvmlResult<Double>>> NOTHING = new Value<>(List.of());
  private static final NvmlResult<List<NvmlResult<Double>>> MEASURED =
      new Value<>(List.of(new Value<>(37.5), new Value<>(12.0), new Unsupported<>()));

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
    driver.stub_number("nvmlGpmQueryDeviceSupport", 0, 0, 1);
    driver.stub_metric(1, 0, 37.5);
    driver.stub_metric(2, 0, 12);
    nvml = Nvml.open(stub.lib());
    gpu = value(nvml.handle(0));
  }

  @AfterEach
  void close() {
    nvml.close();
  }

  @Test
  void theFirstLookReportsNothing_andEachLaterOneWhatWasSinceTheLast() {
    assertThat(nvml.measure(gpu, QUERY)).isEqualTo(NOTHING);
    for (int pass = 0; pass < 3; pass++) {
      assertThat(nvml.measure(gpu, QUERY)).isEqualTo(MEASURED);
    }
    assertThat(driver.stub_calls("nvmlGpmSampleAlloc")).isEqualTo(2);
    assertThat(driver.stub_calls("nvmlGpmQueryDeviceSupport")).isEqualTo(1);
  }

  @Test
  void aMetricThatIsNoNumberIsAbsent_andOneThatFailedFailsAlone() {
    driver.stub_metric(1, 0, Double.NaN);
    driver.stub_metric(300, 999, 0);
    nvml.measure(gpu, QUERY);

    assertThat(nvml.measure(gpu, QUERY))
        .isEqualTo(
            new Value<>(
                List.of(
                    new Unsupported<>(),
                    new Value<>(12.0),
                    new Failed<>(NvmlReturn.UNKNOWN, 999))));
  }

  @Test
  void aPercentageFarAbove100Fails_andThroughputHasNoLimit() {
    var throughput = new GpmQuery(List.of(1, 20));
    driver.stub_metric(1, 0, 113_375);
    driver.stub_metric(20, 0, 54_000);
    nvml.measure(gpu, throughput);

    assertThat(value(nvml.measure(gpu, throughput)))
        .satisfiesExactly(
            percent -> assertThat(percent).isInstanceOf(Failed.class),
            bytes -> assertThat(bytes).isEqualTo(new Value<>(54_000.0)));
  }

  @Test
  void aMetricThatIsNoNumberOnceIsThereAgainWhenItIsOne() {
    nvml.measure(gpu, QUERY);
    driver.stub_metric(1, 0, Double.NaN);
    assertThat(nvml.measure(gpu, QUERY))
        .isEqualTo(
            new Value<>(List.of(new Unsupported<>(), new Value<>(12.0), new Unsupported<>())));

    driver.stub_metric(1, 0, 37.5);
    assertThat(nvml.measure(gpu, QUERY)).isEqualTo(MEASURED);
  }

  @Test
  void aMetricThatTheLibraryIsTooOldForDropsNoOther() {
    driver.stub_metric_limit(98);
    nvml.measure(gpu, QUERY);

    for (int pass = 0; pass < 3; pass++) {
      assertThat(nvml.measure(gpu, QUERY)).isEqualTo(MEASURED);
    }
    assertThat(driver.stub_calls("nvmlGpmMetricsGet")).isEqualTo(1 + 3 + 2);
  }

  @Test
  void isUnsupported_andNothingIsSampled_beforeHopper() {
    driver.stub_number("nvmlGpmQueryDeviceSupport", 0, 0, 0);

    assertThat(nvml.measure(gpu, QUERY)).isEqualTo(new Unsupported<>());
    assertThat(driver.stub_calls("nvmlGpmSampleAlloc")).isZero();
  }

  @Test
  void isUnsupported_whenTheLibraryHasNoGpm(@TempDir Path other) {
    NvmlStub older = NvmlStub.build(other, "nvmlGpmQueryDeviceSupport");
    older.control().stub_reset(1);

    try (Nvml session = Nvml.open(older.lib())) {
      assertThat(session.measure(value(session.handle(0)), QUERY)).isEqualTo(new Unsupported<>());
    }
  }

  @Test
  void isUnsupported_whenTheLibraryDoesNotKnowTheStruct() {
    driver.stub_fail("nvmlGpmQueryDeviceSupport", 0, 25);

    assertThat(nvml.measure(gpu, QUERY)).isEqualTo(new Unsupported<>());
  }

  @Test
  void afterASampleThatFailedThereIsNoDataForWhatLiesBetween() {
    nvml.measure(gpu, QUERY);
    driver.stub_fail("nvmlGpmSampleGet", 0, 999);
    assertThat(nvml.measure(gpu, QUERY)).isEqualTo(new Failed<>(NvmlReturn.UNKNOWN, 999));

    driver.stub_fail("nvmlGpmSampleGet", 0, 0);
    assertThat(nvml.measure(gpu, QUERY)).isEqualTo(new Failed<>(NvmlReturn.NO_DATA, 21));
    assertThat(nvml.measure(gpu, QUERY)).isEqualTo(MEASURED);
  }

  @Test
  void anInstanceIsMeasuredByItself() {
    nvml.measure(gpu, QUERY);

    assertThat(nvml.measure(gpu, 9, QUERY)).isEqualTo(NOTHING);
    assertThat(driver.stub_last_instance()).isEqualTo(9);
    assertThat(nvml.measure(gpu, QUERY)).isEqualTo(doubled());
    assertThat(nvml.measure(gpu, 9, QUERY)).isEqualTo(doubled());
  }

  @Test
  void aForgottenInstanceIsPolledAsNew_andNoOtherGpu() {
    GpuHandle other = value(nvml.handle(1));
    driver.stub_number("nvmlGpmQueryDeviceSupport", 1, 0, 1);
    nvml.measure(gpu, QUERY);
    nvml.measure(gpu, 9, QUERY);
    nvml.measure(other, 9, QUERY);

    nvml.forgetInstances(gpu);

    assertThat(driver.stub_samples()).isEqualTo(4);
    assertThat(nvml.measure(gpu, 9, QUERY)).isEqualTo(NOTHING);
    assertThat(nvml.measure(other, 9, QUERY)).isNotEqualTo(NOTHING);
    assertThat(nvml.measure(gpu, QUERY)).isNotEqualTo(NOTHING);
  }

  @Test
  void twoQueriesOfOneGpuShareItsSamples() {
    nvml.measure(gpu, QUERY);

    assertThat(nvml.measure(gpu, new GpmQuery(List.of(2))))
        .isEqualTo(new Value<>(List.of(new Value<>(12.0))));
    assertThat(driver.stub_samples()).isEqualTo(2);
  }

  @Test
  void theSamplesAreGivenBack_beforeTheSessionIs() {
    nvml.measure(gpu, QUERY);
    nvml.measure(gpu, 9, QUERY);
    assertThat(driver.stub_samples()).isEqualTo(4);

    nvml.close();

    assertThat(driver.stub_samples()).isZero();
  }

  /** The stub multiplies by how many samples lie between: another entity's, here. */
  private static NvmlResult<List<NvmlResult<Double>>> doubled() {
    return new Value<>(List.of(new Value<>(75.0), new Value<>(24.0), new Unsupported<>()));
  }
}
