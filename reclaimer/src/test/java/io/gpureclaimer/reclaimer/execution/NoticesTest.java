package io.gpureclaimer.reclaimer.execution;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.time;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.action.evict.EvictPod;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.plan.Demand;
import io.gpureclaimer.reclaimer.plan.FreeGpuFloor;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.Warning.Withdrawal;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NoticesTest {
  /** What the API server takes as the message of an Event. */
  private static final int LONGEST_MESSAGE = 1024;

  /** Of pod a and the idle time that the tests of warnings give it. */
  private static final String ACTION = " (action c9ca2172-4fa4-3665-a88b-6bc7443f7820)";

  private static final String RESTORE =
      " The reclaimer cannot restore an evicted pod. To get pod ml/a back, create it again from its"
          + " manifest.";

  @Test
  void threatens_whereIdlePodsAreAlwaysEvicted() {
    assertThat(Notices.warning(toWarn(pod("a").gpus(2), Mode.ALWAYS)))
        .isEqualTo(
            new Notice(
                "GPUIdleWarned",
                "2 GPUs idle for 45m (since 2026-03-02 11:15:00 UTC). Pod a will be evicted after"
                    + " 2026-03-02 12:15:00 UTC"
                    + ACTION
                    + ". To keep it, use its 2 GPUs or run: kubectl annotate pod a --namespace ml"
                    + " --overwrite gpu-reclaimer.io/keep-until=2026-03-03T12:15:00Z",
                true));
  }

  @Test
  void threatens_whereIdlePodsAreEvictedOnDemand() {
    assertThat(Notices.warning(toWarn(pod("a"), Mode.ON_DEMAND)).message())
        .isEqualTo(
            "GPU idle for 45m (since 2026-03-02 11:15:00 UTC). Pod a will be evicted after 2026-03-02"
                + " 12:15:00 UTC if a pending pod needs its GPU"
                + ACTION
                + ". To keep it, use its GPU or run: kubectl annotate pod a --namespace ml"
                + " --overwrite gpu-reclaimer.io/keep-until=2026-03-03T12:15:00Z");
  }

  @Test
  void offersNoLongerTimeThanTheNamespaceAllows() {
    assertThat(Notices.warning(toWarn(Optional.of(NOW.plus(time("2h"))))).message())
        .endsWith(" gpu-reclaimer.io/keep-until=2026-03-02T14:00:00Z");
    assertThat(Notices.warning(toWarn(Optional.empty())).message())
        .endsWith(
            ". To keep it, use its GPU. keep-until does not keep it any longer: it has been idle for"
                + " as long as max-keep allows");
  }

  @Test
  void onlyAsks_whereNothingFollows() {
    assertThat(Notices.warning(toWarn(pod("a"), Mode.NOTIFY)).message())
        .isEqualTo(
            "GPU idle for 45m (since 2026-03-02 11:15:00 UTC). Nothing else will happen. Please delete"
                + " pod a if you no longer need its GPU.");
  }

  @ParameterizedTest
  @CsvSource({
    "ACTIVE_AGAIN, its GPUs work again",
    "OTHER_IDLE_PERIOD, 'it was in use, or not observed, in between'",
    "UNREADABLE, its annotations cannot be read",
    "IMPLAUSIBLE_TIME, 'it is dated in the future, or before the idle time began'",
    "POLICY_CHANGED, the policy has changed since"
  })
  void saysWhyAWarningIsWithdrawn(Withdrawal why, String words) {
    assertThat(Notices.withdrawal(new Verdict.ToWithdraw(workload(pod("a")), why)))
        .isEqualTo(
            new Notice("GPUIdleWarningWithdrawn", "Warning withdrawn: " + words + ".", false));
  }

  @Test
  void explainsAnEviction() {
    assertThat(Notices.action(new Step.Act(due(pod("a")), Optional.empty()), Optional.empty()))
        .isEqualTo(
            new Notice(
                "GPUReclaimed",
                "Evicted to free its GPU (action 1c61869a-db3b-301d-aa97-571f93c0500c). GPU idle for"
                    + " 2h (since 2026-03-02 10:00:00 UTC), warned at 2026-03-02 11:00:00 UTC."
                    + RESTORE,
                true));
  }

  @ParameterizedTest
  @CsvSource({"1, 1 GPU.", "2, 2 GPUs."})
  void saysForWhomAPodWasEvicted(int gpus, String words) {
    assertThat(Notices.action(forWhom("big", gpus), Optional.empty()).message())
        .endsWith(" Pod ml/big is pending for " + words + RESTORE);
  }

  @Test
  void saysThatAFloorWasTheReason() {
    var floor = new FreeGpuFloor("H100", 8, 1);
    var block =
        new Demand(new PodRef("", "8xH100", "keep-free/8xH100/0"), 1, 0, NOW, Placement.ANYWHERE);
    var keepFree = new Step.Beneficiary.KeepFree(floor, 2, 0, List.of(block), block, "node-1");

    assertThat(
            Notices.action(new Step.Act(due(pod("a")), Optional.of(keepFree)), Optional.empty())
                .message())
        .endsWith(" The reason is to keep 8 H100 free (2 free)." + RESTORE);
  }

  @Test
  void warnsOfAFloor_whichNeedsNoPendingPod() {
    Step.Warn warn = toWarn(pod("a"), Mode.ON_DEMAND);

    assertThat(
            Notices.warning(new Step.Warn(warn.verdict(), List.of(new FreeGpuFloor("H100", 2, 8))))
                .message())
        .contains(" if a pending pod needs its GPU, or to keep 2 blocks of 8 H100 free (action ");
  }

  @Test
  void saysWhatTheCheckpointHookAnswered() {
    var act = new Step.Act(due(pod("a")), Optional.empty());

    assertThat(Notices.action(act, Optional.of("its checkpoint hook confirmed")).message())
        .contains(", warned at 2026-03-02 11:00:00 UTC; its checkpoint hook confirmed. ");
  }

  @Test
  void fitsIntoAnEvent_howeverLongTheNames() {
    PodDraft pod = pod("n".repeat(253));

    assertThat(Notices.warning(toWarn(pod, Mode.ON_DEMAND)).message().length())
        .isLessThan(LONGEST_MESSAGE - "n".repeat(63).length());
    assertThat(Notices.action(forWhom("n".repeat(253), 16), Optional.empty()).message().length())
        .isLessThan(LONGEST_MESSAGE - "n".repeat(63).length());
  }

  private static Step.Act forWhom(String name, int gpus) {
    var waiting = new PodRef("ml", name, "uid");
    return new Step.Act(
        due(pod("a")),
        Optional.of(
            new Step.Beneficiary.PendingPod(
                new Demand(waiting, gpus, 0, ago("5m"), Placement.ANYWHERE), "node-1")));
  }

  private static Verdict.Due due(PodDraft pod) {
    return new Verdict.Due(
        workload(pod), ago("2h"), time("2h"), ago("1h"), Mode.ALWAYS, new EvictPod());
  }

  private static Step.Warn toWarn(PodDraft pod, Mode mode) {
    return toWarn(pod, mode, Optional.of(NOW.plus(time("7d"))));
  }

  private static Step.Warn toWarn(Optional<Instant> keepUntil) {
    return toWarn(pod("a"), Mode.ALWAYS, keepUntil);
  }

  private static Step.Warn toWarn(PodDraft pod, Mode mode, Optional<Instant> keepUntil) {
    return new Step.Warn(
        new Verdict.ToWarn(
            workload(pod),
            ago("45m"),
            time("45m"),
            mode,
            mode.acts() ? Optional.of(NOW.plus(time("15m"))) : Optional.empty(),
            keepUntil,
            new EvictPod()));
  }

  private static Workload workload(PodDraft pod) {
    return new Workload("ml", Optional.empty(), List.of(pod.draw()));
  }
}
