package io.gpureclaimer.reclaimer.verdict;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.time;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.action.Action.ActionCheck;
import io.gpureclaimer.reclaimer.action.evict.EvictPod;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.evidence.Evidence.EvidenceSign;
import io.gpureclaimer.reclaimer.evidence.Evidence.UnknownCause;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Remark;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting.Origin;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.verdict.Verdict.Next;
import io.gpureclaimer.reclaimer.verdict.Verdict.ReportOnly;
import io.gpureclaimer.reclaimer.verdict.Warning.Withdrawal;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class VerdictSentenceTest {
  private static final Workload WORKLOAD = JudgeScenario.workload(pod("a").draw());
  private static final PodRef POD = WORKLOAD.pods().getFirst().ref();

  @ParameterizedTest(name = "{2}: {3}")
  @MethodSource("verdicts")
  void saysEveryVerdictToPeopleAndToMachines(
      Verdict verdict, String sentence, String code, String reason) {
    assertThat(VerdictSentence.of(verdict)).isEqualTo(sentence);
    assertThat(VerdictCode.of(verdict)).isEqualTo(new VerdictCode(code, reason));
  }

  static List<Arguments> verdicts() {
    return List.of(
        Arguments.of(
            new Verdict.Watching(
                WORKLOAD,
                ago("72m"),
                time("72m"),
                Optional.empty(),
                time("2h"),
                Next.WARNING,
                time("33m")),
            "idle for 1h 12m of 2h; warning in 33m",
            "watching",
            "watching"),
        Arguments.of(
            new Verdict.Watching(
                WORKLOAD,
                ago("72m"),
                time("72m"),
                Optional.of("cpu said work or was not known"),
                time("2h"),
                Next.REPORT,
                time("48m")),
            "idle for 1h 12m of 2h, after cpu said work or was not known; reported in 48m",
            "watching",
            "watching"),
        Arguments.of(
            new Verdict.NotRunning(WORKLOAD, POD),
            "not running (yet)",
            "not-running",
            "not-running"),
        Arguments.of(
            new Verdict.Active(WORKLOAD, POD, new Evidence.Active(ago("3s"), EvidenceSign.RECORD)),
            "in use, last active at 2026-03-02T11:59:57Z",
            "active",
            "active"),
        Arguments.of(
            new Verdict.Active(
                WORKLOAD, POD, new Evidence.Active(ago("3s"), EvidenceSign.UTILIZATION)),
            "in use, active within the last two minutes",
            "active",
            "active"),
        Arguments.of(
            new Verdict.Unknown(
                WORKLOAD,
                POD,
                new Evidence.Unknown(UnknownCause.GPU_COUNT, "2 of 4 GPUs observed")),
            "2 of 4 GPUs observed",
            "unknown",
            "gpu-count"),
        reported(
            new ReportOnly.ModeIsReport(new Origin.Defaults()),
            "the mode is report (by default)",
            "mode-report"),
        reported(
            new ReportOnly.ModeIsReport(new Origin.Clamped("pod ml/a", "always", "too much")),
            "the mode is report (pod ml/a has always: too much)",
            "mode-report"),
        reported(
            new ReportOnly.PolicyDistrusted(new Remark("pod ml/a", "k", "v", "must be w")),
            "pod ml/a: k \"v\": must be w",
            "policy-distrusted"),
        reported(
            new ReportOnly.ActionRefused(
                new ActionCheck.Refused("owner-would-recreate", "obstacle", "the whole reason")),
            "the whole reason",
            "owner-would-recreate"),
        Arguments.of(
            new Verdict.ToWarn(
                WORKLOAD,
                ago("2h"),
                time("2h"),
                Mode.ALWAYS,
                Optional.of(ago("0s")),
                Optional.empty(),
                new EvictPod()),
            "idle for 2h; warning due, action at 2026-03-02T12:00:00Z or later",
            "to-warn",
            "to-warn"),
        Arguments.of(
            new Verdict.ToWarn(
                WORKLOAD,
                ago("2h"),
                time("2h"),
                Mode.NOTIFY,
                Optional.empty(),
                Optional.empty(),
                new EvictPod()),
            "idle for 2h; warning due, no action follows",
            "to-warn",
            "to-warn"),
        Arguments.of(
            new Verdict.Warned(
                WORKLOAD, ago("2h"), time("2h"), ago("5m"), Mode.ON_DEMAND, time("10m")),
            "idle for 2h; warned at 2026-03-02T11:55:00Z, to be reclaimed in 10m if a pending pod"
                + " needs its GPUs",
            "warned",
            "warned"),
        Arguments.of(
            new Verdict.Notified(WORKLOAD, ago("2h"), time("2h"), ago("5m")),
            "idle for 2h; warned at 2026-03-02T11:55:00Z, no action follows",
            "notified",
            "notified"),
        Arguments.of(
            new Verdict.Due(
                WORKLOAD, ago("2h"), time("2h"), ago("5m"), Mode.ON_DEMAND, new EvictPod()),
            "idle for 2h, warned at 2026-03-02T11:55:00Z; may be reclaimed if a pending pod needs"
                + " its GPUs",
            "due",
            "on-demand"),
        withdrawn(Withdrawal.ACTIVE_AGAIN, "its GPUs work again", "active-again"),
        withdrawn(
            Withdrawal.OTHER_IDLE_PERIOD,
            "it was in use, or not observed, in between",
            "other-idle-period"),
        withdrawn(Withdrawal.UNREADABLE, "its annotations cannot be read", "unreadable"),
        withdrawn(Withdrawal.INCOMPLETE, "not every pod carries it", "incomplete"),
        withdrawn(
            Withdrawal.IMPLAUSIBLE_TIME,
            "it is dated in the future, or before the idle time began",
            "implausible-time"),
        withdrawn(
            Withdrawal.MODE_RAISED,
            "the policy now allows more than it announced; a new warning follows",
            "mode-raised"),
        withdrawn(Withdrawal.POLICY_CHANGED, "the policy has changed since", "policy-changed"),
        spared(
            new Protection.Untouchable(POD, "it is a static pod"),
            "pod ml/a: it is a static pod",
            "untouchable"),
        spared(new Protection.Terminating(POD), "pod ml/a is terminating already", "terminating"),
        spared(
            new Protection.OtherAccelerators(POD),
            "pod ml/a has several GPU replicas or other accelerators, which are not judged",
            "other-accelerators"),
        spared(
            new Protection.SharedGpu(POD, new GpuUuid("GPU-1")),
            "pod ml/a shares GPU-1 with another pod",
            "shared-gpu"),
        spared(
            new Protection.NamespaceUnseen("ml"),
            "the annotations of namespace ml are not known",
            "namespace-unseen"),
        spared(new Protection.Excluded("namespace ml"), "excluded by namespace ml", "excluded"),
        spared(
            new Protection.OptedOutElsewhere("pod ml/a", "karpenter.sh/do-not-disrupt", "true"),
            "pod ml/a has karpenter.sh/do-not-disrupt: \"true\"",
            "opted-out-elsewhere"),
        spared(
            new Protection.SwitchedOff(new Origin.Annotation("namespace ml")),
            "the mode is off (namespace ml)",
            "mode-off"));
  }

  private static Arguments reported(ReportOnly why, String sentence, String reason) {
    return Arguments.of(
        new Verdict.Reported(WORKLOAD, ago("2h"), time("2h"), time("1h"), why),
        "idle for 2h, over the limit of 1h; only reported: " + sentence,
        "reported",
        reason);
  }

  private static Arguments withdrawn(Withdrawal why, String sentence, String reason) {
    return Arguments.of(
        new Verdict.ToWithdraw(WORKLOAD, why),
        "the warning no longer holds: " + sentence,
        "to-withdraw",
        reason);
  }

  private static Arguments spared(Protection protection, String sentence, String reason) {
    return Arguments.of(new Verdict.Protected(WORKLOAD, protection), sentence, "protected", reason);
  }
}
