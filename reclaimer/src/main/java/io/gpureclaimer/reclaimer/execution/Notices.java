package io.gpureclaimer.reclaimer.execution;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.action.Action;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.plan.Demand;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Texts for the owner of a workload: what was seen, what will happen, how to prevent it. */
final class Notices {
  private Notices() {}

  /** The text of a warning. */
  static Notice warning(Step.Warn step) {
    Verdict.ToWarn verdict = step.verdict();
    String gpus = verdict.workload().holdings();
    return new Notice(
        "GPUIdleWarned",
        idle(verdict.workload(), verdict.idleFor(), verdict.idleSince())
            + ": its "
            + gpus
            + " did no work. "
            + verdict
                .actNotBefore()
                .map(at -> threat(step, at, gpus) + rescue(verdict.workload(), gpus))
                .orElseGet(
                    () ->
                        "Nothing else will happen, but please delete the "
                            + kind(verdict.workload())
                            + " if nobody needs its "
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

  /**
   * The text of an action that was done, with the way back.
   *
   * @param checkpoint what its checkpoint hook answered, if it has one
   */
  static Notice action(Step.Act step, Optional<String> checkpoint) {
    Verdict.Due verdict = step.verdict();
    return new Notice(
        "GPUReclaimed",
        capitalized(step.action().participle())
            + " to give its "
            + verdict.workload().holdings()
            + " back"
            + id(step)
            + ". "
            + idle(verdict.workload(), verdict.idleFor(), verdict.idleSince())
            + "; warned at "
            + text(verdict.warnedAt())
            + checkpoint.map(note -> "; " + note).orElse("")
            + "."
            + step.demand().map(Notices::beneficiary).orElse("")
            + " "
            + wayBack(step),
        true);
  }

  /**
   * The owners of a workload whose people read Events there: the top, and what an action changes.
   */
  static Set<ObjectRef> onOwners(Workload workload, Optional<Action> action) {
    Set<ObjectRef> owners = new LinkedHashSet<>();
    workload.topOwner().ifPresent(top -> owners.add(top.ref()));
    if (action.isPresent() && action.get() instanceof Action.ChangeOwner change) {
      owners.add(change.target(workload).ref());
    }
    return owners;
  }

  private static String wayBack(Step.Act step) {
    return switch (step.action()) {
      case Action.Evict evict -> evict.wayBack(step.workload());
      case Action.ChangeOwner change ->
          change.effect(step.workload())
              + " To restore it, run: "
              + Reclamation.howToRestore(
                  step.workload().namespace(),
                  Reclamation.nameOf(
                      change.target(step.workload()).ref(), step.actionId().orElseThrow().value()));
    };
  }

  /** The action id, by which the warning, the action and the records of both are found. */
  private static String id(Step step) {
    return step.actionId().map(id -> " (action " + id + ")").orElse("");
  }

  private static String threat(Step.Warn step, Instant at, String gpus) {
    return switch (step.verdict().mode()) {
      case ALWAYS ->
          "If it stays idle, it will be "
              + step.verdict().action().participle()
              + " at "
              + text(at)
              + " or soon after"
              + id(step)
              + ". ";
      case ON_DEMAND ->
          "If it stays idle, it will be "
              + step.verdict().action().participle()
              + " as soon as another pod needs its "
              + gpus
              + ", at "
              + text(at)
              + " at the earliest"
              + id(step)
              + ". ";
      case OFF, REPORT, NOTIFY ->
          throw new IllegalArgumentException(
              "mode " + step.verdict().mode().text() + " never acts");
    };
  }

  private static String rescue(Workload workload, String gpus) {
    return "To keep it, put its "
        + gpus
        + " to work, or run: kubectl annotate "
        + kind(workload)
        + " "
        + workload.name()
        + " --namespace "
        + workload.namespace()
        + " "
        + Annotations.EXCLUDE
        + "=true";
  }

  private static String kind(Workload workload) {
    return workload.kind().toLowerCase(Locale.ROOT);
  }

  private static String capitalized(String word) {
    return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }

  private static String beneficiary(Demand demand) {
    return " Pod "
        + demand.pod()
        + " waits for "
        + demand.gpus()
        + (demand.gpus() == 1 ? " GPU." : " GPUs.");
  }

  private static String idle(Workload workload, Duration idleFor, Instant idleSince) {
    return workload.share().map(share -> share + " idle for ").orElse("Idle for ")
        + Durations.format(idleFor)
        + ", since "
        + text(idleSince);
  }

  private static String text(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
