package io.gpureclaimer.deviceplugin.health;

import java.util.Arrays;
import java.util.Set;
import java.util.function.DoublePredicate;
import java.util.function.Predicate;

/**
 * Rule for one health problem.
 *
 * @param finding what it then is
 * @param hasData whether there is data to decide by
 * @param holds whether it is so; asked only if there is
 */
record HealthRule(
    HealthFinding finding, Predicate<HealthInputs> hasData, Predicate<HealthInputs> holds) {

  boolean isBroken(HealthInputs vitals) {
    return hasData.test(vitals) && holds.test(vitals);
  }

  /**
   * One of these XIDs was reported; that none was counts only while the GPU's events are subscribed
   * to.
   */
  static HealthRule xid(HealthFinding finding, Integer... codes) {
    var any = Set.of(codes);
    return new HealthRule(
        finding,
        vitals -> vitals.listening() || vitals.hasAnyOf(any),
        vitals -> vitals.hasAnyOf(any));
  }

  /** A field has such a value. */
  static HealthRule value(HealthFinding finding, int field, DoublePredicate bad) {
    return new HealthRule(
        finding, vitals -> vitals.has(field), vitals -> vitals.value(field).stream().anyMatch(bad));
  }

  /** One of the fields grew by at least one in the last minute. */
  static HealthRule grew(HealthFinding finding, int... fields) {
    return new HealthRule(
        finding,
        vitals -> Arrays.stream(fields).anyMatch(field -> vitals.growth(field).isPresent()),
        vitals ->
            Arrays.stream(fields)
                .anyMatch(field -> vitals.growth(field).stream().anyMatch(grown -> grown >= 1)));
  }
}
