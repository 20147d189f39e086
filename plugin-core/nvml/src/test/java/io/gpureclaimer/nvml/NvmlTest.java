package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.NvmlContract.value;
import static io.gpureclaimer.nvml.NvmlStub.ALL_GPUS;
import static io.gpureclaimer.nvml.NvmlStub.UNTOUCHED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.Nvml.Utilization;
import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each answer of the driver comes to mean; through the real binding, against the C stub. */
class NvmlTest {
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
  void readsEveryValueInItsUnit() {
    driver.stub_sensors(0, 55, 251_337, 9);

    assertThat(
            List.of(
                nvml.driverVersion(),
                nvml.nvmlVersion(),
                nvml.uuid(gpu),
                nvml.name(gpu),
                nvml.pciBusId(gpu),
                nvml.smClockMegahertz(gpu),
                nvml.memoryClockMegahertz(gpu),
                nvml.gpuTemperatureCelsius(gpu),
                nvml.powerMilliwatts(gpu),
                nvml.pcieReplays(gpu),
                nvml.utilization(gpu),
                nvml.encoderUtilizationPercent(gpu),
                nvml.decoderUtilizationPercent(gpu),
                nvml.memory(gpu),
                nvml.vgpuLicensed(gpu)))
        .isEqualTo(
            List.of(
                new Value<>("535.261.03"),
                new Value<>("12.535.261.03"),
                new Value<>(new GpuUuid("GPU-00000000-1111-2222-3333-000000000000")),
                new Value<>("Stub GPU"),
                new Value<>("00000000:1A:00.0"),
                new Value<>(1980L),
                new Value<>(2619L),
                new Value<>(55L),
                new Value<>(251_337L),
                new Value<>(9L),
                new Value<>(new Utilization(37, 12)),
                new Value<>(0L),
                new Value<>(0L),
                new Value<>(
                    new Memory(
                        85_899_345_920L,
                        OptionalLong.of(671_088_640),
                        84_154_515_456L,
                        1_073_741_824)),
                new Value<>(false)));
  }

  @ParameterizedTest(name = "code {0} is {1}")
  @CsvSource({
    "2, INVALID_ARGUMENT",
    "4, NO_PERMISSION",
    "10, TIMEOUT",
    "15, GPU_IS_LOST",
    "16, RESET_REQUIRED",
    "17, OPERATING_SYSTEM",
    "25, ARGUMENT_VERSION_MISMATCH",
    "999, UNKNOWN",
    "4711, UNKNOWN"
  })
  void failsWithTheCode_whenTheDriverTriedAndFailed(int code, NvmlReturn reason) {
    driver.stub_fail("nvmlDeviceGetPowerUsage", 0, code);

    assertThat(nvml.powerMilliwatts(gpu)).isEqualTo(new Failed<>(reason, code));
  }

  @ParameterizedTest(name = "code {0}")
  @ValueSource(ints = {3, 13, 26})
  void isUnsupported_whenTheDriverSaysSo(int code) {
    driver.stub_fail("nvmlDeviceGetPowerUsage", 0, code);

    assertThat(nvml.powerMilliwatts(gpu)).isEqualTo(new Unsupported<>());
  }

  @ParameterizedTest(name = "code {0}")
  @CsvSource({"1, the session is not open", "9, driver not loaded"})
  void throws_whenTheSessionIsGone(int code, String meaning) {
    driver.stub_fail("nvmlDeviceGetPowerUsage", 0, code);

    assertThatThrownBy(() -> nvml.powerMilliwatts(gpu))
        .isInstanceOf(NvmlException.class)
        .hasMessage("nvmlDeviceGetPowerUsage: " + meaning + " (code " + code + ")");
  }

  @ParameterizedTest(name = "code {0}")
  @CsvSource({
    "9, driver not loaded",
    "18, library and kernel driver are of different versions",
    "4, no permission",
    "4711, unknown error"
  })
  void doesNotOpen_whenTheDriverDoesNotLetUs(int code, String meaning) {
    driver.stub_fail("nvmlInit_v2", ALL_GPUS, code);

    assertThatThrownBy(() -> Nvml.open(stub.lib()))
        .isInstanceOf(NvmlException.class)
        .hasMessage("nvmlInit_v2: " + meaning + " (code " + code + ")");
    assertThat(driver.stub_calls("nvmlInit")).isZero();
  }

