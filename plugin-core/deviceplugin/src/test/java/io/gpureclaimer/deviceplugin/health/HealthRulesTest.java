package io.gpureclaimer.deviceplugin.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HealthRulesTest {
  private static final int COMPUTE_CAPABILITY = 63;
  private static final Map<Integer, Double> VOLTA = Map.of(COMPUTE_CAPABILITY, 7.0 * 65536);
  private static final Map<Integer, Double> HOPPER = Map.of(COMPUTE_CAPABILITY, 9.0 * 65536);
  private static final Map<Integer, Double> BLACKWELL = Map.of(COMPUTE_CAPABILITY, 10.0 * 65536);

  @ParameterizedTest(name = "XID {0}: {1} {2} {3}")
  @CsvSource({
    "38, PCIE, 10, XID_ERROR",
    "39, PCIE, 10, XID_ERROR",
    "42, PCIE, 10, XID_ERROR",
    "63, MEM, 10, PENDING_PAGE_RETIREMENTS",
    "64, MEM, 20, ROW_REMAP_FAILURE",
    "31, MEM, 10, XID_ERROR",
    "32, MEM, 10, XID_ERROR",
    "43, MEM, 10, XID_ERROR",
    "60, THERMAL, 10, CLOCKS_EVENT_THERMAL",
    "61, THERMAL, 10, XID_ERROR",
    "62, THERMAL, 10, XID_ERROR",
    "57, POWER, 10, CLOCKS_EVENT_POWER",
    "54, POWER, 10, XID_ERROR",
    "56, POWER, 10, XID_ERROR",
    "58, POWER, 10, XID_ERROR",
    "78, POWER, 10, XID_ERROR",
    "67, NVLINK, 10, XID_ERROR",
    "73, NVLINK, 10, XID_ERROR",
    "121, NVLINK, 10, XID_ERROR",
    "137, NVLINK, 10, XID_ERROR",
    "48, ALL, 20, XID_ERROR",
    "74, ALL, 20, XID_ERROR",
    "119, ALL, 20, XID_ERROR",
    "120, ALL, 20, XID_ERROR",
    "140, ALL, 20, XID_ERROR",
    "79, ALL, 20, FALLEN_OFF_BUS",
    "95, ALL, 20, UNCONTAINED_ERROR",
    "94, ALL, 10, CONTAINED_ERROR"
  })
  void anXidThatWasHeardIsFound(int xid, HealthWatch watch, int status, String code) {
    assertThat(wrong(heard(xid))).containsExactly(watch + " " + status + " DCGM_FR_" + code);
  }

  @ParameterizedTest(name = "field {0} = {1}: {2} {3} {4}")
  @CsvSource({
    "311, 1, MEM, 20, VOLATILE_DBE_DETECTED",
    "390, 63, MEM, 20, RETIRED_PAGES_LIMIT",
    "391, 63, MEM, 20, RETIRED_PAGES_LIMIT",
    "392, 1, MEM, 10, PENDING_PAGE_RETIREMENTS",
    "395, 1, MEM, 20, ROW_REMAP_FAILURE",
    "393, 512, MEM, 10, UNCORRECTABLE_ROW_REMAP_LIMIT",
    "1507, 1, MEM, 20, FAULTY_MEMORY",
    "84, 0, INFOROM, 10, CORRUPT_INFOROM",
    "1218, 2e-12, NVLINK, 20, NVLINK_EFFECTIVE_BER_THRESHOLD",
    "174, 0x1, NVLINK, 20, FIELD_VIOLATION",
    "174, 0x4, NVLINK, 20, FIELD_VIOLATION",
    "174, 0x10, NVLINK, 20, FIELD_VIOLATION",
    "174, 0x40, NVLINK, 20, FIELD_VIOLATION",
    "174, 0x200, NVLINK, 20, FIELD_VIOLATION",
    "1523, 1, DRIVER, 20, GPU_RECOVERY_RESET",
    "1523, 2, DRIVER, 20, GPU_RECOVERY_REBOOT",
    "1523, 3, DRIVER, 10, GPU_RECOVERY_DRAIN_P2P",
    "1523, 4, DRIVER, 20, GPU_RECOVERY_DRAIN_RESET"
  })
  void aBadValueIsFound(int field, String value, HealthWatch watch, int status, String code) {
    assertThat(wrong(now(Map.of(field, number(value)))))
        .containsExactly(watch + " " + status + " DCGM_FR_" + code);
  }

  @ParameterizedTest(name = "field {0} = {1}: {2} passes")
  @CsvSource({
    "311, 0, MEM",
    "390, 62, MEM",
    "392, 0, MEM",
    "395, 0, MEM",
    "393, 511, MEM",
    "1507, 0, MEM",
    "84, 1, INFOROM",
    "155, 70, POWER",
    "1218, 1e-12, NVLINK",
    "174, 0x1aa, NVLINK",
    "174, 0, NVLINK",
    "1523, 0, DRIVER"
  })
  void aGoodValuePasses(int field, String value, HealthWatch watch) {
    assertThat(HealthRules.judge(now(Map.of(field, number(value)))))
        .containsExactly(new HealthFinding(watch, WatchStatus.PASS, "DCGM_FR_OK"));
  }

  @ParameterizedTest(name = "field {0} grew by {1} in a minute: {2} {3} {4}")
  @CsvSource({
    "241, 1, THERMAL, 10, CLOCKS_EVENT_THERMAL",
    "240, 1, POWER, 10, CLOCKS_EVENT_POWER",
    "429, 1, NVLINK, 20, NVLINK_ERROR_CRITICAL",
    "439, 1, NVLINK, 20, NVLINK_ERROR_CRITICAL",
    "409, 1, NVLINK, 10, NVLINK_ERROR_THRESHOLD",
    "419, 5999, NVLINK, 10, NVLINK_ERROR_THRESHOLD",
    "409, 6000, NVLINK, 20, NVLINK_CRC_ERROR_THRESHOLD",
    "419, 6000, NVLINK, 20, NVLINK_CRC_ERROR_THRESHOLD",
    "1204, 1, NVLINK, 20, NVLINK_ERROR_CRITICAL",
    "1209, 1, NVLINK, 20, NVLINK_ERROR_CRITICAL",
    "1213, 1, NVLINK, 20, NVLINK_ERROR_CRITICAL",
    "1220, 1, NVLINK, 20, NVLINK_ERROR_CRITICAL"
  })
  void growthIsFound(int field, double by, HealthWatch watch, int status, String code) {
    assertThat(wrong(grown(Map.of(field, 7.0), Map.of(field, 7.0 + by))))
        .containsExactly(watch + " " + status + " DCGM_FR_" + code);
  }

  @ParameterizedTest(name = "field {0} that stays, goes back or has no past is no incident")
  @CsvSource({"240", "241", "409", "429", "439", "1204"})
  void whatDoesNotGrowIsNoIncident(int field) {
    assertThat(wrong(grown(Map.of(field, 7.0), Map.of(field, 7.0)))).isEmpty();
    assertThat(HealthRules.judge(grown(Map.of(field, 7.0), Map.of(field, 3.0)))).isEmpty();
    assertThat(HealthRules.judge(now(Map.of(field, 7.0)))).isEmpty();
  }

  @ParameterizedTest(name = "{2} replays on {1} lanes of generation {0}: {3}")
  @CsvSource({
    "1, 16, 3, false",
    "1, 16, 4, true",
    "2, 16, 6, true",
    "3, 16, 8, false",
    "3, 16, 9, true",
    "4, 16, 16, false",
    "4, 16, 17, true",
    "5, 16, 31, false",
    "5, 16, 32, true",
    "6, 16, 62, false",
    "6, 16, 63, true",
    "7, 16, 1000, false"
  })
  void replaysAreJudgedByTheLink(double generation, double lanes, double replays, boolean wrong) {
    var link = Map.of(237, generation, 238, lanes, 202, 100.0);
    var later = new HashMap<>(link);
    later.put(202, 100 + replays);

    assertThat(wrong(grown(link, later)))
        .isEqualTo(wrong ? List.of("PCIE 10 DCGM_FR_PCI_REPLAY_RATE") : List.of());
  }

  @Test
  void retiredPagesOfBothKindsCountTogether() {
    assertThat(wrong(now(Map.of(390, 60.0, 391, 3.0))))
        .containsExactly("MEM 20 DCGM_FR_RETIRED_PAGES_LIMIT");
  }

  @ParameterizedTest(name = "{0} pages, {1} of them this week: {2}")
  @CsvSource({"16, 2, true", "16, 1, false", "15, 2, false", "15, 15, false", "62, 0, false"})
  void pagesThatGoOneAfterTheOther(double all, double thisWeek, boolean wrong) {
    HealthInputs vitals =
        new HealthInputs(
            Map.of(391, all), Map.of(), Duration.ZERO, Set.of(), Set.of(), false, thisWeek, null);

    assertThat(wrong(vitals))
        .isEqualTo(wrong ? List.of("MEM 20 DCGM_FR_RETIRED_PAGES_DBE_LIMIT") : List.of());
  }

  @Test
  void anInforomIsCorruptByXid_onVoltaOnly() {
    assertThat(wrong(heard(VOLTA, 93))).containsExactly("INFOROM 10 DCGM_FR_CORRUPT_INFOROM");
    assertThat(wrong(heard(HOPPER, 93))).isEmpty();
    assertThat(wrong(heard(93))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"497", "498", "499"})
  void linkErrorsOfAllTimeCount_beforeBlackwellOnly(int field) {
    assertThat(wrong(now(plus(HOPPER, field, 1))))
        .containsExactly("NVLINK 20 DCGM_FR_NVLINK_ERROR_CRITICAL");
    assertThat(wrong(now(plus(BLACKWELL, field, 1)))).isEmpty();
    assertThat(wrong(now(Map.of(field, 1.0)))).isEmpty();
  }

  @Test
  void recoveriesCount_fromBlackwellOn() {
    assertThat(wrong(now(plus(BLACKWELL, 1211, 1))))
        .containsExactly("NVLINK 10 DCGM_FR_NVLINK_ERROR_CRITICAL");
    assertThat(wrong(now(plus(BLACKWELL, 1212, 1))))
        .containsExactly("NVLINK 20 DCGM_FR_NVLINK_ERROR_CRITICAL");
    assertThat(wrong(now(plus(HOPPER, 1212, 1)))).isEmpty();
  }

  @Test
  void theFloorOfSymbolErrorsIsHigherOnBlackwell() {
    assertThat(wrong(now(plus(HOPPER, 1216, 1e-240))))
        .containsExactly("NVLINK 20 DCGM_FR_NVLINK_SYMBOL_BER_THRESHOLD");
    assertThat(wrong(now(plus(BLACKWELL, 1216, 1e-240)))).isEmpty();
    assertThat(wrong(now(plus(BLACKWELL, 1216, 1e-230)))).hasSize(1);
  }

  @Test
  void powerThatCannotBeReadIsFound_andPowerThatThereIsNotIsNot() {
    var unreadable =
        new HealthInputs(Map.of(), Map.of(), Duration.ZERO, Set.of(155), Set.of(), false, 0, null);

    assertThat(wrong(unreadable)).containsExactly("POWER 10 DCGM_FR_POWER_UNREADABLE");
    assertThat(HealthRules.judge(now(Map.of()))).isEmpty();
  }

  @Test
  void aLinkThatIsDownIsFound() {
    assertThat(
            wrong(
                new HealthInputs(
                    Map.of(), Map.of(), Duration.ZERO, Set.of(), Set.of(), false, 0, 1)))
        .containsExactly("NVLINK 20 DCGM_FR_NVLINK_DOWN");
    assertThat(
            wrong(
                new HealthInputs(
                    Map.of(), Map.of(), Duration.ZERO, Set.of(), Set.of(), false, 0, 0)))
        .isEmpty();
  }

  @Test
  void theWorstIsReported_whateverElseIsWrong() {
    assertThat(wrong(now(Map.of(392, 1.0, 311, 1.0, 393, 600.0))))
        .containsExactly("MEM 20 DCGM_FR_VOLATILE_DBE_DETECTED");
    assertThat(wrong(heard(94, 79))).containsExactly("ALL 20 DCGM_FR_FALLEN_OFF_BUS");
  }

  @Test
  void nothingIsReportedOfWhatWasNotPolled() {
    assertThat(HealthRules.judge(now(Map.of()))).isEmpty();
    assertThat(HealthRules.judge(heard()))
        .extracting(HealthFinding::watch)
        .containsExactly(
            HealthWatch.PCIE,
            HealthWatch.NVLINK,
            HealthWatch.MEM,
            HealthWatch.THERMAL,
            HealthWatch.POWER,
            HealthWatch.ALL);
  }

  @Test
  void anXidThatWasHeardIsFound_andNothingPassesByXids_whenListeningHasEnded() {
    var deaf =
        new HealthInputs(Map.of(), Map.of(), Duration.ZERO, Set.of(), Set.of(79), false, 0, null);

    assertThat(HealthRules.judge(deaf))
        .containsExactly(HealthFinding.fail(HealthWatch.ALL, "FALLEN_OFF_BUS"));
  }

  @Test
  void everyFieldOfARuleIsNamed() {
    assertThat(HealthRules.fields())
        .contains(63, 84, 155, 202, 240, 311, 393, 499, 1204, 1220, 1523)
        .hasSize(38);
  }

  private static HealthInputs now(Map<Integer, Double> values) {
    return new HealthInputs(values, Map.of(), Duration.ZERO, Set.of(), Set.of(), false, 0, null);
  }

  private static HealthInputs grown(Map<Integer, Double> before, Map<Integer, Double> now) {
    return new HealthInputs(now, before, Duration.ofMinutes(1), Set.of(), Set.of(), false, 0, null);
  }

  private static HealthInputs heard(int... xids) {
    return heard(Map.of(), xids);
  }

  private static HealthInputs heard(Map<Integer, Double> values, int... xids) {
    var codes = IntStream.of(xids).boxed().collect(Collectors.toSet());
    return new HealthInputs(values, Map.of(), Duration.ZERO, Set.of(), codes, true, 0, null);
  }

  private static Map<Integer, Double> plus(Map<Integer, Double> some, int field, double value) {
    var all = new HashMap<>(some);
    all.put(field, value);
    return all;
  }

  private static double number(String text) {
    return text.startsWith("0x") ? Long.decode(text) : Double.parseDouble(text);
  }

  private static List<String> wrong(HealthInputs vitals) {
    return HealthRules.judge(vitals).stream()
        .filter(finding -> finding.status() != WatchStatus.PASS)
        .map(finding -> finding.watch() + " " + finding.status().code() + " " + finding.code())
        .toList();
  }
}
