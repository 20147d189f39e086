package io.gpureclaimer.verification.gpupack;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * A metric of the agent and the field of nvidia-smi that has the same value.
 *
 * @param metric in the unit of the field
 * @param field of {@code nvidia-smi --query-gpu}
 * @param varies whether the value changes by itself; one reading in ten may then be outside
 * @param absolute tolerance in the unit of the field
 * @param relative tolerance as a share of the value of nvidia-smi; the larger tolerance counts
 */
record ComparedField(
    String metric, String field, boolean varies, double absolute, double relative) {

  /** All numbers that both report. */
  static final List<ComparedField> NUMBERS =
      List.of(
          varying("DCGM_FI_DEV_GPU_UTIL", "utilization.gpu", 10, 0),
          varying("DCGM_FI_DEV_MEM_COPY_UTIL", "utilization.memory", 10, 0),
          varying("DCGM_FI_DEV_ENC_UTIL", "utilization.encoder", 10, 0),
          varying("DCGM_FI_DEV_DEC_UTIL", "utilization.decoder", 10, 0),
          varying("DCGM_FI_DEV_FB_USED", "memory.used", 4, 0),
          varying("DCGM_FI_DEV_FB_FREE", "memory.free", 4, 0),
          fixed("DCGM_FI_DEV_FB_TOTAL", "memory.total", 1),
          varying("DCGM_FI_DEV_FB_RESERVED", "memory.reserved", 4, 0),
          varying("DCGM_FI_DEV_POWER_USAGE", "power.draw", 5, 0.1),
          varying("DCGM_FI_DEV_POWER_USAGE_INSTANT", "power.draw.instant", 5, 0.15),
          fixed("DCGM_FI_DEV_POWER_MGMT_LIMIT", "power.limit", 0.011),
          fixed("DCGM_FI_DEV_ENFORCED_POWER_LIMIT", "enforced.power.limit", 0.011),
          fixed("DCGM_FI_DEV_POWER_MGMT_LIMIT_DEF", "power.default_limit", 0.011),
          fixed("DCGM_FI_DEV_POWER_MGMT_LIMIT_MIN", "power.min_limit", 0.011),
          fixed("DCGM_FI_DEV_POWER_MGMT_LIMIT_MAX", "power.max_limit", 0.011),
          varying("DCGM_FI_DEV_GPU_TEMP", "temperature.gpu", 2, 0),
          varying("DCGM_FI_DEV_MEMORY_TEMP", "temperature.memory", 2, 0),
          varying("DCGM_FI_DEV_SM_CLOCK", "clocks.sm", 15, 0.05),
          varying("DCGM_FI_DEV_MEM_CLOCK", "clocks.mem", 15, 0.05),
          varying("DCGM_FI_DEV_VIDEO_CLOCK", "clocks.video", 15, 0.05),
          fixed("DCGM_FI_DEV_MAX_SM_CLOCK", "clocks.max.sm", 0),
          fixed("DCGM_FI_DEV_MAX_MEM_CLOCK", "clocks.max.mem", 0),
          varying("DCGM_FI_DEV_CLOCK_THROTTLE_REASONS", "clocks_throttle_reasons.active", 0, 0),
          varying("DCGM_FI_DEV_PSTATE", "pstate", 0, 0),
          varying("DCGM_FI_DEV_FAN_SPEED", "fan.speed", 5, 0),
          varying("DCGM_FI_DEV_PCIE_LINK_GEN", "pcie.link.gen.current", 0, 0),
          varying("DCGM_FI_DEV_PCIE_LINK_WIDTH", "pcie.link.width.current", 0, 0),
          fixed("DCGM_FI_DEV_PCIE_MAX_LINK_GEN", "pcie.link.gen.max", 0),
          fixed("DCGM_FI_DEV_PCIE_MAX_LINK_WIDTH", "pcie.link.width.max", 0),
          fixed("DCGM_FI_DEV_ECC_CURRENT", "ecc.mode.current", 0),
          fixed("DCGM_FI_DEV_ECC_PENDING", "ecc.mode.pending", 0),
          fixed("DCGM_FI_DEV_ECC_SBE_VOL_TOTAL", "ecc.errors.corrected.volatile.total", 0),
          fixed("DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", "ecc.errors.uncorrected.volatile.total", 0),
          fixed("DCGM_FI_DEV_ECC_SBE_AGG_TOTAL", "ecc.errors.corrected.aggregate.total", 0),
          fixed("DCGM_FI_DEV_ECC_DBE_AGG_TOTAL", "ecc.errors.uncorrected.aggregate.total", 0),
          fixed("DCGM_FI_DEV_RETIRED_SBE", "retired_pages.single_bit_ecc.count", 0),
          fixed("DCGM_FI_DEV_RETIRED_DBE", "retired_pages.double_bit.count", 0),
          fixed("DCGM_FI_DEV_RETIRED_PENDING", "retired_pages.pending", 0),
          fixed("DCGM_FI_DEV_COMPUTE_MODE", "compute_mode", 0),
          fixed("DCGM_FI_DEV_PERSISTENCE_MODE", "persistence_mode", 0),
          fixed("DCGM_FI_DEV_MIG_MODE", "mig.mode.current", 0),
          fixed("DCGM_FI_DEV_NVML_INDEX", "index", 0));

  private static ComparedField varying(
      String metric, String field, double absolute, double relative) {
    return new ComparedField(metric, field, true, absolute, relative);
  }

  private static ComparedField fixed(String metric, String field, double absolute) {
    return new ComparedField(metric, field, false, absolute, 0);
  }

  /**
   * A value of nvidia-smi as the number that the agent has for it; empty for a text that is no
   * value, such as {@code [N/A]}.
   */
  static OptionalDouble number(String text) {
    String value = text.strip();
    if (value.matches("-?[0-9]+([.][0-9]+)?")) {
      return OptionalDouble.of(Double.parseDouble(value));
    }
    if (value.matches("0x[0-9a-fA-F]{1,16}")) {
      return OptionalDouble.of((double) Long.parseUnsignedLong(value.substring(2), 16));
    }
    if (value.matches("P[0-9]{1,2}")) {
      return OptionalDouble.of(Integer.parseInt(value.substring(1)));
    }
    return switch (value) {
      case "Enabled", "Yes", "Prohibited" -> OptionalDouble.of(1);
      case "Disabled", "No", "Default" -> OptionalDouble.of(0);
      case "Exclusive_Process" -> OptionalDouble.of(2);
      default -> OptionalDouble.empty();
    };
  }

  double tolerance(double value) {
    return Math.max(absolute, relative * Math.abs(value));
  }

  String toleranceText() {
    String allowed =
        absolute == 0 && relative == 0
            ? "equal"
            : String.format(Locale.ROOT, "± %s", trimmed(absolute))
                + (relative == 0
                    ? ""
                    : String.format(Locale.ROOT, " or %s %%", trimmed(100 * relative)));
    return allowed + (varies ? ", 90 % of readings" : ", every reading");
  }

  private static String trimmed(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