  @Test
  void oneGpuFailsAlone() {
    GpuHandle other = value(nvml.handle(1));
    driver.stub_fail("nvmlDeviceGetTemperature", 1, 15);

    assertThat(nvml.gpuTemperatureCelsius(gpu)).isEqualTo(new Value<>(41L));
    assertThat(nvml.gpuTemperatureCelsius(other))
        .isEqualTo(new Failed<>(NvmlReturn.GPU_IS_LOST, 15));
  }

  @Test
  void aHandleThatIsRefusedFailsAlone() {
    driver.stub_fail("nvmlDeviceGetHandleByIndex_v2", 1, 4);

    assertThat(nvml.handle(1)).isEqualTo(new Failed<>(NvmlReturn.NO_PERMISSION, 4));
    assertThat(nvml.deviceCount()).isEqualTo(2);
  }

  @Test
  void oneGpuAnswers_whileACallAboutAnotherHangs() {
    GpuHandle other = value(nvml.handle(1));
    driver.stub_hang("nvmlDeviceGetPowerUsage", 1);
    var hung = CompletableFuture.supplyAsync(() -> nvml.powerMilliwatts(other));
    Awaitility.await().until(() -> driver.stub_hanging() == 1);

    assertThat(nvml.powerMilliwatts(gpu)).isEqualTo(new Value<>(123_456L));
    assertThat(hung).isNotDone();

    driver.stub_release();
    assertThat(hung.join()).isEqualTo(new Value<>(123_456L));
  }

  @Test
  void unsignedNumbersStayUnsigned() {
    driver.stub_sensors(0, 41, 0xFFFF_FFFE, 0x8000_0000);

    assertThat(nvml.powerMilliwatts(gpu)).isEqualTo(new Value<>(4_294_967_294L));
    assertThat(nvml.pcieReplays(gpu)).isEqualTo(new Value<>(2_147_483_648L));
  }

  @ParameterizedTest(name = "{0} and {1} percent")
  @CsvSource({"-1, 0", "0, -1"})
  void utilizationThatIsNotAvailableIsUnsupported(int gpuPercent, int memoryPercent) {
    driver.stub_load(0, gpuPercent, memoryPercent);

    assertThat(nvml.utilization(gpu)).isEqualTo(new Unsupported<>());
  }

  @Test
  void numbersThatAreNotAvailableAreUnsupported() {
    driver.stub_sensors(0, 41, -1, -1);

    assertThat(nvml.powerMilliwatts(gpu)).isEqualTo(new Unsupported<>());
    assertThat(nvml.pcieReplays(gpu)).isEqualTo(new Unsupported<>());
  }

  @ParameterizedTest(name = "{0} degrees: {1}")
  @CsvSource({"200, true", "201, false", "-1, false"})
  void aTemperatureAbove200IsNone(int celsius, boolean isOne) {
    NvmlResult<Long> expected =
        isOne ? new Value<>(Integer.toUnsignedLong(celsius)) : new Unsupported<>();
    driver.stub_sensors(0, celsius, 1, 0);

    assertThat(nvml.gpuTemperatureCelsius(gpu)).isEqualTo(expected);
  }

  @Test
  void aTextThatWasPromisedAndNotWrittenFails() {
    assertThat(nvml.uuid(gpu)).isInstanceOf(Value.class);
    driver.stub_fail("nvmlDeviceGetName", 0, UNTOUCHED);
    driver.stub_identity(0, "", "unused");

    assertThat(nvml.name(gpu)).isEqualTo(new Failed<>(NvmlReturn.NO_DATA, 21));
    assertThat(nvml.uuid(gpu)).isEqualTo(new Failed<>(NvmlReturn.NO_DATA, 21));
  }

  @Test
  void namesAsLongAsTheBufferAreReadWhole() {
    String longest = "N".repeat(95);
    driver.stub_identity(0, "GPU-" + "a".repeat(91), longest);

    assertThat(nvml.name(gpu)).isEqualTo(new Value<>(longest));
    assertThat(nvml.uuid(gpu)).isEqualTo(new Value<>(new GpuUuid("GPU-" + "a".repeat(91))));
  }

  @ParameterizedTest(name = "\"{0}\"")
  @CsvSource({
    "'', 00010A0B:C1:1F.0",
    "00000000:3b:00.0, 00000000:3B:00.0",
    "10000000:3B:00.0, 10000000:3B:00.0"
  })
  void theBusIdIsUpperCaseWithALongDomain(String busId, String expected) {
    driver.stub_pci(0, 0x10A0B, 0xC1, 0x1F, busId);

    assertThat(nvml.pciBusId(gpu)).isEqualTo(new Value<>(expected));
  }

