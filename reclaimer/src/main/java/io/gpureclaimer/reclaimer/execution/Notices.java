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
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Texts for the owner of a workload: what was seen, what will happen, how to prevent it. */
final class Notices {
  /** For how long a warning offers to keep the workload, beyond the earliest action. */
  private static final Duration OFFERED = Duration.ofDays(1);

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private Notices() {}

  /** The text of a warning. */
  static Notice warning(Step.Warn step) {
    Verdict.ToWarn verdict = step.verdict();
    Workload workload = verdict.workload();
    return new Notice(
        "GPUIdleWarned",
        idle(workload, verdict.idleFor(), verdict.idleSince())
            + ". "
            + verdict
                .actNotBefore()
                .map(at -> announcement(step, at) + howToKeep(verdict))
                .orElseGet(
                    () ->
                        "Nothing else will happen. Please delete "
                            + subject(workload)
                            + " if you no longer need its "
                            + workload.holdings()
                            + "."),
        true);
  }

  /** The text that takes a warning back. */
  static Notice withdrawal(Verdict.ToWithdraw verdict) {
    return new Notice(
        "GPUIdleWarningWithdrawn",
        "Warning withdrawn: " + VerdictSentence.of(verdict.why()) + ".",
        false);
  }

  /**
   * The text of an action that was done, with the way back.
   *
   * @param checkpoint what its checkpoint hook answered, if it has one
   */
  static Notice action(Step.Act step, Optional<String> checkpoint) {
    Verdict.Due verdict = step.verdict();
    Workload workload = verdict.workload();
    return new Notice(
        "GPUReclaimed",
        capitalized(step.action().participle())
            + " to free its "
            + workload.holdings()
            + id(step)
            + ". "
            + idle(workload, verdict.idleFor(), verdict.idleSince())
            + ", warned at "
            + text(verdict.warnedAt())
            + checkpoint.map(note -> "; " + note).orElse("")
            + "."
            + step.demand().map(Notices::beneficiary).orElse("")
            + step.floorReason().map(floor -> " The reason is " + floor + ".").orElse("")
            + " "
            + wayBack(step),
        true);
  }

  /** Why an idle workload is only reported. */
  static Notice reported(Verdict.Reported verdict) {
    return new Notice(
        "GPUIdleReported",
        idle(verdict.workload(), verdict.idleFor(), verdict.idleSince())
            + ". Only reported: "
            + VerdictSentence.of(verdict.why())
            + ".",
        false);
  }

  /** Why an action was not done. */
  static Notice refused(Step.Act step, String why, Instant notBefore) {
    Verdict.Due verdict = step.verdict();
    return new Notice(
        "GPUReclaimRefused",
        idle(verdict.workload(), verdict.idleFor(), verdict.idleSince())
            + ". "
            + capitalized(subject(verdict.workload()))
            + " was not "
            + step.action().participle()
            + ": "
            + (why.endsWith(".") ? why.substring(0, why.length() - 1) : why)
            + ". The reclaimer tries again after "
            + text(notBefore)
            + ".",
        false);
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

  private static String announcement(Step.Warn step, Instant at) {
    Verdict.ToWarn verdict = step.verdict();
    return capitalized(subject(verdict.workload()))
        + " will be "
        + verdict.action().participle()
        + " after "
        + text(at)
        + switch (verdict.mode()) {
          case ALWAYS -> "";
          case ON_DEMAND ->
              " if a pending pod needs its "
                  + verdict.workload().holdings()
                  + step.keptFree().map(floors -> ", or to keep " + floors + " free").orElse("");
          case OFF, REPORT, NOTIFY ->
              throw new IllegalArgumentException("mode " + verdict.mode().text() + " never acts");
        }
        + id(step)
        + ". To keep it, use its "
        + verdict.workload().holdings();
  }

  private static String howToKeep(Verdict.ToWarn verdict) {
    Workload workload = verdict.workload();
    return verdict
        .keepUntil()
        .map(
            latest ->
                " or run: kubectl annotate "
                    + subject(workload)
                    + " --namespace "
                    + workload.namespace()
                    + " --overwrite "
                    + Annotations.KEEP_UNTIL
                    + "="
                    + offered(verdict, latest))
        .orElse(
            ". keep-until does not keep it any longer: it has been idle for as long as max-keep"
                + " allows");
  }

  /** A day from the earliest action, or what is left of the time for which it can be kept. */
  private static Instant offered(Verdict.ToWarn verdict, Instant latest) {
    Instant day = verdict.actNotBefore().orElseThrow().plus(OFFERED);
    return (day.isBefore(latest) ? day : latest).truncatedTo(ChronoUnit.SECONDS);
  }

  private static String subject(Workload workload) {
    return workload.kind().toLowerCase(Locale.ROOT) + " " + workload.name();
  }

  private static String capitalized(String words) {
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }

  private static String beneficiary(Demand demand) {
    return " Pod " + demand.pod() + " is pending for " + demand.amount() + ".";
  }

  private static String idle(Workload workload, Duration idleFor, Instant idleSince) {
    return capitalized(workload.share().orElseGet(workload::holdings))
        + " idle for "
        + Durations.format(idleFor)
        + " (since "
        + text(idleSince)
        + ")";
  }

  private static String text(Instant instant) {
    return TIME.format(instant);
  }
}
