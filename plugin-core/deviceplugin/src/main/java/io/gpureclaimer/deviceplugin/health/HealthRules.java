package io.gpureclaimer.deviceplugin.health;

import static io.gpureclaimer.deviceplugin.health.HealthFinding.fail;
import static io.gpureclaimer.deviceplugin.health.HealthFinding.warn;
import static io.gpureclaimer.deviceplugin.health.HealthWatch.ALL;
import static io.gpureclaimer.deviceplugin.health.HealthWatch.DRIVER;
import static io.gpureclaimer.deviceplugin.health.HealthWatch.INFOROM;
import static io.gpureclaimer.deviceplugin.health.HealthWatch.MEM;
import static io.gpureclaimer.deviceplugin.health.HealthWatch.NVLINK;
import static io.gpureclaimer.deviceplugin.health.HealthWatch.PCIE;
import static io.gpureclaimer.deviceplugin.health.HealthWatch.POWER;
import static io.gpureclaimer.deviceplugin.health.HealthWatch.THERMAL;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * DCGM's rules for the health of a GPU. Of several findings of one watch the worst is reported,
 * where DCGM reports the last.
 *
 * <p>What could not be observed breaks no rule. A watch passes only if at least one of its rules
 * had data; a watch without data is not reported. So PMU, MCU and SM are never reported: DCGM has
 * no rules for them and always says that they pass.
 *
 * <p>Not among the rules: IMEX, of which NVML knows nothing.
 */
public final class HealthRules {
  private static final int COMPUTE_CAPABILITY = 63;
  private static final int INFOROM_VALID = 84;
  private static final int POWER_USAGE = 155;
  private static final int FABRIC_HEALTH_MASK = 174;
  private static final int PCIE_REPLAYS = 202;
  private static final int LINK_GENERATION = 237;
  private static final int LINK_WIDTH = 238;
  private static final int POWER_VIOLATION = 240;
  private static final int THERMAL_VIOLATION = 241;
  private static final int VOLATILE_DBE = 311;
  private static final int RETIRED_SBE = 390;
  private static final int RETIRED_DBE = 391;
  private static final int RETIRED_PENDING = 392;
  private static final int UNCORRECTABLE_ROWS = 393;
  private static final int ROW_REMAP_FAILURE = 395;
  private static final int CRC_FLIT_ERRORS = 409;
  private static final int CRC_DATA_ERRORS = 419;
  private static final int REPLAY_ERRORS = 429;
  private static final int RECOVERY_ERRORS = 439;
  private static final int[] OLD_DL_ERRORS = {497, 498, 499};
  private static final int[] NVLINK5_ERRORS = {
    1204, 1205, 1206, 1207, 1208, 1209, 1213, 1214, 1219, 1220
  };
  private static final int RECOVERIES_SUCCESSFUL = 1211;
  private static final int RECOVERIES_FAILED = 1212;
  private static final int SYMBOL_BER = 1216;
  private static final int EFFECTIVE_BER = 1218;
  private static final int MEMORY_UNREPAIRABLE = 1507;
  private static final int RECOVERY_ACTION = 1523;

  private static final int MOST_RETIRED_PAGES = 63;
  private static final int FEW_RETIRED_PAGES = 15;
  private static final int MOST_RETIRED_PAGES_IN_A_WEEK = 1;
  private static final int MOST_ROWS = 512;
  private static final double MOST_CRC_ERRORS_PER_SECOND = 100;
  private static final double HIGHEST_EFFECTIVE_BER = 1e-12;
  private static final double SYMBOL_BER_FLOOR = 15e-255;
  private static final double SYMBOL_BER_FLOOR_OF_BLACKWELL = 1e-238;
  private static final double NANOS_PER_SECOND = 1e9;

  private static final String XID_ERROR = "XID_ERROR";
  private static final String NVLINK_CRITICAL = "NVLINK_ERROR_CRITICAL";
  private static final String SYMBOL_BER_CODE = "NVLINK_SYMBOL_BER_THRESHOLD";

