package io.gpureclaimer.core.vocabulary;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DcgmFieldTest {

  @Test
  void areDcgmExportersOwn_inTheOrderOfTheirIds() {
    String rows =
        Arrays.stream(DcgmField.values())
            .map(
                field ->
                    field.id()
                        + " "
                        + field.metricName()
                        + ", "
                        + field.type().text()
                        + ", "
                        + field.help())
            .collect(Collectors.joining("\n", "", "\n"));

    assertThat(DcgmField.values()).isSortedAccordingTo(Comparator.comparingInt(DcgmField::id));
    assertThat(rows)
        .isEqualTo(
            """
            100 DCGM_FI_DEV_SM_CLOCK, gauge, SM clock frequency (in MHz).
            101 DCGM_FI_DEV_MEM_CLOCK, gauge, Memory clock frequency (in MHz).
            140 DCGM_FI_DEV_MEMORY_TEMP, gauge, Memory temperature (in C).
            150 DCGM_FI_DEV_GPU_TEMP, gauge, GPU temperature (in C).
            155 DCGM_FI_DEV_POWER_USAGE, gauge, Power draw (in W).
            156 DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION, counter, Total energy consumption since boot (in mJ).
            202 DCGM_FI_DEV_PCIE_REPLAY_COUNTER, counter, Total number of PCIe retries.
            203 DCGM_FI_DEV_GPU_UTIL, gauge, GPU utilization (in %).
            204 DCGM_FI_DEV_MEM_COPY_UTIL, gauge, Memory utilization (in %).
            206 DCGM_FI_DEV_ENC_UTIL, gauge, Encoder utilization (in %).
            207 DCGM_FI_DEV_DEC_UTIL, gauge, Decoder utilization (in %).
            251 DCGM_FI_DEV_FB_FREE, gauge, Framebuffer memory free (in MiB).
            252 DCGM_FI_DEV_FB_USED, gauge, Framebuffer memory used (in MiB).
            253 DCGM_FI_DEV_FB_RESERVED, gauge, Framebuffer memory reserved (in MiB).
            393 DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS, counter, Number of remapped rows for uncorrectable errors
            394 DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS, counter, Number of remapped rows for correctable errors
            395 DCGM_FI_DEV_ROW_REMAP_FAILURE, gauge, Whether remapping of rows has failed
            449 DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL, counter, Total number of NVLink bandwidth counters for all lanes
            526 DCGM_FI_DEV_VGPU_LICENSE_STATUS, gauge, vGPU License status
            """);
  }

  @Test
  void onlyPowerIsWrittenWithDecimals() {
    assertThat(DcgmField.values())
        .filteredOn(field -> field.form() == NumberForm.SIX_DECIMALS)
        .containsExactly(DcgmField.DEV_POWER_USAGE);
  }
}
