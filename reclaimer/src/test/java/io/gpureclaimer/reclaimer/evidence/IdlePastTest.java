package io.gpureclaimer.reclaimer.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.evidence.IdlePast.IdleOutcomes;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.PastActivity.PastPod;
import io.gpureclaimer.reclaimer.evidence.PastActivity.PastSpell;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Idle periods of a day, sampled every ten minutes. Times are hours from its begin. */
class IdlePastTest {
  private static final Instant BEGIN = Instant.parse("2026-03-02T00:00:00Z");
  private static final Duration STEP = Duration.ofMinutes(10);
  private static final TimeRange DAY = new TimeRange(BEGIN, BEGIN.plus(Duration.ofHours(24)), STEP);
  private static final Duration TWO_HOURS = Duration.ofHours(2);

  /** It works at 1, 3.5 and 9: idle for 2.5 and 5.5 hours, and for 15 up to the end. */
  @Test
  void countsThePeriodsThatLastedAsLong_andThoseThatEndedWithinTheHour() {
    IdlePast past = IdlePast.of(DAY, List.of(pod(0, 24, 1, 3.5, 9)));

    assertThat(past.after(TWO_HOURS)).isEqualTo(new IdleOutcomes(3, 1));
    assertThat(past.after(Duration.ofHours(5))).isEqualTo(new IdleOutcomes(2, 1));
    assertThat(past.after(Duration.ofHours(6))).isEqualTo(new IdleOutcomes(1, 0));
    assertThat(past.after(Duration.ofHours(20))).isEqualTo(new IdleOutcomes(0, 0));
  }

  /** Two hours are reached at 3, 5.5 and 11; at 24 it is an hour later than 23, a day before. */
  @Test
  void countsThePeriodsThatLastedAsLongAtThisTimeOfDay() {
    IdlePast past = IdlePast.of(DAY, List.of(pod(0, 24, 1, 3.5, 9)));

    assertThat(past.after(TWO_HOURS, at(24 + 3))).isEqualTo(new IdleOutcomes(1, 1));
    assertThat(past.after(TWO_HOURS, at(24 + 1))).isEqualTo(new IdleOutcomes(1, 1));
    assertThat(past.after(TWO_HOURS, at(24 + 4.5))).isEqualTo(new IdleOutcomes(2, 1));
    assertThat(past.after(TWO_HOURS, at(24 + 8))).isEqualTo(new IdleOutcomes(0, 0));
    assertThat(past.after(TWO_HOURS, at(48 + 12))).isEqualTo(new IdleOutcomes(1, 0));
    IdlePast late = IdlePast.of(DAY, List.of(pod(0, 24, 1, 20.5)));
    assertThat(late.after(TWO_HOURS, at(24 + 0.25))).isEqualTo(new IdleOutcomes(1, 0));
  }

  /** Idle since 1; the end comes half an hour after two hours. */
  @Test
  void doesNotCountThePresentPeriod() {
    assertThat(IdlePast.of(DAY, List.of(pod(0, 3.5, 1))).after(TWO_HOURS))
        .isEqualTo(new IdleOutcomes(0, 0));
  }

  /** The agent restarts at 3.5: its records begin again, and nothing worked. */
  @Test
  void doesNotCountAGap_asActivityOrAsIdleness() {
    IdlePast past =
        IdlePast.of(
            DAY, List.of(new PastPod(name("a"), both(spells(0, 3.5, 1), spells(3.5, 4.2)))));

    assertThat(past.after(TWO_HOURS)).isEqualTo(new IdleOutcomes(0, 0));
  }

