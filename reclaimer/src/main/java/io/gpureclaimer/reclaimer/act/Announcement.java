package io.gpureclaimer.reclaimer.act;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.plan.Demand;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** What people read on their pod: what was seen, what will happen, and how to prevent it. */
final class Announcement {
  private Announcement() {}

  /** The text of a warning. */
  static Notice warning(Step.Warn step) {
    Verdict.ToWarn verdict = step.verdict();
    String gpus = verdict.workload().holdings();
    return new Notice(
        "GPUIdleWarned",
        idle(verdict.idleFor(), verdict.idleSince())
            + ": its "
            + gpus
            + " did no work. "
            + verdict
                .actNotBefore()
                .map(at -> threat(step, at, gpus) + rescue(verdict.pod().ref(), gpus))
                .orElseGet(
                    () ->
                        "Nothing else will happen, but please delete the pod if nobody needs its "
                            + gpus
                            + "."),
        true);
  }

  /** The text that takes a warning back. */
  static Notice withdrawal(Verdict.ToWithdraw verdict) {
    return new Notice(
        "GPUIdleWarningWithdrawn",
        "The warning is taken back: " + VerdictSentence.of(verdict.why()) + ".",
        false);
  }

  /** The text of an eviction. */
  static Notice eviction(Step.Evict step) {
    Verdict.Due verdict = step.verdict();
    return new Notice(
        "GPUReclaimed",
        "Evicted to give its "
            + verdict.workload().holdings()
            + " back"
            + action(step)
            + ". "
            + idle(verdict.idleFor(), verdict.idleSince())
            + "; warned at "
            + text(verdict.warnedAt())
            + "."
            + step.forWhom().map(Announcement::beneficiary).orElse(""),
        true);
  }

  /** By which the warning, the act and the records of both are found together. */
  private static String action(Step step) {
    return ActionId.of(step).map(id -> " (action " + id + ")").orElse("");
  }

  private static String threat(Step.Warn step, Instant at, String gpus) {
    return switch (step.verdict().mode()) {
      case ALWAYS ->
          "If it stays idle, it will be evicted at "
              + text(at)
              + " or soon after"
              + action(step)
              + ". ";
      case ON_DEMAND ->
          "If it stays idle, it will be evicted as soon as another pod needs its "
              + gpus
              + ", at "
              + text(at)
              + " at the earliest"
              + action(step)
              + ". ";
      case OFF, REPORT, NOTIFY ->
          throw new IllegalArgumentException(
              "mode " + step.verdict().mode().text() + " never acts");
    };
  }

  private static String rescue(PodRef pod, String gpus) {
    return "To keep it, put its "
        + gpus
        + " to work, or run: kubectl annotate pod "
        + pod.name()
        + " --namespace "
        + pod.namespace()
        + " "
        + Annotations.EXCLUDE
        + "=true";
  }

  private static String beneficiary(Demand demand) {
    return " Pod "
        + demand.pod()
        + " waits for "
        + demand.gpus()
        + (demand.gpus() == 1 ? " GPU." : " GPUs.");
  }

  private static String idle(Duration idleFor, Instant idleSince) {
    return "Idle for " + Durations.format(idleFor) + ", since " + text(idleSince);
  }

  private static String text(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
