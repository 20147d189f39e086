package io.gpureclaimer.common.vocabulary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class DcgmFieldTest {
  private static final int FIELDS_OF_DCGM = 640;
  private static final int FIELDS_OF_THE_EXPORTER = 6;
  private static final int OUR_OWN_FIELDS = 2;

  @Test
  void isFoundByEachOfItsNames() {
    assertThat(DcgmField.named("DCGM_FI_DEV_GPU_UTIL")).contains(DcgmField.DEV_GPU_UTIL);
    assertThat(DcgmField.named("DCGM_FI_DEV_GPU_UTIL_RATIO")).contains(DcgmField.DEV_GPU_UTIL);
    assertThat(DcgmField.named("dcgm_gpu_utilization")).contains(DcgmField.DEV_GPU_UTIL);
    assertThat(DcgmField.named("DCGM_FI_DEV_GPU_UTILS")).isEmpty();
  }

  @Test
  void isRefused_whenNoFieldHasTheNumber() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DcgmField.of(99_999))
        .withMessage("no field has the number 99999");
  }

  @Test
  void areInTheOrderOfTheirNumbers() {
    assertThat(DcgmField.all().stream().map(DcgmField::id)).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void areAllThatDcgmKnows_andThoseThatTheExporterWorksOut() {
    assertThat(DcgmField.all()).hasSize(FIELDS_OF_DCGM + FIELDS_OF_THE_EXPORTER + OUR_OWN_FIELDS);
    assertThat(DcgmField.all().stream().flatMap(field -> field.legacyName().stream())).hasSize(41);
  }

  @Test
  void noTwoHaveANameInCommon_andAllNamesAreGoodForPrometheus() {
    assertThat(DcgmField.all().stream().flatMap(DcgmFieldTest::names))
        .doesNotHaveDuplicates()
        .allMatch(name -> name.matches("(DCGM_(FI|EXP)_[A-Z][A-Z0-9_]*|(dcgm|gpu)_[a-z][a-z_]*)"));
  }

  static List<DcgmField> renamed() {
    return DcgmField.all().stream().filter(field -> field.newName().isPresent()).toList();
  }

  @ParameterizedTest
  @MethodSource("renamed")
  void isTheSameUnderItsLaterName(DcgmField field) {
    assertThat(DcgmField.named(field.newName().orElseThrow())).containsSame(field);
    assertThat(DcgmField.named(field.metricName())).containsSame(field);
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          dcgm_sm_clock, 100
          dcgm_memory_clock, 101
          dcgm_memory_temp, 140
          dcgm_gpu_temp, 150
          dcgm_power_usage, 155
          dcgm_total_energy_consumption, 156
          dcgm_pcie_tx_throughput, 200
          dcgm_pcie_rx_throughput, 201
          dcgm_pcie_replay_counter, 202
          dcgm_gpu_utilization, 203
          dcgm_mem_copy_utilization, 204
          dcgm_enc_utilization, 206
          dcgm_dec_utilization, 207
          dcgm_xid_errors, 230
          dcgm_power_violation, 240
          dcgm_thermal_violation, 241
          dcgm_sync_boost_violation, 242
          dcgm_board_limit_violation, 243
          dcgm_low_util_violation, 244
          dcgm_reliability_violation, 245
          dcgm_fb_free, 251
          dcgm_fb_used, 252
          dcgm_ecc_sbe_volatile_total, 310
          dcgm_ecc_dbe_volatile_total, 311
          dcgm_ecc_sbe_aggregate_total, 312
          dcgm_ecc_dbe_aggregate_total, 313
          dcgm_retired_pages_sbe, 390
          dcgm_retired_pages_dbe, 391
          dcgm_retired_pages_pending, 392
          dcgm_nvlink_flit_crc_error_count_total, 409
          dcgm_nvlink_data_crc_error_count_total, 419
          dcgm_nvlink_replay_error_count_total, 429
          dcgm_nvlink_recovery_error_count_total, 439
          dcgm_nvlink_bandwidth_total, 449
          dcgm_fi_prof_gr_engine_active, 1001
          dcgm_fi_prof_sm_active, 1002
          dcgm_fi_prof_sm_occupancy, 1003
          dcgm_fi_prof_pipe_tensor_active, 1004
          dcgm_fi_prof_dram_active, 1005
          dcgm_fi_prof_pcie_tx_bytes, 1009
          dcgm_fi_prof_pcie_rx_bytes, 1010
          """)
  void isFoundByItsNameInThe1xFiles(String name, int id) {
    assertThat(DcgmField.named(name)).contains(DcgmField.of(id));
  }

  @ParameterizedTest
  @CsvSource({
    "DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L12, 406",
    "DCGM_FI_DEV_NVLINK_CRC_DATA_ERROR_L11_TOTAL, 462",
    "DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_L17, 489",
    "DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_L15, 491",
    "DCGM_FI_DEV_NVLINK_THROUGHPUT_L17, 496",
    "DCGM_FI_DEV_NVLINK_RX_THROUGHPUT_L0, 879",
    "DCGM_FI_DEV_ECC_DBE_AGG_SRM, 345",
    "DCGM_FI_PROF_NVJPG_UTIL_7_RATIO, 1032",
    "DCGM_FI_PROF_NVLINK_L17_RX_BYTES, 1075",
    "DCGM_FI_DEV_CLOCK_THROTTLE_REASONS, 112",
    "DCGM_FI_DEV_CLOCKS_EVENT_REASONS, 112"
  })
  void areNumberedAsDcgmDoes(String name, int id) {
    assertThat(DcgmField.named(name)).contains(DcgmField.of(id));
  }

  @ParameterizedTest
  @CsvSource({
    "DCGM_FI_DEV_NVSWITCH_POWER_VDD, NVSWITCH",
    "DCGM_FI_DEV_CPU_UTIL_TOTAL, CPU",
    "DCGM_FI_DEV_CONNECTX_HEALTH, CONNECTX",
    "DCGM_FI_IMEX_DOMAIN_STATUS, IMEX",
    "DCGM_FI_DEV_VGPU_VM_NAME, VGPU",
    "DCGM_FI_DEV_MIG_ATTRIBUTES, BINARY",
    "DCGM_FI_DEV_NVLINK_PPCNT_PLR_SYNC_EVENTS, REGISTER",
    "DCGM_FI_DEV_NVLINK_TX_THROUGHPUT_PER_LINK, NVML",
    "DCGM_FI_PROF_NVLINK_TX_BYTES_PER_LINK, GPM",
    "DCGM_FI_DEV_DIAG_PCIE_RESULT, DCGM",
    "DCGM_FI_PROF_SM_ACTIVE, GPM",
    "DCGM_FI_DEV_PSTATE, NVML",
    "DCGM_EXP_P2P_STATUS, COMPUTED"
  })
  void nameTheSourceOfTheirValues(String name, FieldSource source) {
    assertThat(DcgmField.named(name).orElseThrow().source()).isEqualTo(source);
  }

  private static Stream<String> names(DcgmField field) {
    return Stream.of(
            Stream.of(field.metricName()), field.newName().stream(), field.legacyName().stream())
        .flatMap(names -> names);
  }
}
