package io.gpureclaimer.core.vocabulary;

import static io.gpureclaimer.core.vocabulary.MetricType.COUNTER;
import static io.gpureclaimer.core.vocabulary.MetricType.GAUGE;
import static io.gpureclaimer.core.vocabulary.NumberForm.INTEGER;
import static io.gpureclaimer.core.vocabulary.NumberForm.SIX_DECIMALS;

/**
 * The fields of dcgm-exporter's default file that the driver answers, in the order of their ids;
 * names, types and help texts are dcgm-exporter 4.8.2's own.
 */
public enum DcgmField {
  DEV_SM_CLOCK(100, GAUGE, INTEGER, "SM clock frequency (in MHz)."),
  DEV_MEM_CLOCK(101, GAUGE, INTEGER, "Memory clock frequency (in MHz)."),
  DEV_MEMORY_TEMP(140, GAUGE, INTEGER, "Memory temperature (in C)."),
  DEV_GPU_TEMP(150, GAUGE, INTEGER, "GPU temperature (in C)."),
  DEV_POWER_USAGE(155, GAUGE, SIX_DECIMALS, "Power draw (in W)."),
  DEV_TOTAL_ENERGY_CONSUMPTION(
      156, COUNTER, INTEGER, "Total energy consumption since boot (in mJ)."),
  DEV_PCIE_REPLAY_COUNTER(202, COUNTER, INTEGER, "Total number of PCIe retries."),
  DEV_GPU_UTIL(203, GAUGE, INTEGER, "GPU utilization (in %)."),
  DEV_MEM_COPY_UTIL(204, GAUGE, INTEGER, "Memory utilization (in %)."),
  DEV_ENC_UTIL(206, GAUGE, INTEGER, "Encoder utilization (in %)."),
  DEV_DEC_UTIL(207, GAUGE, INTEGER, "Decoder utilization (in %)."),
  DEV_FB_FREE(251, GAUGE, INTEGER, "Framebuffer memory free (in MiB)."),
  DEV_FB_USED(252, GAUGE, INTEGER, "Framebuffer memory used (in MiB)."),
  DEV_FB_RESERVED(253, GAUGE, INTEGER, "Framebuffer memory reserved (in MiB)."),
  DEV_UNCORRECTABLE_REMAPPED_ROWS(
      393, COUNTER, INTEGER, "Number of remapped rows for uncorrectable errors"),
  DEV_CORRECTABLE_REMAPPED_ROWS(
      394, COUNTER, INTEGER, "Number of remapped rows for correctable errors"),
  DEV_ROW_REMAP_FAILURE(395, GAUGE, INTEGER, "Whether remapping of rows has failed"),
  DEV_NVLINK_BANDWIDTH_TOTAL(
      449, COUNTER, INTEGER, "Total number of NVLink bandwidth counters for all lanes"),
  DEV_VGPU_LICENSE_STATUS(526, GAUGE, INTEGER, "vGPU License status");

  private final String metricName = "DCGM_FI_" + name();
  private final int id;
  private final MetricType type;
  private final NumberForm form;
  private final String help;

  DcgmField(int id, MetricType type, NumberForm form, String help) {
    this.id = id;
    this.type = type;
    this.form = form;
    this.help = help;
  }

  /** The name of the series, such as {@code DCGM_FI_DEV_GPU_UTIL}. */
  public String metricName() {
    return metricName;
  }

  /** DCGM's own number of the field. */
  public int id() {
    return id;
  }

  /** What the {@code # TYPE} line says, right or wrong: it is dcgm-exporter's. */
  public MetricType type() {
    return type;
  }

  /** How the value is written. */
  public NumberForm form() {
    return form;
  }

  /** The text of the {@code # HELP} line. */
  public String help() {
    return help;
  }
}
