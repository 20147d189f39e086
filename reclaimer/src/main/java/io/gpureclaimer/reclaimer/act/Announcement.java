package io.gpureclaimer.reclaimer.act;

import io.gpureclaimer.core.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.policy.HumanDuration;
import io.gpureclaimer.reclaimer.policy.Verdict;
import io.gpureclaimer.reclaimer.policy.VerdictSentence;
import java.time.temporal.ChronoUnit;

/** What people read on their pod: what was seen, what will happen, and how to prevent it. */
public final class Announcement {

  /** The text of a warning. */
  Notice warning(Verdict.ToWarn verdict) {
    String what =
        verdict
            .actNotBefore()
            .map(
                instant ->
                    switch (verdict.mode()) {
                      case ALWAYS ->
                          "It will be evicted at "
                              + instant.truncatedTo(ChronoUnit.SECONDS)
                              + " if it stays idle.";
                      case ON_DEMAND ->
                          "From "
                              + instant.truncatedTo(ChronoUnit.SECONDS)
                              + " it will be evicted if it stays idle and another pod waits for its "
                              + gpus(verdict)
                              + ".";
                      case OFF, REPORT, NOTIFY ->
                          throw new IllegalStateException(
                              "mode " + verdict.mode().text() + " never acts");
                    })
            .orElse("Nothing will be done about it.");
    return new Notice(
        "GPUIdleWarned",
        "Idle for "
            + HumanDuration.of(verdict.idleFor())
            + ", since "
            + verdict.idleSince().truncatedTo(ChronoUnit.SECONDS)
            + ": none of its "
            + gpus(verdict)
            + " worked. "
            + what
            + " To keep it, use it, or set the annotation "
            + Annotations.EXCLUDE
            + "=\"true\".",
        true);
  }

  /** The text that takes a warning back. */
  Notice withdrawal(Verdict.ToWithdraw verdict) {
    return new Notice(
        "GPUIdleWarningWithdrawn",
        "The warning is taken back: " + VerdictSentence.of(verdict.why()) + ".",
        false);
  }

  /** The text of an eviction. */
  Notice eviction(Verdict.Due verdict, String reason) {
    return new Notice(
        "GPUReclaimed",
        "Evicted to give back its " + gpuCount(verdict.workload().gpusHeld()) + ": " + reason,
        true);
  }

  private static String gpus(Verdict.ToWarn verdict) {
    return gpuCount(verdict.workload().gpusHeld());
  }

  private static String gpuCount(int gpus) {
    return gpus == 1 ? "GPU" : gpus + " GPUs";
  }
}
