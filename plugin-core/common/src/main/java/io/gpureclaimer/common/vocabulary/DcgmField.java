package io.gpureclaimer.common.vocabulary;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A field of DCGM: one quantity, with its number and its names.
 *
 * <p>The catalogue has all fields that DCGM knows, also those that this agent does not supply, so
 * that a row about one of them is distinguished from a typing error. From 9000 on are those of
 * dcgm-exporter, from 9100 on our own, whose names begin {@code gpu_}. The constants are those that
 * code mentions.
 */
public final class DcgmField {
  public static final DcgmField DRIVER_VERSION = of(1);
  public static final DcgmField NVML_VERSION = of(2);
  public static final DcgmField DEV_MINOR_NUMBER = of(55);
  public static final DcgmField DEV_SM_CLOCK = of(100);
  public static final DcgmField DEV_MEM_CLOCK = of(101);
  public static final DcgmField DEV_MEMORY_TEMP = of(140);
  public static final DcgmField DEV_GPU_TEMP = of(150);
  public static final DcgmField DEV_POWER_USAGE = of(155);
  public static final DcgmField DEV_TOTAL_ENERGY_CONSUMPTION = of(156);
  public static final DcgmField DEV_PCIE_REPLAY_COUNTER = of(202);
  public static final DcgmField DEV_GPU_UTIL = of(203);
  public static final DcgmField DEV_MEM_COPY_UTIL = of(204);
  public static final DcgmField DEV_ENC_UTIL = of(206);
  public static final DcgmField DEV_DEC_UTIL = of(207);
  public static final DcgmField DEV_XID_ERRORS = of(230);
  public static final DcgmField DEV_FB_TOTAL = of(250);
  public static final DcgmField DEV_ECC_DBE_VOL_TOTAL = of(311);
  public static final DcgmField DEV_FB_FREE = of(251);
  public static final DcgmField DEV_FB_USED = of(252);
  public static final DcgmField DEV_FB_RESERVED = of(253);
  public static final DcgmField DEV_UNCORRECTABLE_REMAPPED_ROWS = of(393);
  public static final DcgmField DEV_CORRECTABLE_REMAPPED_ROWS = of(394);
  public static final DcgmField DEV_ROW_REMAP_FAILURE = of(395);
  public static final DcgmField DEV_NVLINK_BANDWIDTH_TOTAL = of(449);
  public static final DcgmField DEV_VGPU_LICENSE_STATUS = of(526);
  public static final DcgmField PROF_GR_ENGINE_ACTIVE = of(1001);
  public static final DcgmField PROF_SM_ACTIVE = of(1002);
  public static final DcgmField PROF_PIPE_TENSOR_ACTIVE = of(1004);
  public static final DcgmField PROF_DRAM_ACTIVE = of(1005);
  public static final DcgmField PROF_PCIE_TX_BYTES = of(1009);
  public static final DcgmField PROF_PCIE_RX_BYTES = of(1010);
  public static final DcgmField PROF_NVLINK_TX_BYTES = of(1011);
  public static final DcgmField PROF_NVLINK_RX_BYTES = of(1012);
  public static final DcgmField EXP_XID_ERRORS_COUNT = of(9001);
  public static final DcgmField EXP_CLOCK_EVENTS_COUNT = of(9002);
  public static final DcgmField EXP_GPU_HEALTH_STATUS = of(9003);
  public static final DcgmField EXP_P2P_STATUS = of(9004);
  public static final DcgmField EXP_XID_ERRORS_TOTAL = of(9005);
  public static final DcgmField EXP_CLOCK_EVENTS_TOTAL = of(9006);
  public static final DcgmField JPEG_UTILIZATION = of(9101);
  public static final DcgmField OFA_UTILIZATION = of(9102);

  private final int id;
  private final String metricName;
  private final @Nullable String newName;
  private final @Nullable String legacyName;
  private final ValueForm form;
  private final FieldSource source;

  DcgmField(
      int id,
      String metricName,
      @Nullable String newName,
      @Nullable String legacyName,
      ValueForm form,
      FieldSource source) {
    this.id = id;
    this.metricName = metricName;
    this.newName = newName;
    this.legacyName = legacyName;
    this.form = form;
    this.source = source;
  }

  /**
   * The field with that number.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static DcgmField of(int id) {
    return DcgmFieldCatalog.byId(id);
  }

  /** The field of that name: classic, new or of the 1.x files. */
  public static Optional<DcgmField> named(String name) {
    return DcgmFieldCatalog.byName(name);
  }

  /** All fields, in the order of their numbers. */
  public static Collection<DcgmField> all() {
    return DcgmFieldCatalog.all();
  }

  /** DCGM's own number of the field. */
  public int id() {
    return id;
  }

  /** The classic name, such as {@code DCGM_FI_DEV_GPU_UTIL}. */
  public String metricName() {
    return metricName;
  }

  /** The name since DCGM 4.6 or later, where it got another. */
  public Optional<String> newName() {
    return Optional.ofNullable(newName);
  }

  /** The name in the 1.x files, such as {@code dcgm_gpu_utilization}. */
  public Optional<String> legacyName() {
    return Optional.ofNullable(legacyName);
  }

  /** All its names: classic, new and of the 1.x files. */
  public List<String> names() {
    return Stream.of(Stream.of(metricName), newName().stream(), legacyName().stream())
        .flatMap(name -> name)
        .toList();
  }

  /** What its values are. */
  public ValueForm form() {
    return form;
  }

  /** Where its values come from. */
  public FieldSource source() {
    return source;
  }

  @Override
  public String toString() {
    return metricName;
  }
}
