package io.gpureclaimer.exporter.counters;

import static io.gpureclaimer.common.vocabulary.MetricType.COUNTER;
import static io.gpureclaimer.common.vocabulary.MetricType.GAUGE;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.common.vocabulary.MetricType;
import io.gpureclaimer.exporter.counters.CounterSet.LabelRow;
import java.util.List;

/** The rows of dcgm-exporter's default file. */
public final class ClassicCounters {
  private ClassicCounters() {}

  /** As dcgm-exporter 4.8.2 has them. */
  public static CounterSet set() {
    return new CounterSet(
        List.of(
            row(DcgmField.DEV_SM_CLOCK, GAUGE, "SM clock frequency (in MHz)."),
            row(DcgmField.DEV_MEM_CLOCK, GAUGE, "Memory clock frequency (in MHz)."),
            row(DcgmField.DEV_MEMORY_TEMP, GAUGE, "Memory temperature (in C)."),
            row(DcgmField.DEV_GPU_TEMP, GAUGE, "GPU temperature (in C)."),
            row(DcgmField.DEV_POWER_USAGE, GAUGE, "Power draw (in W)."),
            row(
                DcgmField.DEV_TOTAL_ENERGY_CONSUMPTION,
                COUNTER,
                "Total energy consumption since boot (in mJ)."),
            row(DcgmField.DEV_PCIE_REPLAY_COUNTER, COUNTER, "Total number of PCIe retries."),
            row(DcgmField.DEV_GPU_UTIL, GAUGE, "GPU utilization (in %)."),
            row(DcgmField.DEV_MEM_COPY_UTIL, GAUGE, "Memory utilization (in %)."),
            row(DcgmField.DEV_ENC_UTIL, GAUGE, "Encoder utilization (in %)."),
            row(DcgmField.DEV_DEC_UTIL, GAUGE, "Decoder utilization (in %)."),
            row(DcgmField.DEV_FB_FREE, GAUGE, "Framebuffer memory free (in MiB)."),
            row(DcgmField.DEV_FB_USED, GAUGE, "Framebuffer memory used (in MiB)."),
            row(DcgmField.DEV_FB_RESERVED, GAUGE, "Framebuffer memory reserved (in MiB)."),
            row(
                DcgmField.DEV_UNCORRECTABLE_REMAPPED_ROWS,
                COUNTER,
                "Number of remapped rows for uncorrectable errors"),
            row(
                DcgmField.DEV_CORRECTABLE_REMAPPED_ROWS,
                COUNTER,
                "Number of remapped rows for correctable errors"),
            row(DcgmField.DEV_ROW_REMAP_FAILURE, GAUGE, "Whether remapping of rows has failed"),
            row(
                DcgmField.DEV_NVLINK_BANDWIDTH_TOTAL,
                GAUGE,
                "Throughput of all NVLinks (in MB/s)."),
            row(DcgmField.DEV_VGPU_LICENSE_STATUS, GAUGE, "vGPU License status")),
        List.of(new LabelRow(DcgmField.DRIVER_VERSION, DcgmField.DRIVER_VERSION.metricName())),
        List.of());
  }

  private static Counter row(DcgmField field, MetricType type, String help) {
    return new Counter(field, field.metricName(), type, help);
  }
}
