package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.NvmlContract.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
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

/** Single numbers and texts; through the real binding, against the C stub. */
class DeviceNumbersTest {
  private static final String FABRIC = "nvmlDeviceGetGpuFabricInfoV";
  private static final String PLATFORM = "nvmlDeviceGetPlatformInfo";
  private static final String PCI = "nvmlDeviceGetPciInfo_v3";
  private static final String BAR1 = "nvmlDeviceGetBAR1MemoryInfo";
  private static final List<DeviceNumber> PLATFORM_NUMBERS =
      List.of(
          DeviceNumbers.CHASSIS_SLOT,
          DeviceNumbers.TRAY_INDEX,
          DeviceNumbers.HOST_ID,
          DeviceNumbers.PEER_TYPE,
          DeviceNumbers.MODULE_ID);

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
    nvml.close();
  }

  @ParameterizedTest(name = "{0}, selector {1}")
  @MethodSource("numbers")
  void isWhatItsOwnFunctionSaysOfItsOwnSelector(
      String function, int selector, DeviceNumber number) {
    for (int other = 0; other < 8; other++) {
      driver.stub_number(function, 0, other, 100 + other);
    }
    driver.stub_number(function, 0, selector, 4_000_000_000L);

    assertThat(ask(number)).isEqualTo(new Value<>(4_000_000_000L));
  }

  @ParameterizedTest(name = "{0}, selector {1}")
  @MethodSource("numbers")
  void isUnsupported_whenTheDriverSaysSo(String function, int selector, DeviceNumber number) {
    driver.stub_fail(function, 0, 3);

    assertThat(ask(number)).isEqualTo(new Unsupported<>());
  }

  @ParameterizedTest(name = "{0}, selector {1}")
  @MethodSource("numbers")
  void failsWithTheCode_whenTheDriverTriedAndFailed(
      String function, int selector, DeviceNumber number) {
    driver.stub_fail(function, 0, 999);

    assertThat(ask(number)).isEqualTo(new Failed<>(NvmlReturn.UNKNOWN, 999));
  }

  static Stream<Arguments> numbers() {
    return Stream.of(
        Arguments.of("nvmlDeviceGetApplicationsClock", 0, DeviceNumbers.APPLICATION_SM_CLOCK),
        Arguments.of("nvmlDeviceGetApplicationsClock", 2, DeviceNumbers.APPLICATION_MEMORY_CLOCK),
        Arguments.of(
            "nvmlDeviceGetInforomConfigurationChecksum", 0, DeviceNumbers.INFOROM_CHECKSUM),
        Arguments.of("nvmlDeviceGetJpgUtilization", 0, DeviceNumbers.JPEG_UTILIZATION),
        Arguments.of("nvmlDeviceGetOfaUtilization", 0, DeviceNumbers.OFA_UTILIZATION),
        Arguments.of("nvmlDeviceGetMaxClockInfo", 1, DeviceNumbers.MAX_SM_CLOCK),
        Arguments.of("nvmlDeviceGetMaxClockInfo", 2, DeviceNumbers.MAX_MEMORY_CLOCK),
        Arguments.of("nvmlDeviceGetMaxClockInfo", 3, DeviceNumbers.MAX_VIDEO_CLOCK),
        Arguments.of(
            "nvmlDeviceGetCurrentClocksEventReasons", 0, DeviceNumbers.CLOCKS_EVENT_REASONS),
        Arguments.of("nvmlDeviceGetTemperatureThreshold", 0, DeviceNumbers.SHUTDOWN_TEMPERATURE),
        Arguments.of("nvmlDeviceGetTemperatureThreshold", 1, DeviceNumbers.SLOWDOWN_TEMPERATURE),
        Arguments.of("nvmlDeviceGetTemperatureThreshold", 2, DeviceNumbers.MAX_MEMORY_TEMPERATURE),
        Arguments.of("nvmlDeviceGetTemperatureThreshold", 3, DeviceNumbers.MAX_GPU_TEMPERATURE),
        Arguments.of("nvmlDeviceGetPowerManagementLimit", 0, DeviceNumbers.POWER_LIMIT),
        Arguments.of(
            "nvmlDeviceGetPowerManagementLimitConstraints", 0, DeviceNumbers.MIN_POWER_LIMIT),
        Arguments.of(
            "nvmlDeviceGetPowerManagementLimitConstraints", 1, DeviceNumbers.MAX_POWER_LIMIT),
        Arguments.of(
            "nvmlDeviceGetPowerManagementDefaultLimit", 0, DeviceNumbers.DEFAULT_POWER_LIMIT),
        Arguments.of("nvmlDeviceGetEnforcedPowerLimit", 0, DeviceNumbers.ENFORCED_POWER_LIMIT),
        Arguments.of("nvmlDeviceGetPerformanceState", 0, DeviceNumbers.PERFORMANCE_STATE),
        Arguments.of("nvmlDeviceGetFanSpeed", 0, DeviceNumbers.FAN_SPEED),
        Arguments.of("nvmlDeviceGetMaxPcieLinkGeneration", 0, DeviceNumbers.MAX_PCIE_GENERATION),
        Arguments.of("nvmlDeviceGetMaxPcieLinkWidth", 0, DeviceNumbers.MAX_PCIE_WIDTH),
        Arguments.of("nvmlDeviceGetCurrPcieLinkGeneration", 0, DeviceNumbers.PCIE_GENERATION),
        Arguments.of("nvmlDeviceGetCurrPcieLinkWidth", 0, DeviceNumbers.PCIE_WIDTH),
        Arguments.of("nvmlDeviceGetEccMode", 0, DeviceNumbers.ECC_MODE),
        Arguments.of("nvmlDeviceGetEccMode", 1, DeviceNumbers.PENDING_ECC_MODE),
        Arguments.of("nvmlDeviceGetSramEccErrorStatus", 0, DeviceNumbers.SRAM_THRESHOLD_EXCEEDED),
        Arguments.of("nvmlDeviceGetRowRemapperHistogram", 0, DeviceNumbers.BANKS_WITH_ALL_ROWS),
        Arguments.of("nvmlDeviceGetRowRemapperHistogram", 1, DeviceNumbers.BANKS_WITH_MANY_ROWS),
        Arguments.of("nvmlDeviceGetRowRemapperHistogram", 2, DeviceNumbers.BANKS_WITH_SOME_ROWS),
        Arguments.of("nvmlDeviceGetRowRemapperHistogram", 3, DeviceNumbers.BANKS_WITH_FEW_ROWS),
        Arguments.of("nvmlDeviceGetRowRemapperHistogram", 4, DeviceNumbers.BANKS_WITHOUT_ROWS),
        Arguments.of("nvmlDeviceGetRetiredPages", 0, DeviceNumbers.PAGES_RETIRED_SINGLE_BIT),
        Arguments.of(
            "nvmlDeviceGetUnrepairableMemoryFlag_v1", 0, DeviceNumbers.MEMORY_UNREPAIRABLE),
        Arguments.of(BAR1, 0, DeviceNumbers.BAR1_TOTAL),
        Arguments.of(BAR1, 1, DeviceNumbers.BAR1_FREE),
        Arguments.of(BAR1, 2, DeviceNumbers.BAR1_USED),
        Arguments.of(PCI, 0, DeviceNumbers.PCI_COMBINED_ID),
        Arguments.of(PCI, 1, DeviceNumbers.PCI_SUBSYSTEM_ID),
        Arguments.of("nvmlDeviceGetVirtualizationMode", 0, DeviceNumbers.VIRTUALIZATION_MODE),
        Arguments.of("nvmlDeviceGetComputeMode", 0, DeviceNumbers.COMPUTE_MODE),
        Arguments.of("nvmlDeviceGetPersistenceMode", 0, DeviceNumbers.PERSISTENCE_MODE),
        Arguments.of(
            "nvmlDeviceGetMemoryErrorCounter",
            3,
            DeviceNumbers.volatileSingleBitErrors(MemoryLocation.REGISTER_FILE)),
        Arguments.of(
            "nvmlDeviceGetMemoryErrorCounter",
            107,
            DeviceNumbers.volatileDoubleBitErrors(MemoryLocation.SRAM)),
        Arguments.of(
            "nvmlDeviceGetMemoryErrorCounter",
            12,
            DeviceNumbers.aggregateSingleBitErrors(MemoryLocation.DEVICE_MEMORY)),
        Arguments.of(
            "nvmlDeviceGetMemoryErrorCounter",
            110,
            DeviceNumbers.aggregateDoubleBitErrors(MemoryLocation.L1_CACHE)),
        Arguments.of(
            "nvmlDeviceGetNvLinkErrorCounter",
            173,
            DeviceNumbers.linkErrors(LinkError.CRC_DATA, 17)));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("numbers")
  void isUnsupported_whenAllBitsAreSet(String function, int selector, DeviceNumber number) {
    for (int other = 0; other < 8; other++) {
      driver.stub_number(function, 0, other, 100 + other);
    }
    driver.stub_number(function, 0, selector, -1);

    assertThat(nvml.numbers(gpu, List.of(number))).containsExactly(new Unsupported<>());
  }

  @Test
  void whatNeedsNoSelectorIsReadToo() {
    driver.stub_number("nvmlDeviceGetMarginTemperature", 0, 0, -7);
    driver.stub_number("nvmlDeviceGetCudaComputeCapability", 0, 0, 9);
    driver.stub_number("nvmlDeviceGetCudaComputeCapability", 0, 1, 2);

    assertThat(
            nvml.numbers(
                gpu,
                List.of(
                    DeviceNumbers.VIDEO_CLOCK,
                    DeviceNumbers.MARGIN_TEMPERATURE,
                    DeviceNumbers.CUDA_COMPUTE_CAPABILITY,
                    DeviceNumbers.CUDA_DRIVER_VERSION,
                    DeviceNumbers.CONFIDENTIAL_COMPUTE_MODE)))
        .containsExactly(
            new Value<>(1545L),
            new Value<>(-7L),
            new Value<>((9L << 16) | 2),
            new Value<>(12_040L),
            new Value<>(1L));
  }

  @Test
  void numbersOfOneCallCostOneCall() {
    driver.stub_number(BAR1, 0, 0, 30);
    driver.stub_number(BAR1, 0, 1, 20);
    driver.stub_number(BAR1, 0, 2, 10);

    assertThat(
            nvml.numbers(
                gpu,
                List.of(
                    DeviceNumbers.BAR1_TOTAL, DeviceNumbers.BAR1_USED, DeviceNumbers.BAR1_FREE)))
        .containsExactly(new Value<>(30L), new Value<>(10L), new Value<>(20L));
    assertThat(driver.stub_calls(BAR1)).isEqualTo(1);
  }

  @Test
  void aLostGpuIsAskedNothingMore() {
    driver.stub_fail("nvmlDeviceGetFanSpeed", 0, 15);

    assertThat(
            nvml.numbers(
                gpu,
                List.of(
                    DeviceNumbers.FAN_SPEED,
                    DeviceNumbers.POWER_LIMIT,
                    DeviceNumbers.CLOCKS_EVENT_REASONS)))
        .containsOnly(new Failed<>(NvmlReturn.GPU_IS_LOST, 15));
    assertThat(driver.stub_calls("nvmlDeviceGetPowerManagementLimit")).isZero();
    assertThat(driver.stub_calls("nvmlDeviceGetCurrentClocksEventReasons")).isZero();
  }

  @Test
  void theReasonsHaveAnOlderName(@TempDir Path other) {
    NvmlStub older = NvmlStub.build(other, "nvmlDeviceGetCurrentClocksEventReasons");
    older.control().stub_reset(1);
    older.control().stub_number("nvmlDeviceGetCurrentClocksThrottleReasons", 0, 0, 0x105);

    try (Nvml session = Nvml.open(older.lib())) {
      GpuHandle handle = value(session.handle(0));
      for (int pass = 0; pass < 2; pass++) {
        assertThat(session.numbers(handle, List.of(DeviceNumbers.CLOCKS_EVENT_REASONS)))
            .containsExactly(new Value<>(0x105L));
      }
    }
  }

  @Test
  void aCorruptInforomIsAnAnswer() {
    assertThat(ask(DeviceNumbers.INFOROM_VALID)).isEqualTo(new Unsupported<>());
    driver.stub_number("nvmlDeviceValidateInforom", 0, 0, 0);
    assertThat(ask(DeviceNumbers.INFOROM_VALID)).isEqualTo(new Value<>(1L));
    driver.stub_fail("nvmlDeviceValidateInforom", 0, 14);
    assertThat(ask(DeviceNumbers.INFOROM_VALID)).isEqualTo(new Value<>(0L));
    driver.stub_fail("nvmlDeviceValidateInforom", 0, 999);
    assertThat(ask(DeviceNumbers.INFOROM_VALID)).isEqualTo(new Failed<>(NvmlReturn.UNKNOWN, 999));
  }

  @Test
  void whatTakesLongIsAskedOnAnotherThread_withMemoryOfItsOwn() {
    driver.stub_number("nvmlDeviceGetFanSpeed", 0, 0, 40);
    var asked = List.of(DeviceNumbers.FAN_SPEED);

    assertThat(nvml.numbersApart(gpu, asked)).isEqualTo(nvml.numbers(gpu, asked));
    nvml.close();
    assertThatThrownBy(() -> nvml.numbersApart(gpu, asked)).isInstanceOf(NvmlException.class);
  }

  @Test
  void anUnknownPerformanceStateIsNone() {
    driver.stub_number("nvmlDeviceGetPerformanceState", 0, 0, 32);

    assertThat(ask(DeviceNumbers.PERFORMANCE_STATE)).isEqualTo(new Unsupported<>());
  }

  @Test
  void aPlaceThatTheBoardDoesNotHaveIsUnsupported() {
    driver.stub_fail("nvmlDeviceGetMemoryErrorCounter", 0, 2);
    driver.stub_fail("nvmlDeviceGetNvLinkErrorCounter", 0, 2);

    assertThat(ask(DeviceNumbers.volatileSingleBitErrors(MemoryLocation.CBU)))
        .isEqualTo(new Unsupported<>());
    assertThat(ask(DeviceNumbers.linkErrors(LinkError.REPLAY, 17))).isEqualTo(new Unsupported<>());
  }

  @ParameterizedTest(name = "state {0} with code {1} is {2}")
  @CsvSource({"0, 0, 0", "1, 0, 1", "2, 0, 2", "3, 0, 3", "3, 999, 4", "7, 0, 5"})
  void theFabricsStatusIsInDcgmsNumbers(int state, int code, long status) {
    fabric(3, state, code);

    assertThat(ask(DeviceNumbers.FABRIC_STATUS)).isEqualTo(new Value<>(status));
  }

  @Test
  void whatTheGpuSaysOfItsFabric() {
    fabric(3, 3, 0);

    assertThat(fabricNumbers())
        .containsExactly(new Value<>(0L), new Value<>(77L), new Value<>(0x2AL), new Value<>(1L));
    assertThat(nvml.text(gpu, DeviceTexts.FABRIC_CLUSTER))
        .isEqualTo(new Value<>("10111213-1415-1617-1819-1a1b1c1d1e1f"));
  }

  @Test
  void whatIsOnlyKnownOfAGpuThatHasJoinedIsAbsentBefore() {
    fabric(3, 2, 0);

    assertThat(fabricNumbers())
        .containsExactly(
            new Unsupported<>(), new Unsupported<>(), new Value<>(0x2AL), new Value<>(1L));
    assertThat(nvml.text(gpu, DeviceTexts.FABRIC_CLUSTER)).isEqualTo(new Unsupported<>());
  }

  @Test
  void anOlderLibraryHasNoSummaryOfTheFabric() {
    fabric(2, 3, 0);

    assertThat(fabricNumbers())
        .containsExactly(
            new Value<>(0L), new Value<>(77L), new Value<>(0x2AL), new Unsupported<>());
  }

  @Test
  void aClusterWithoutANameIsNone() {
    fabric(3, 3, 0);
    driver.stub_number(FABRIC, 0, 6, 0);

    assertThat(nvml.text(gpu, DeviceTexts.FABRIC_CLUSTER)).isEqualTo(new Unsupported<>());
  }

  @Test
  void whereTheGpuSitsInItsChassis() {
    platform(2, 0xF00D_0000_0000_000AL);
    driver.stub_chassis_serial("1820124000017");

    assertThat(nvml.numbers(gpu, PLATFORM_NUMBERS))
        .containsExactly(
            new Value<>(255L), new Value<>(21L), new Value<>(1L), new Value<>(2L), new Value<>(7L));
    assertThat(driver.stub_calls(PLATFORM)).isEqualTo(1);
    assertThat(nvml.text(gpu, DeviceTexts.INFINIBAND_GUID))
        .isEqualTo(new Value<>("0xf00d00000000000a"));
    assertThat(nvml.text(gpu, DeviceTexts.CHASSIS_SERIAL)).isEqualTo(new Value<>("1820124000017"));
  }

  @ParameterizedTest(name = "version {0}, code {1}")
  @CsvSource({"1, 0", "0, 0", "2, 2", "2, 3", "2, 13", "2, 25"})
  void thePlatformIsUnsupported_whenTheLibraryDoesNotKnowIt(int version, int code) {
    platform(version, 1);
    driver.stub_chassis_serial("1820124000017");
    driver.stub_fail(PLATFORM, 0, code);

    assertThat(nvml.numbers(gpu, PLATFORM_NUMBERS)).containsOnly(new Unsupported<>());
    assertThat(nvml.text(gpu, DeviceTexts.INFINIBAND_GUID)).isEqualTo(new Unsupported<>());
    assertThat(nvml.text(gpu, DeviceTexts.CHASSIS_SERIAL)).isEqualTo(new Unsupported<>());
  }

  @Test
  void thePlatformFailsWithTheCode_whenTheDriverTriedAndFailed() {
    driver.stub_fail(PLATFORM, 0, 999);

    assertThat(nvml.numbers(gpu, PLATFORM_NUMBERS))
        .containsOnly(new Failed<>(NvmlReturn.UNKNOWN, 999));
    assertThat(nvml.text(gpu, DeviceTexts.INFINIBAND_GUID))
        .isEqualTo(new Failed<>(NvmlReturn.UNKNOWN, 999));
    assertThat(nvml.text(gpu, DeviceTexts.CHASSIS_SERIAL))
        .isEqualTo(new Failed<>(NvmlReturn.UNKNOWN, 999));
  }

  @Test
  void aGuidOfZerosIsNone() {
    platform(2, 0);

    assertThat(nvml.text(gpu, DeviceTexts.INFINIBAND_GUID)).isEqualTo(new Unsupported<>());
  }

  @Test
  void aSerialNumberMayFillAllOfItsBytes() {
    platform(2, 1);
    driver.stub_chassis_serial("0123456789 ~!XYZ");

    assertThat(nvml.text(gpu, DeviceTexts.CHASSIS_SERIAL))
        .isEqualTo(new Value<>("0123456789 ~!XYZ"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "   ", "N/A", "18\t20", "18\u007F", "18\u00E9"})
  void aSerialNumberThatCannotBeReadIsNone(String serial) {
    platform(2, 1);
    driver.stub_chassis_serial(serial);

    assertThat(nvml.text(gpu, DeviceTexts.CHASSIS_SERIAL)).isEqualTo(new Unsupported<>());
  }

  @Test
  void textsAreRead_asLongAsTheirBuffer() {
    driver.stub_number("nvmlDeviceGetBrand", 0, 0, 14);

    assertThat(
            Stream.of(
                    DeviceTexts.BRAND,
                    DeviceTexts.SERIAL,
                    DeviceTexts.INFOROM_OEM_VERSION,
                    DeviceTexts.INFOROM_ECC_VERSION,
                    DeviceTexts.INFOROM_POWER_VERSION,
                    DeviceTexts.INFOROM_IMAGE_VERSION,
                    DeviceTexts.VBIOS_VERSION)
                .map(text -> nvml.text(gpu, text)))
        .containsExactly(
            new Value<>("NVIDIA"),
            new Value<>("Serial"),
            new Value<>("object 0"),
            new Value<>("object 1"),
            new Value<>("object 2"),
            new Value<>("InforomImageVer"),
            new Value<>("VbiosVersion"));
  }

  @Test
  void aBrandWithoutANameIsNone() {
    driver.stub_number("nvmlDeviceGetBrand", 0, 0, 0);

    assertThat(nvml.text(gpu, DeviceTexts.BRAND)).isEqualTo(new Unsupported<>());
  }

  private NvmlResult<Long> ask(DeviceNumber number) {
    return nvml.numbers(gpu, List.of(number)).getFirst();
  }

  private List<NvmlResult<Long>> fabricNumbers() {
    return nvml.numbers(
        gpu,
        List.of(
            DeviceNumbers.FABRIC_ERROR,
            DeviceNumbers.FABRIC_CLIQUE,
            DeviceNumbers.FABRIC_HEALTH_MASK,
            DeviceNumbers.FABRIC_HEALTH_SUMMARY));
  }

  /** Numbers in the order of {@link #PLATFORM_NUMBERS}. */
  private void platform(int version, long guid) {
    driver.stub_number(PLATFORM, 0, 0, version);
    driver.stub_number(PLATFORM, 0, 1, guid);
    driver.stub_number(PLATFORM, 0, 2, 255);
    driver.stub_number(PLATFORM, 0, 3, 21);
    driver.stub_number(PLATFORM, 0, 4, 1);
    driver.stub_number(PLATFORM, 0, 5, 2);
    driver.stub_number(PLATFORM, 0, 6, 7);
  }

  private void fabric(int version, int state, int code) {
    driver.stub_number(FABRIC, 0, 0, version);
    driver.stub_number(FABRIC, 0, 1, state);
    driver.stub_number(FABRIC, 0, 2, code);
    driver.stub_number(FABRIC, 0, 3, 77);
    driver.stub_number(FABRIC, 0, 4, 0x2A);
    driver.stub_number(FABRIC, 0, 5, 1);
    driver.stub_number(FABRIC, 0, 6, 1);
  }
}