  private static final List<HealthRule> RULES =
      Stream.of(pcie(), memory(), inforom(), thermal(), power(), nvlink(), driver(), everything())
          .flatMap(List::stream)
          .toList();

  private HealthRules() {}

  /** Every field that some rule uses, by DCGM's number. */
  public static Set<Integer> fields() {
    var fields =
        new TreeSet<>(
            Set.of(
                COMPUTE_CAPABILITY,
                INFOROM_VALID,
                POWER_USAGE,
                FABRIC_HEALTH_MASK,
                PCIE_REPLAYS,
                LINK_GENERATION,
                LINK_WIDTH,
                POWER_VIOLATION,
                THERMAL_VIOLATION,
                VOLATILE_DBE));
    fields.addAll(
        Set.of(RETIRED_SBE, RETIRED_DBE, RETIRED_PENDING, UNCORRECTABLE_ROWS, ROW_REMAP_FAILURE));
    fields.addAll(Set.of(CRC_FLIT_ERRORS, CRC_DATA_ERRORS, REPLAY_ERRORS, RECOVERY_ERRORS));
    fields.addAll(Set.of(RECOVERIES_SUCCESSFUL, RECOVERIES_FAILED, SYMBOL_BER, EFFECTIVE_BER));
    fields.addAll(Set.of(MEMORY_UNREPAIRABLE, RECOVERY_ACTION));
    for (int field : OLD_DL_ERRORS) {
      fields.add(field);
    }
    for (int field : NVLINK5_ERRORS) {
      fields.add(field);
    }
    return fields;
  }

  /** The worst of each watch that has data, in DCGM's order of the watches. */
  public static List<HealthFinding> judge(HealthInputs vitals) {
    var findings = new ArrayList<HealthFinding>();
    for (HealthWatch watch : HealthWatch.values()) {
      judge(watch, vitals).ifPresent(findings::add);
    }
    return List.copyOf(findings);
  }

  /**
   * Findings about a GPU that does not respond: those of its XIDs, and of the watch {@code ALL} at
   * least that driver calls about it do not succeed. No watch passes, because none was read.
   *
   * @param calls how bad it is that calls do not succeed
   * @param xids codes that are known of the GPU
   */
  public static List<HealthFinding> judgeUnresponsive(WatchStatus calls, Set<Integer> xids) {
    var unread =
        new HealthInputs(Map.of(), Map.of(), Duration.ZERO, Set.of(), xids, false, 0, null);
    var findings = new ArrayList<>(judge(unread));
    var cause = HealthFinding.of(ALL, calls, "NVML_API");
    if (findings.stream().noneMatch(found -> found.watch() == ALL && !cause.isWorseThan(found))) {
      findings.removeIf(found -> found.watch() == ALL);
      findings.add(cause);
    }
    return List.copyOf(findings);
  }

  private static Optional<HealthFinding> judge(HealthWatch watch, HealthInputs vitals) {
    return RULES.stream()
        .filter(rule -> rule.finding().watch() == watch && rule.hasData().test(vitals))
        .map(rule -> rule.isBroken(vitals) ? rule.finding() : HealthFinding.pass(watch))
        .reduce((worst, next) -> next.isWorseThan(worst) ? next : worst);
  }

  private static List<HealthRule> pcie() {
    return List.of(
        new HealthRule(
            warn(PCIE, "PCI_REPLAY_RATE"),
            vitals ->
                vitals.growth(PCIE_REPLAYS).isPresent()
                    && vitals.has(LINK_WIDTH)
                    && PcieReplays.isKnown(vitals.value(LINK_GENERATION)),
            vitals ->
                vitals.growth(PCIE_REPLAYS).orElseThrow()
                    > PcieReplays.mostPerMinute(
                        vitals.value(LINK_GENERATION).orElseThrow(),
                        vitals.value(LINK_WIDTH).orElseThrow())),
        HealthRule.xid(warn(PCIE, XID_ERROR), 38, 39, 42));
  }