  @Test
  void theMeaningOfUsedMemoryDoesNotChange_whenTheDriverFailsOnce() {
    driver.stub_fail("nvmlDeviceGetMemoryInfo_v2", 0, 999);

    assertThat(nvml.memory(gpu)).isEqualTo(new Failed<>(NvmlReturn.UNKNOWN, 999));
    assertThat(driver.stub_calls("nvmlDeviceGetMemoryInfo")).isZero();
  }

  @ParameterizedTest(name = "code {0}")
  @ValueSource(ints = {13, 25})
  void memoryIsAskedTheOldWayForGood_whenTheLibraryDoesNotKnowTheNewOne(int code) {
    driver.stub_fail("nvmlDeviceGetMemoryInfo_v2", 0, code);
    Memory withoutReserved =
        new Memory(85_899_345_920L, OptionalLong.empty(), 84_154_515_456L, 1_744_830_464);

    for (int pass = 0; pass < 3; pass++) {
      assertThat(nvml.memory(gpu)).isEqualTo(new Value<>(withoutReserved));
    }
    assertThat(driver.stub_calls("nvmlDeviceGetMemoryInfo_v2")).isEqualTo(1);
  }

  @ParameterizedTest(name = "supported {0}, {1} entries, feature {2} in state {3}: {4}")
  @CsvSource({
    "1, 1, 1, 1, true",
    "1, 1, 1, 0, false",
    "1, 1, 2, 1, false",
    "1, 0, 1, 1, false",
    "0, 1, 1, 1, false",
    "1, 99, 1, 1, true"
  })
  void onlyTheVgpuFeatureCountsAsALicense(
      int supported, int count, int feature, int state, boolean licensed) {
    driver.stub_licenses(0, supported, count);
    driver.stub_license(0, 0, feature, state);

    assertThat(nvml.vgpuLicensed(gpu)).isEqualTo(new Value<>(licensed));
  }

  @Test
  void aSystemThatSupportsNoLicensesHasNone_andAFailureSaysNothing() {
    driver.stub_fail("nvmlDeviceGetGridLicensableFeatures_v4", 0, 3);
    assertThat(nvml.vgpuLicensed(gpu)).isEqualTo(new Value<>(false));

    driver.stub_fail("nvmlDeviceGetGridLicensableFeatures_v4", 0, 4);
    assertThat(nvml.vgpuLicensed(gpu)).isEqualTo(new Failed<>(NvmlReturn.NO_PERMISSION, 4));
  }

  @Test
  void aLicenseInTheLastEntryIsFound() {
    driver.stub_licenses(0, 1, 3);
    driver.stub_license(0, 2, 1, 1);

    assertThat(nvml.vgpuLicensed(gpu)).isEqualTo(new Value<>(true));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void everyScalarQuestionCallsItsOwnFunction(
      String function, BiFunction<Nvml, GpuHandle, NvmlResult<?>> question) {
    driver.stub_fail(function, 0, 16);

    assertThat(question.apply(nvml, gpu)).isEqualTo(new Failed<>(NvmlReturn.RESET_REQUIRED, 16));
  }

  static Stream<Arguments> everyScalarQuestionCallsItsOwnFunction() {
    return Stream.of(
        question("nvmlDeviceGetUUID", Nvml::uuid),
        question("nvmlDeviceGetName", Nvml::name),
        question("nvmlDeviceGetPciInfo_v3", Nvml::pciBusId),
        question("nvmlDeviceGetClockInfo", Nvml::smClockMegahertz),
        question("nvmlDeviceGetClockInfo", Nvml::memoryClockMegahertz),
        question("nvmlDeviceGetTemperature", Nvml::gpuTemperatureCelsius),
        question("nvmlDeviceGetPcieReplayCounter", Nvml::pcieReplays),
        question("nvmlDeviceGetUtilizationRates", Nvml::utilization),
        question("nvmlDeviceGetEncoderUtilization", Nvml::encoderUtilizationPercent),
        question("nvmlDeviceGetDecoderUtilization", Nvml::decoderUtilizationPercent),
        question("nvmlDeviceGetMemoryInfo_v2", Nvml::memory),
        question("nvmlDeviceGetGridLicensableFeatures_v4", Nvml::vgpuLicensed));
  }

  private static Arguments question(
      String function, BiFunction<Nvml, GpuHandle, NvmlResult<?>> question) {
    return Arguments.of(function, question);
  }
}
