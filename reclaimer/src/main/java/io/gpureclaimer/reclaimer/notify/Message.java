package io.gpureclaimer.reclaimer.notify;

import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.reclamation.ReclamationReconciler.ReconcileStep.Transition;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.workload.Workload.WorkloadSummary;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A message, independent of the format of a receiver.
 *
 * @param workload about which it is; absent where it is about the reclaimer itself
 * @param text sentences for people: what was seen, what will happen when, how to prevent it
 * @param idleSince since when the workload does nothing
 * @param actNotBefore when it may be reclaimed
 */
public record Message(
    Topic topic,
    Instant at,
    Optional<WorkloadSummary> workload,
    String text,
    Optional<Instant> idleSince,
    Optional<Instant> actNotBefore) {

  /** What a message is about. */
  public enum Topic {
    WARNING("warning", "GPU idle"),
    WITHDRAWAL("withdrawal", "GPU no longer idle"),
    RECLAIMED("reclaimed", "GPU reclaimed"),
    RESTORED("restored", "GPU workload restored"),
    CONTESTED("contested", "GPU reclamation contested"),
    BREAKER_OPEN("breaker-open", "GPU reclaimer only observes"),
    BREAKER_CLOSED("breaker-closed", "GPU reclaimer acts again");

    private final String code;
    private final String title;

    Topic(String code, String title) {
      this.code = code;
      this.title = title;
    }

    /** The stable name, for JSON. */
    public String code() {
      return code;
    }

    /** A few words for people. */
    public String title() {
      return title;
    }
  }

  /** A warning in the words of its Event. */
  public static Message warning(Verdict.ToWarn verdict, Notice notice, Instant now) {
    return new Message(
        Topic.WARNING,
        now,
        Optional.of(WorkloadSummary.of(verdict.workload())),
        notice.message(),
        Optional.of(verdict.idleSince()),
        verdict.actNotBefore());
  }

  /** Anything else about a workload, in the words of its Event. */
  public static Message about(Verdict verdict, Notice notice, Instant now) {
    return new Message(
        verdict instanceof Verdict.ToWithdraw ? Topic.WITHDRAWAL : Topic.RECLAIMED,
        now,
        Optional.of(WorkloadSummary.of(verdict.workload())),
        notice.message(),
        Optional.empty(),
        Optional.empty());
  }

  /** An owner that was restored, or that others changed back, in the words of its Event. */
  public static Message about(Transition transition, Topic topic, Instant now) {
    ObjectRef owner = transition.progress().owner();
    return new Message(
        topic,
        now,
        Optional.of(
            new WorkloadSummary(
                owner.namespace(),
                owner.kind(),
                owner.name(),
                owner.uid(),
                transition.progress().devices())),
        transition.notice().message(),
        Optional.of(transition.progress().times().idleSince()),
        Optional.empty());
  }

  /** The reclaimer itself only observes from now on, or acts again. */
  public static Message breaker(boolean open, String why, Instant now) {
    return new Message(
        open ? Topic.BREAKER_OPEN : Topic.BREAKER_CLOSED,
        now,
        Optional.empty(),
        why,
        Optional.empty(),
        Optional.empty());
  }

  /** One line with everything in it. */
  String line() {
    return topic.title() + workload.map(subject -> ": " + subject + ": ").orElse(": ") + text;
  }

  /** When an alert about it ends by itself. */
  Instant standsUntil() {
    return switch (topic) {
      case WARNING -> actNotBefore.orElse(at).plus(Duration.ofDays(1));
      case BREAKER_OPEN -> at.plus(Duration.ofDays(1));
      case RECLAIMED, CONTESTED -> at.plus(Duration.ofHours(1));
      case WITHDRAWAL, RESTORED, BREAKER_CLOSED -> at;
    };
  }
}
