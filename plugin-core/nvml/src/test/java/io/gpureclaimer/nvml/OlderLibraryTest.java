package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.NvmlContract.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A library that lacks what came later: older ways are found, and what has none is unsupported. */
class OlderLibraryTest {
  private static final FieldQuery ENERGY = new FieldQuery(List.of(FieldQuery.Field.of(83)));

  @TempDir private Path folder;

  @Test
  void findsEveryOlderWay() {
    NvmlStub stub =
        without(
            "nvmlInit_v2",
            "nvmlDeviceGetCount_v2",
            "nvmlDeviceGetHandleByIndex_v2",
            "nvmlDeviceGetPciInfo_v3",
            "nvmlDeviceGetMemoryInfo_v2",
            "nvmlDeviceGetFieldValues");

    try (Nvml nvml = Nvml.open(stub.lib())) {
      GpuHandle gpu = value(nvml.handle(0));
      for (int pass = 0; pass < 3; pass++) {
        assertThat(
                List.of(
                    nvml.deviceCount(),
                    nvml.pciBusId(gpu),
                    nvml.memory(gpu),
                    nvml.fieldValues(gpu, ENERGY)))
            .isEqualTo(
                List.of(
                    1,
                    new Value<>("00000000:1A:00.0"),
                    new Value<>(
                        new Memory(
                            85_899_345_920L, OptionalLong.empty(), 84_154_515_456L, 1_744_830_464)),
                    new Unsupported<>()));
      }
    }
    assertThat(stub.control().stub_calls("nvmlInit")).isEqualTo(1);
    assertThat(stub.control().stub_calls("nvmlShutdown")).isEqualTo(1);
  }

  @Test
  void findsTheOldestWayToTheBusId() {
    NvmlStub stub = without("nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetPciInfo_v2");

    try (Nvml nvml = Nvml.open(stub.lib())) {
      assertThat(nvml.pciBusId(value(nvml.handle(0)))).isEqualTo(new Value<>("00000000:1A:00.0"));
    }
  }

  @Test
  void anOlderWayToOneThingIsNotTakenForAnother() {
    NvmlStub stub = without("nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetPciInfo_v2");
    stub.control().stub_number("nvmlDeviceGetCurrentClocksEventReasons", 0, 0, 4);

    try (Nvml nvml = Nvml.open(stub.lib())) {
      GpuHandle gpu = value(nvml.handle(0));
      nvml.pciBusId(gpu);

      assertThat(nvml.numbers(gpu, List.of(DeviceNumbers.CLOCKS_EVENT_REASONS)))
          .containsExactly(new Value<>(4L));
      assertThat(value(nvml.memory(gpu)).reservedBytes()).isPresent();
    }
  }

  @Test
  void reportsTheFabric_withoutItsHealth_inTheFirstVersion() {
    NvmlStub stub = without("nvmlDeviceGetGpuFabricInfoV");
    stub.control().stub_number("nvmlDeviceGetGpuFabricInfoV", 0, 1, 3);
    stub.control().stub_number("nvmlDeviceGetGpuFabricInfoV", 0, 3, 77);
    stub.control().stub_number("nvmlDeviceGetGpuFabricInfoV", 0, 6, 1);

    try (Nvml nvml = Nvml.open(stub.lib())) {
      GpuHandle gpu = value(nvml.handle(0));
      for (int pass = 0; pass < 2; pass++) {
        assertThat(
                nvml.numbers(
                    gpu,
                    List.of(
                        DeviceNumbers.FABRIC_STATUS,
                        DeviceNumbers.FABRIC_ERROR,
                        DeviceNumbers.FABRIC_CLIQUE,
                        DeviceNumbers.FABRIC_HEALTH_MASK,
                        DeviceNumbers.FABRIC_HEALTH_SUMMARY)))
            .containsExactly(
                new Value<>(3L),
                new Value<>(0L),
                new Value<>(77L),
                new Unsupported<>(),
                new Unsupported<>());
        assertThat(nvml.text(gpu, DeviceTexts.FABRIC_CLUSTER))
            .isEqualTo(new Value<>("10111213-1415-1617-1819-1a1b1c1d1e1f"));
      }
    }
  }

  @Test
  void isUnsupported_whenNoWayIsLeft() {
    NvmlStub stub =
        without(
            "nvmlDeviceGetPowerUsage",
            "nvmlDeviceGetMemoryInfo_v2",
            "nvmlDeviceGetMemoryInfo",
            "nvmlDeviceGetFieldValues",
            "nvmlSystemGetNVMLVersion",
            "nvmlDeviceGetHandleByIndex_v2",
            "nvmlDeviceGetGridLicensableFeatures_v4",
            "nvmlDeviceGetPlatformInfo");

    try (Nvml nvml = Nvml.open(stub.lib())) {
      GpuHandle gpu = value(nvml.handle(0));
      assertThat(
              List.of(
                  nvml.powerMilliwatts(gpu),
                  nvml.powerMilliwatts(gpu),
                  nvml.memory(gpu),
                  nvml.fieldValues(gpu, ENERGY),
                  nvml.vgpuLicensed(gpu),
                  nvml.numbers(gpu, List.of(DeviceNumbers.CHASSIS_SLOT)).getFirst(),
                  nvml.text(gpu, DeviceTexts.CHASSIS_SERIAL),
                  nvml.nvmlVersion()))
          .containsOnly(new Unsupported<>());
    }
  }

  @Test
  void closesQuietly_whenThereIsNothingToCloseWith() {
    NvmlStub stub = without("nvmlShutdown");

    Nvml nvml = Nvml.open(stub.lib());
    nvml.close();

    assertThat(nvml.deviceCount()).isEqualTo(1);
  }

  @Test
  void doesNotOpen_whenThereIsNothingToOpenWith() {
    NvmlStub stub = without("nvmlInit_v2", "nvmlInit");

    assertThatThrownBy(() -> Nvml.open(stub.lib()))
        .isInstanceOf(NvmlException.class)
        .hasMessage("nvmlInit: function not found in this library (code 13)");
  }

  private NvmlStub without(String... functions) {
    NvmlStub stub = NvmlStub.build(folder, functions);
    stub.control().stub_reset(1);
    return stub;
  }
}
