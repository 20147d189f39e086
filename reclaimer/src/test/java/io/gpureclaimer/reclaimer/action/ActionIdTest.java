package io.gpureclaimer.reclaimer.action;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.time;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.action.evict.EvictPod;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.plan.Step.WaitReason;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.Warning.Withdrawal;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ActionIdTest {
  private static final Instant SINCE = ago("2h");

  @Test
  void isTheSameForTheWarningAndTheAction_evenIfThePeriodLooksAMomentShorter() {
    PodDraft warned = pod("a").with("idle-since", SINCE.toString());

    assertThat(evict(warned, SINCE.plusMillis(300)).actionId())
        .isEqualTo(warn(pod("a"), SINCE, Mode.ALWAYS).actionId())
        .isPresent();
  }

  @Test
  void isAnotherOne_forAnotherPeriodAndForAnotherPod() {
    assertThat(
            List.of(
                evict(pod("a"), SINCE).actionId(),
                evict(pod("a"), SINCE.plusSeconds(1)).actionId(),
                evict(pod("b"), SINCE).actionId()))
        .doesNotHaveDuplicates();
  }

  @Test
  void isAbsent_whereNoActionFollows() {
    Verdict.Due due = evict(pod("a"), SINCE).verdict();

    assertThat(warn(pod("a"), SINCE, Mode.NOTIFY).actionId()).isEmpty();
    assertThat(new Step.Wait(due, WaitReason.NOT_NEEDED).actionId()).isEmpty();
    assertThat(
            new Step.Withdraw(new Verdict.ToWithdraw(due.workload(), Withdrawal.ACTIVE_AGAIN))
                .actionId())
        .isEmpty();
  }

  private static Step.Act evict(PodDraft pod, Instant since) {
    return new Step.Act(
        new Verdict.Due(workload(pod), since, time("2h"), ago("1h"), Mode.ALWAYS, new EvictPod()),
        Optional.empty());
  }

  private static Step.Warn warn(PodDraft pod, Instant since, Mode mode) {
    return new Step.Warn(
        new Verdict.ToWarn(
            workload(pod),
            since,
            time("2h"),
            mode,
            mode.acts() ? Optional.of(ago("1h")) : Optional.empty(),
            Optional.empty(),
            new EvictPod()));
  }

  private static Workload workload(PodDraft pod) {
    return new Workload("ml", Optional.empty(), List.of(pod.draw()));
  }
}