  private static List<HealthRule> memory() {
    return List.of(
        HealthRule.value(fail(MEM, "VOLATILE_DBE_DETECTED"), VOLATILE_DBE, errors -> errors > 0),
        new HealthRule(
            fail(MEM, "RETIRED_PAGES_LIMIT"),
            vitals -> vitals.has(RETIRED_SBE) || vitals.has(RETIRED_DBE),
            vitals ->
                vitals.value(RETIRED_SBE).orElse(0) + vitals.value(RETIRED_DBE).orElse(0)
                    >= MOST_RETIRED_PAGES),
        new HealthRule(
            fail(MEM, "RETIRED_PAGES_DBE_LIMIT"),
            vitals -> vitals.has(RETIRED_DBE),
            vitals ->
                vitals.value(RETIRED_DBE).orElseThrow() > FEW_RETIRED_PAGES
                    && vitals.retiredThisWeek() > MOST_RETIRED_PAGES_IN_A_WEEK),
        HealthRule.value(fail(MEM, "ROW_REMAP_FAILURE"), ROW_REMAP_FAILURE, flag -> flag != 0),
        HealthRule.xid(fail(MEM, "ROW_REMAP_FAILURE"), 64),
        HealthRule.value(fail(MEM, "FAULTY_MEMORY"), MEMORY_UNREPAIRABLE, flag -> flag != 0),
        HealthRule.value(warn(MEM, "PENDING_PAGE_RETIREMENTS"), RETIRED_PENDING, flag -> flag != 0),
        HealthRule.xid(warn(MEM, "PENDING_PAGE_RETIREMENTS"), 63),
        HealthRule.value(
            warn(MEM, "UNCORRECTABLE_ROW_REMAP_LIMIT"),
            UNCORRECTABLE_ROWS,
            rows -> rows >= MOST_ROWS),
        HealthRule.xid(warn(MEM, XID_ERROR), 31, 32, 43));
  }

  private static List<HealthRule> inforom() {
    return List.of(
        HealthRule.value(warn(INFOROM, "CORRUPT_INFOROM"), INFOROM_VALID, flag -> flag == 0),
        only(GpuGeneration.VOLTA, HealthRule.xid(warn(INFOROM, "CORRUPT_INFOROM"), 93)));
  }

  private static List<HealthRule> thermal() {
    return List.of(
        HealthRule.grew(warn(THERMAL, "CLOCKS_EVENT_THERMAL"), THERMAL_VIOLATION),
        HealthRule.xid(warn(THERMAL, "CLOCKS_EVENT_THERMAL"), 60),
        HealthRule.xid(warn(THERMAL, XID_ERROR), 61, 62));
  }

  private static List<HealthRule> power() {
    return List.of(
        HealthRule.grew(warn(POWER, "CLOCKS_EVENT_POWER"), POWER_VIOLATION),
        HealthRule.xid(warn(POWER, "CLOCKS_EVENT_POWER"), 57),
        new HealthRule(
            warn(POWER, "POWER_UNREADABLE"),
            vitals -> vitals.has(POWER_USAGE) || vitals.failed().contains(POWER_USAGE),
            vitals -> !vitals.has(POWER_USAGE)),
        HealthRule.xid(warn(POWER, XID_ERROR), 54, 56, 58, 78));
  }

