package io.gpureclaimer.reclaimer.act;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.Scene.ago;
import static io.gpureclaimer.reclaimer.verdict.Scene.time;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.plan.NotNow;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.Withdrawal;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ActionIdTest {
  private static final Instant SINCE = ago("2h");

  @Test
  void isTheSameForTheWarningAndTheAct_evenIfThePeriodLooksAMomentShorter() {
    PodDraft warned = pod("a").with("idle-since", SINCE.toString());

    assertThat(ActionId.of(evict(warned, SINCE.plusMillis(300))))
        .isEqualTo(ActionId.of(warn(pod("a"), SINCE, Mode.ALWAYS)))
        .isPresent();
  }

  @Test
  void isAnotherOne_forAnotherPeriodAndForAnotherPod() {
    assertThat(
            List.of(
                ActionId.of(evict(pod("a"), SINCE)),
                ActionId.of(evict(pod("a"), SINCE.plusSeconds(1))),
                ActionId.of(evict(pod("b"), SINCE))))
        .doesNotHaveDuplicates();
  }

  @Test
  void isAbsent_whereNoActFollows() {
    Verdict.Due due = evict(pod("a"), SINCE).verdict();

    assertThat(ActionId.of(warn(pod("a"), SINCE, Mode.NOTIFY))).isEmpty();
    assertThat(ActionId.of(new Step.Wait(due, NotNow.NOT_NEEDED))).isEmpty();
    assertThat(
            ActionId.of(
                new Step.Withdraw(new Verdict.ToWithdraw(due.workload(), Withdrawal.ACTIVE_AGAIN))))
        .isEmpty();
  }

  private static Step.Evict evict(PodDraft pod, Instant since) {
    return new Step.Evict(
        new Verdict.Due(workload(pod), since, time("2h"), ago("1h"), Mode.ALWAYS),
        Optional.empty());
  }

  private static Step.Warn warn(PodDraft pod, Instant since, Mode mode) {
    return new Step.Warn(
        new Verdict.ToWarn(
            workload(pod),
            since,
            time("2h"),
            mode,
            mode.acts() ? Optional.of(ago("1h")) : Optional.empty()));
  }

  private static Workload workload(PodDraft pod) {
    return new Workload("ml", Optional.empty(), List.of(pod.draw()));
  }
}
