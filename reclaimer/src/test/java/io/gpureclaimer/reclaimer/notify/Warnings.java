package io.gpureclaimer.reclaimer.notify;

import io.gpureclaimer.reclaimer.action.evict.EvictPod;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.evidence.Evidence.UnknownCause;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.Warning.Withdrawal;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Warnings for tests of messages. */
final class Warnings {
  static final Notice NOTICE =
      new Notice(
          "GPUIdleWarned",
          "GPU idle for 45m (since 2026-03-02 11:15 UTC). To keep it, run:"
              + " kubectl annotate <pod> & wait",
          true);

  private Warnings() {}

  static Verdict.ToWarn toWarn(String pod) {
    return toWarn(pod, Mode.ALWAYS);
  }

  static Verdict.ToWarn toWarn(String pod, Mode mode) {
    return new Verdict.ToWarn(
        workload(pod),
        JudgeScenario.ago("45m"),
        Duration.ofMinutes(45),
        mode,
        Optional.of(JudgeScenario.NOW.plusSeconds(900)),
        Optional.empty(),
        new EvictPod());
  }

  static Verdict.ToWithdraw toWithdraw(String pod) {
    return new Verdict.ToWithdraw(workload(pod), Withdrawal.ACTIVE_AGAIN);
  }

  static Verdict.Unknown unknown(String pod) {
    Workload workload = workload(pod);
    return new Verdict.Unknown(
        workload,
        workload.pods().getFirst().ref(),
        new Evidence.Unknown(UnknownCause.BLIND, "no answer"));
  }

  static Verdict.Due due(String pod) {
    return new Verdict.Due(
        workload(pod),
        JudgeScenario.ago("1h"),
        Duration.ofHours(1),
        JudgeScenario.ago("20m"),
        Mode.ALWAYS,
        new EvictPod());
  }

  private static Workload workload(String pod) {
    return new Workload("ml", Optional.empty(), List.of(PodDraft.pod(pod).draw()));
  }
}
