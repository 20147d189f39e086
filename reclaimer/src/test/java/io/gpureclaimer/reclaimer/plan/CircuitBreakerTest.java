package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.time;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import io.gpureclaimer.reclaimer.plan.CircuitBreaker.BreakerCheck;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment.PodEvidence;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CircuitBreakerTest {
  private static final Evidence ACTIVE =
      new Evidence.Active(ago("1s"), Evidence.EvidenceSign.RECORD);
  private static final Evidence IDLE = new Evidence.Idle(ago("2h"), time("2h"));
  private static final Evidence UNKNOWN =
      new Evidence.Unknown(Evidence.UnknownCause.NOT_SEEN, "no agent has reported on it");

  private final CircuitBreaker breaker =
      new CircuitBreaker(
          new CircuitBreaker.Limits(
              0.95, 0.2, 5, time("30m"), time("5m"), time("5m"), time("30s")));

  @Test
  void isClosed_whenEverythingIsInOrder() {
    assertThat(check(cluster(50, 50, 0), PlanHistory.none(NOW), NOW).status())
        .isEqualTo(new CircuitBreaker.BreakerStatus(new CoverageStats(100, 100), List.of()));
  }

  @Test
  void isOpen_whileTheSourceIsBlind() {
    BreakerCheck check =
        breaker.check(
            new Observation.Blind("no answer within 30s"),
            cluster(0, 0, 100),
            PlanHistory.none(NOW),
            NOW);

    assertThat(check.status().reasons())
        .containsExactly(new BreakerReason.Blind("no answer within 30s"));
  }

  @ParameterizedTest(name = "{0} s of difference")
  @CsvSource({"30, false", "31, true", "-30, false", "-31, true"})
  void isOpen_whenTheClocksDisagree(int seconds, boolean open) {
    Instant source = NOW.plusSeconds(seconds);
    BreakerCheck check = breaker.check(seen(source), cluster(1, 1, 0), PlanHistory.none(NOW), NOW);

    assertThat(check.status().isOpen()).isEqualTo(open);
    if (open) {
      assertThat(check.status().reasons())
          .containsExactly(new BreakerReason.ClockSkew(source, NOW, time("30s")));
    }
  }

  @Test
  void isOpen_whileTheSourceHasJustStarted() {
    assertThat(trips(startedAt(ago("4m"), NOW), NOW))
        .containsExactly(new BreakerReason.FreshSource(ago("4m"), at(1)));
    assertThat(trips(startedAt(ago("4m"), at(1)), at(1))).isEmpty();
  }

  private List<BreakerReason> trips(Observation observation, Instant now) {
    return breaker
        .check(observation, cluster(1, 1, 0), PlanHistory.none(NOW), now)
        .status()
        .reasons();
  }

  private static Observation startedAt(Instant start, Instant now) {
    return new Observation.Seen(now, Map.of(), List.of())
        .from(new FormatName("ledger", "ours"), Optional.of(start));
  }

  @ParameterizedTest(name = "{0} seen, {1} not seen")
  @CsvSource({
    "0, 1, false",
    "1, 1, false",
    "2, 2, true",
    "19, 1, false",
    "18, 2, true",
    "95, 5, false",
    "94, 6, true",
    "0, 0, false",
    "0, 40000, true",
    "38000, 2000, false",
    "37999, 2001, true"
  })
  void isOpen_whenTooManyPodsAreNotObserved_butNeverForOne(int seen, int unseen, boolean open) {
    CircuitBreaker.BreakerStatus health =
        check(cluster(seen, 0, unseen), PlanHistory.none(NOW), NOW).status();

    assertThat(health.reasons())
        .isEqualTo(
            open ? List.of(new BreakerReason.LowCoverage(seen, seen + unseen, 0.95)) : List.of());
  }

  @Test
  void doesNotExpectObservations_ofNewPods_uncountedDevices_andSharedGpus() {
    var judgments = new ArrayList<>(cluster(10, 0, 0));
    for (int i = 0; i < 10; i++) {
      judgments.add(judgment(pod("young-" + i).startedAt(ago("4m")), UNKNOWN));
      judgments.add(judgment(pod("other-" + i).otherAccelerators(), UNKNOWN));
      judgments.add(judgment(pod("shared-" + i).replica("nvidia.com/gpu.shared"), UNKNOWN));
    }
    assertThat(check(judgments, PlanHistory.none(NOW), NOW).status().isOpen()).isFalse();

    judgments.add(judgment(pod("old-1").startedAt(ago("5m")), UNKNOWN));
    judgments.add(judgment(pod("old-2").startedAt(ago("5m")), UNKNOWN));
    assertThat(check(judgments, PlanHistory.none(NOW), NOW).status().reasons())
        .containsExactly(new BreakerReason.LowCoverage(10, 12, 0.95));
  }

  /** One GPU at rest would look like many. */
  @Test
  void doesNotOpen_whenPodsOfASharedGpuAreSuddenlyIdle() {
    var working = new ArrayList<>(cluster(20, 0, 0));
    var resting = new ArrayList<>(working);
    for (int i = 0; i < 20; i++) {
      working.add(judgment(pod("shared-" + i).replica("nvidia.com/gpu.shared"), ACTIVE));
      resting.add(judgment(pod("shared-" + i).replica("nvidia.com/gpu.shared"), IDLE));
    }
    PlanHistory memory = check(working, PlanHistory.none(NOW), NOW).history();

    assertThat(check(resting, memory, at(1)).status().isOpen()).isFalse();
  }

  @Test
  void opensAtOnce_whenEverythingIsSuddenlyIdle_andBelievesItWhenItLasts() {
    PlanHistory memory = check(cluster(80, 20, 0), PlanHistory.none(NOW), NOW).history();

    BreakerCheck poisoned = check(cluster(0, 100, 0), memory, at(1));
    var trip = new BreakerReason.IdleJump(0.2, 1, at(31));
    assertThat(poisoned.status().reasons()).containsExactly(trip);
    BreakerCheck lasting = check(cluster(0, 100, 0), poisoned.history(), at(30));
    assertThat(lasting.status().reasons()).containsExactly(trip);
    BreakerCheck settled = check(cluster(0, 100, 0), lasting.history(), at(31));
    assertThat(settled.status().isOpen()).isFalse();
    assertThat(check(cluster(0, 100, 0), settled.history(), at(32)).status().isOpen()).isFalse();
  }

  @Test
  void closes_whenTheShareIsNormal_andOpensAtTheNextJump() {
    PlanHistory memory = check(cluster(80, 20, 0), PlanHistory.none(NOW), NOW).history();
    memory = check(cluster(0, 100, 0), memory, at(1)).history();

    BreakerCheck back = check(cluster(79, 21, 0), memory, at(2));
    assertThat(back.status().isOpen()).isFalse();
    assertThat(check(cluster(0, 100, 0), back.history(), at(3)).status().reasons())
        .containsExactly(new BreakerReason.IdleJump(0.21, 1, at(33)));
  }

  @ParameterizedTest(name = "from {0} to {1} idle of {2}")
  @CsvSource({"20, 39, 100, false", "20, 40, 100, true", "0, 4, 8, false", "0, 5, 8, true"})
  void isOpenedByAJump_onlyIfItIsHighAndOfManyWorkloads(
      int before, int after, int of, boolean open) {
    PlanHistory memory =
        check(cluster(of - before, before, 0), PlanHistory.none(NOW), NOW).history();

    assertThat(check(cluster(of - after, after, 0), memory, at(1)).status().isOpen())
        .isEqualTo(open);
  }

  @ParameterizedTest(name = "{0} active pods before")
  @ValueSource(ints = {0, 10})
  void isNotOpenedByPodsThatStartTogether(int active) {
    List<Judgment> running = cluster(active, 0, 0);
    PlanHistory memory = check(running, PlanHistory.none(NOW), NOW).history();

    assertThat(check(with(running, IDLE), memory, at(1)).status().isOpen()).isFalse();
  }

  /** Eight pods that were not there before. */
  private static List<Judgment> with(List<Judgment> running, Evidence evidence) {
    var judgments = new ArrayList<>(running);
    for (int i = 0; i < 8; i++) {
      judgments.add(judgment(pod("new-" + i), evidence));
    }
    return judgments;
  }

  @Test
  void isOpenedByAJump_whateverStartsAtTheSameTime() {
    PlanHistory memory = check(cluster(10, 0, 0), PlanHistory.none(NOW), NOW).history();

    assertThat(check(with(cluster(4, 6, 0), ACTIVE), memory, at(1)).status().reasons())
        .containsExactly(new BreakerReason.IdleJump(0, 0.6, at(31)));
  }

  @Test
  void isNotOpenedByAnyJump_whenTheLimitIsOne() {
    var off =
        new CircuitBreaker(
            new CircuitBreaker.Limits(
                0.95, 1, 5, time("30m"), time("5m"), time("5m"), time("30s")));
    PlanHistory memory =
        off.check(seen(NOW), cluster(100, 0, 0), PlanHistory.none(NOW), NOW).history();

    assertThat(off.check(seen(at(1)), cluster(0, 100, 0), memory, at(1)).status().isOpen())
        .isFalse();
  }

  @Test
  void comparesWithWhatWasKnownBeforeAnOutage() {
    PlanHistory memory = check(cluster(80, 20, 0), PlanHistory.none(NOW), NOW).history();
    memory = check(cluster(0, 0, 100), memory, at(1)).history();

    assertThat(check(cluster(0, 100, 0), memory, at(60)).status().reasons())
        .containsExactly(new BreakerReason.IdleJump(0.2, 1, at(90)));
  }

  @Test
  void isOpen_untilALeaderHasSettled_andAgainAfterEveryTakeover() {
    PlanHistory leading = PlanHistory.none(NOW).at(true, false, NOW);

    assertThat(check(cluster(1, 1, 0), leading, NOW).status().reasons())
        .containsExactly(new BreakerReason.FreshLeader(NOW, at(5)));
    assertThat(check(cluster(1, 1, 0), leading.at(true, false, at(5)), at(5)).status().isOpen())
        .isFalse();
    PlanHistory again = leading.at(false, false, at(6)).at(true, false, at(7));
    assertThat(check(cluster(1, 1, 0), again, at(8)).status().reasons())
        .containsExactly(new BreakerReason.FreshLeader(at(7), at(12)));
  }

  @Test
  void doesNotHoldAgainstWhoOnlyLooks_thatHeDoesNotLead() {
    assertThat(check(cluster(1, 1, 0), PlanHistory.none(NOW), NOW).status().isOpen()).isFalse();
  }

  @Test
  void everyReasonHasASentence() {
    assertThat(
            List.of(
                new BreakerReason.Blind("no answer within 30s").sentence(),
                new BreakerReason.ClockSkew(at(1), NOW, time("30s")).sentence(),
                new BreakerReason.FreshSource(NOW, at(5)).sentence(),
                new BreakerReason.LowCoverage(90, 100, 0.95).sentence(),
                new BreakerReason.IdleJump(0.2, 1, at(30)).sentence(),
                new BreakerReason.FreshLeader(NOW, at(5)).sentence()))
        .containsExactly(
            "nothing is known of any GPU: no answer within 30s",
            "the clocks of the activity source (2026-03-02T12:01:00Z) and of the reclaimer"
                + " (2026-03-02T12:00:00Z) differ by more than 30s",
            "the source has only been running since 2026-03-02T12:00:00Z; it is relied on from"
                + " 2026-03-02T12:05:00Z",
            "only 90 of 100 pods with GPUs are observed, expected at least 95 %",
            "the share of idle GPUs jumped from 20 % to 100 %; the higher share is accepted if it lasts until"
                + " 2026-03-02T12:30:00Z",
            "this replica has only been leading since 2026-03-02T12:00:00Z; it acts from"
                + " 2026-03-02T12:05:00Z");
  }

  private BreakerCheck check(List<Judgment> judgments, PlanHistory memory, Instant now) {
    return breaker.check(seen(now), judgments, memory, now);
  }

  private static Observation seen(Instant at) {
    return new Observation.Seen(at, Map.of(), List.of());
  }

  private static Instant at(int minutes) {
    return NOW.plusSeconds(60L * minutes);
  }

  private static List<Judgment> cluster(int active, int idle, int unknown) {
    var judgments = new ArrayList<Judgment>();
    for (int i = 0; i < active + idle + unknown; i++) {
      Evidence evidence = i < active ? ACTIVE : i < active + idle ? IDLE : UNKNOWN;
      judgments.add(judgment(pod("pod-" + i), evidence));
    }
    return judgments;
  }

  private static Judgment judgment(PodDraft draft, Evidence evidence) {
    var view = draft.draw();
    var workload = new Workload("ml", Optional.empty(), List.of(view));
    return new Judgment(
        new Verdict.NotRunning(workload, view.ref()),
        Optional.empty(),
        List.of(new PodEvidence(view.ref(), evidence)),
        Optional.empty());
  }
}