  private static List<HealthRule> nvlink() {
    var rules = new ArrayList<HealthRule>();
    rules.add(HealthRule.grew(fail(NVLINK, NVLINK_CRITICAL), REPLAY_ERRORS, RECOVERY_ERRORS));
    rules.add(HealthRule.grew(fail(NVLINK, NVLINK_CRITICAL), NVLINK5_ERRORS));
    for (int field : OLD_DL_ERRORS) {
      var rule = HealthRule.value(fail(NVLINK, NVLINK_CRITICAL), field, errors -> errors > 0);
      rules.add(only(GpuGeneration.BEFORE_BLACKWELL, rule));
    }
    for (int field : new int[] {CRC_FLIT_ERRORS, CRC_DATA_ERRORS}) {
      rules.add(
          new HealthRule(
              fail(NVLINK, "NVLINK_CRC_ERROR_THRESHOLD"),
              vitals -> vitals.growth(field).isPresent() && vitals.apart().isPositive(),
              vitals ->
                  vitals.growth(field).orElseThrow()
                      >= MOST_CRC_ERRORS_PER_SECOND * vitals.apart().toNanos() / NANOS_PER_SECOND));
    }
    rules.add(
        new HealthRule(
            fail(NVLINK, "NVLINK_DOWN"),
            vitals -> vitals.downLinks().isPresent(),
            vitals -> vitals.downLinks().orElseThrow() > 0));
    rules.add(
        only(
            GpuGeneration.BLACKWELL,
            HealthRule.value(
                fail(NVLINK, NVLINK_CRITICAL), RECOVERIES_FAILED, events -> events > 0)));
    rules.add(
        HealthRule.value(
            fail(NVLINK, "NVLINK_EFFECTIVE_BER_THRESHOLD"),
            EFFECTIVE_BER,
            rate -> rate > HIGHEST_EFFECTIVE_BER));
    rules.add(
        only(
            GpuGeneration.BEFORE_BLACKWELL,
            HealthRule.value(
                fail(NVLINK, SYMBOL_BER_CODE), SYMBOL_BER, rate -> rate > SYMBOL_BER_FLOOR)));
    rules.add(
        only(
            GpuGeneration.BLACKWELL,
            HealthRule.value(
                fail(NVLINK, SYMBOL_BER_CODE),
                SYMBOL_BER,
                rate -> rate > SYMBOL_BER_FLOOR_OF_BLACKWELL)));
    rules.add(
        HealthRule.value(
            fail(NVLINK, "FIELD_VIOLATION"),
            FABRIC_HEALTH_MASK,
            mask -> FabricHealth.isIll((long) mask)));
    rules.add(
        HealthRule.grew(warn(NVLINK, "NVLINK_ERROR_THRESHOLD"), CRC_FLIT_ERRORS, CRC_DATA_ERRORS));
    rules.add(
        only(
            GpuGeneration.BLACKWELL,
            HealthRule.value(
                warn(NVLINK, NVLINK_CRITICAL), RECOVERIES_SUCCESSFUL, events -> events > 0)));
    rules.add(HealthRule.xid(warn(NVLINK, XID_ERROR), 67, 73, 121, 137));
    return rules;
  }

  private static List<HealthRule> driver() {
    return List.of(
        HealthRule.value(
            fail(DRIVER, "GPU_RECOVERY_RESET"), RECOVERY_ACTION, action -> action == 1),
        HealthRule.value(
            fail(DRIVER, "GPU_RECOVERY_REBOOT"), RECOVERY_ACTION, action -> action == 2),
        HealthRule.value(
            fail(DRIVER, "GPU_RECOVERY_DRAIN_RESET"), RECOVERY_ACTION, action -> action == 4),
        HealthRule.value(
            warn(DRIVER, "GPU_RECOVERY_DRAIN_P2P"), RECOVERY_ACTION, action -> action == 3));
  }

  private static List<HealthRule> everything() {
    return List.of(
        HealthRule.xid(fail(ALL, "FALLEN_OFF_BUS"), 79),
        HealthRule.xid(fail(ALL, "UNCONTAINED_ERROR"), 95),
        HealthRule.xid(fail(ALL, XID_ERROR), 48, 74, 119, 120, 140),
        HealthRule.xid(warn(ALL, "CONTAINED_ERROR"), 94));
  }

  /**
   * A rule for boards of some generations; for a board of unknown generation it reports nothing.
   */
  private static HealthRule only(GpuGeneration generation, HealthRule rule) {
    return new HealthRule(
        rule.finding(),
        vitals -> generation.is(vitals.value(COMPUTE_CAPABILITY)) && rule.hasData().test(vitals),
        rule.holds());
  }
}