  /** The samples of 3 to 5 are lost, but the agent saw the pod idle all the time. */
  @Test
  void believesTheAgent_whereOnlySamplesWereLost() {
    List<PastSpell> spells =
        spells(0, 24, 1).stream()
            .flatMap(
                spell ->
                    spell.lastStep() < step(5)
                        ? List.of(spell).stream()
                        : List.of(
                            new PastSpell(
                                spell.lastActive(),
                                spell.observedSince(),
                                at(3),
                                spell.firstStep(),
                                step(3)),
                            new PastSpell(
                                spell.lastActive(),
                                spell.observedSince(),
                                spell.observedUntil(),
                                step(5),
                                spell.lastStep()))
                            .stream())
            .toList();

    assertThat(IdlePast.of(DAY, List.of(new PastPod(name("a"), spells))).after(TWO_HOURS))
        .isEqualTo(new IdleOutcomes(1, 0));
  }

  /** What was lost from 2.9 on could hide work: only activity that was recorded counts. */
  @Test
  void doesNotCount_whatWasObservedTooShortly() {
    IdlePast past =
        IdlePast.of(
            DAY, List.of(new PastPod(name("a"), both(spells(0, 3.4, 1), spells(8, 24, 9)))));

    // Idle from 1 to at least 3.4; from 8, when it is observed again, not for two hours.
    assertThat(past.after(TWO_HOURS)).isEqualTo(new IdleOutcomes(1, 0));
  }

  /** It was stopped at 3.2, after 2.2 hours; its next pod worked at 3.7. */
  @Test
  void countsThatItWasNeededAgain_inAnotherPod() {
    List<PastPod> pods =
        List.of(
            new PastPod(name("a-1"), spells(0, 3.2, 1)),
            new PastPod(name("a-2"), spells(3.5, 4, 3.7)));

    assertThat(IdlePast.of(DAY, pods).after(TWO_HOURS)).isEqualTo(new IdleOutcomes(1, 1));
  }

  /** One of its pods is idle from 1 on, and the other works at 3.2. */
  @Test
  void isIdleOnly_whileAllItsPodsAre() {
    List<PastPod> pods = List.of(pod(0, 8, 1), pod(0, 8, 0.5, 3.2));

    assertThat(IdlePast.of(DAY, pods).after(TWO_HOURS)).isEqualTo(new IdleOutcomes(2, 1));
  }

  /** The samples of the second pod from 2 to 4 are lost. */
  @Test
  void isUnknown_whileOneOfItsPodsIs() {
    List<PastPod> pods =
        List.of(pod(0, 8, 1), new PastPod(name("b"), both(spells(0, 2, 0.5), spells(4, 8, 4))));

    assertThat(IdlePast.of(DAY, pods).after(Duration.ofMinutes(90)))
        .isEqualTo(new IdleOutcomes(1, 0));
  }

  @Test
  void hasNoPeriods_withoutSamples() {
    assertThat(IdlePast.of(DAY, List.of()).periods()).isEmpty();
    assertThat(IdlePast.of(DAY, List.of(new PastPod(name("a"), List.of()))).after(TWO_HOURS))
        .isEqualTo(new IdleOutcomes(0, 0));
  }

  private static PodName name(String pod) {
    return new PodName("ml", pod);
  }

  private static PastPod pod(double from, double to, double... works) {
    return new PastPod(name("pod"), spells(from, to, works));
  }

  private static List<PastSpell> both(List<PastSpell> first, List<PastSpell> second) {
    var all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }

  /** Samples of a pod that is observed for a time and works at some moments. */
  private static List<PastSpell> spells(double from, double to, double... works) {
    var spells = new ArrayList<PastSpell>();
    for (long step = step(from) + 1; step <= step(to); step++) {
      Instant now = DAY.at(step);
      Optional<Instant> active = Optional.empty();
      for (double work : works) {
        active = at(work).isAfter(now) ? active : Optional.of(at(work));
      }
      PastSpell.add(spells, active, at(from), now, step);
    }
    return spells;
  }

  private static long step(double hours) {
    return Math.round(hours * 6);
  }

  private static Instant at(double hours) {
    return BEGIN.plusSeconds(Math.round(hours * 3_600));
  }
}
