package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.action.Actions;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;

/**
 * A warning as it is written on each pod of a workload. It is a promise about one idle period, and
 * is kept even when the policy changes afterwards. It counts only if every pod carries the same.
 *
 * @param warnedAt when it was given, by our clock
 * @param idleSince the idle period that it is about, by the node's clock
 * @param actNotBefore what was promised; absent where it was promised that nothing follows
 * @param mode how far it was said that we may go
 */
public record Warning(
    Instant warnedAt, Instant idleSince, Optional<Instant> actNotBefore, Mode mode) {
  private static final String NEVER = "never";

  private static final Map<String, Optional<String>> REMOVAL =
      Map.of(
          Annotations.WARNED_AT, Optional.empty(),
          Annotations.IDLE_SINCE, Optional.empty(),
          Annotations.ACT_NOT_BEFORE, Optional.empty(),
          Annotations.WARNED_MODE, Optional.empty());

  private static final Duration SAME_PERIOD = Duration.ofSeconds(1);

  /** What the annotations of a pod, or of all pods of a workload, say about a warning. */
  sealed interface Note {

    /** Nothing. */
    record None() implements Note {}

    /** Something that cannot be read as a warning, which is no warning. */
    record Unreadable() implements Note {}

    /** A warning, whether it holds or not. */
    record Given(Warning warning) implements Note {}

    /** Only some pods of the workload carry it, or they carry different ones: no warning. */
    record Incomplete() implements Note {}
  }

  /**
   * Whether a pod of the workload carries a warning of ours. What the template of an owner says
   * does not count where no action exists for its kind.
   */
  static boolean isOn(Workload workload, Actions actions) {
    return !(noteOn(workload) instanceof Note.None)
        && (isLonePod(workload) || actions.isKnown(workload));
  }

  private static boolean isLonePod(Workload workload) {
    return workload.owner().isEmpty() && workload.pods().size() == 1;
  }

  /** What the pods of the workload say together. */
  static Note noteOn(Workload workload) {
    Set<Note> notes = new LinkedHashSet<>();
    workload.pods().forEach(pod -> notes.add(noteIn(pod.annotations())));
    if (notes.contains(new Note.Unreadable())) {
      return new Note.Unreadable();
    }
    return notes.size() == 1 ? notes.iterator().next() : new Note.Incomplete();
  }

  /** Reads the annotations of a pod. */
  static Note noteIn(Map<String, String> annotations) {
    if (!isNoted(annotations)) {
      return new Note.None();
    }
    try {
      return new Note.Given(read(annotations));
    } catch (DateTimeException | NoSuchElementException _) {
      return new Note.Unreadable();
    }
  }

  /** Whether the annotations of a pod have any part of a warning. */
  public static boolean isNoted(Map<String, String> annotations) {
    return !Collections.disjoint(annotations.keySet(), REMOVAL.keySet());
  }

  /** Without a promise in writing, the warning is one to act when a pending pod is in need. */
  private static Warning read(Map<String, String> annotations) {
    Instant warnedAt = Instant.parse(annotations.getOrDefault(Annotations.WARNED_AT, ""));
    Instant idleSince = Instant.parse(annotations.getOrDefault(Annotations.IDLE_SINCE, ""));
    String promise = annotations.getOrDefault(Annotations.ACT_NOT_BEFORE, warnedAt.toString());
    Optional<Instant> actNotBefore =
        promise.equals(NEVER) ? Optional.empty() : Optional.of(Instant.parse(promise));
    String mode = annotations.getOrDefault(Annotations.WARNED_MODE, Mode.ON_DEMAND.text());
    return new Warning(warnedAt, idleSince, actNotBefore, Mode.of(mode).orElseThrow());
  }

  /** The warning that is given when this verdict is acted on. */
  public static Warning of(Verdict.ToWarn verdict, Instant now) {
    return new Warning(now, verdict.idleSince(), verdict.actNotBefore(), verdict.mode());
  }

  /** The idle period as the warning names it; the evidence of now may date it a moment later. */
  public static String idleSinceAsWritten(Verdict.Due due) {
    return due.workload()
        .firstPod()
        .annotations()
        .getOrDefault(Annotations.IDLE_SINCE, due.idleSince().toString());
  }

  /** The promise as the warning wrote it. */
  public static String actNotBeforeAsWritten(Verdict.Due due) {
    return due.workload()
        .firstPod()
        .annotations()
        .getOrDefault(Annotations.ACT_NOT_BEFORE, due.warnedAt().toString());
  }

  /** When the action that the warning of a due workload announced could first be made. */
  public static Optional<Instant> actNotBefore(Verdict.Due due) {
    return noteOn(due.workload()) instanceof Note.Given(var warning)
        ? warning.actNotBefore()
        : Optional.empty();
  }

  /** The annotations to write. */
  public Map<String, Optional<String>> annotations() {
    return Map.of(
        Annotations.WARNED_AT, Optional.of(warnedAt.toString()),
        Annotations.IDLE_SINCE, Optional.of(idleSince.toString()),
        Annotations.ACT_NOT_BEFORE, Optional.of(actNotBefore.map(Instant::toString).orElse(NEVER)),
        Annotations.WARNED_MODE, Optional.of(mode.text()));
  }

  /** The annotations to remove when it is withdrawn. */
  public static Map<String, Optional<String>> removal() {
    return REMOVAL;
  }

  /**
   * Why it does not hold for a workload that has been idle since then, if so.
   *
   * @param modeNow under which it would be relied on
   * @param maxSkew how much two clocks may differ
   */
  Optional<Withdrawal> voidedBy(Instant idleNow, Mode modeNow, Instant now, Duration maxSkew) {
    if (Duration.between(idleSince, idleNow).abs().compareTo(SAME_PERIOD) >= 0) {
      return Optional.of(Withdrawal.OTHER_IDLE_PERIOD);
    }
    if (isAfter(warnedAt, now, maxSkew) || isAfter(idleSince, warnedAt, maxSkew)) {
      return Optional.of(Withdrawal.IMPLAUSIBLE_TIME);
    }
    return modeNow.exceeds(mode) || (modeNow.acts() && actNotBefore.isEmpty())
        ? Optional.of(Withdrawal.MODE_RAISED)
        : Optional.empty();
  }

  /** How long until this warning allows the act; zero or less when it does. */
  Duration remaining(Duration warnBefore, Instant now) {
    Duration grace = warnBefore.minus(Duration.between(warnedAt, now));
    Duration promised =
        actNotBefore.map(instant -> Duration.between(now, instant)).orElse(Duration.ZERO);
    return grace.compareTo(promised) >= 0 ? grace : promised;
  }

  private static boolean isAfter(Instant one, Instant other, Duration margin) {
    return Duration.between(other, one).compareTo(margin) > 0;
  }

  /** Why a warning no longer holds. */
  public enum Withdrawal {
    /** The workload works again. */
    ACTIVE_AGAIN("active-again"),
    /** Something else than its GPUs says that it works. */
    VETOED("vetoed"),
    /** It has started again, or is not ready. */
    STARTING("starting"),
    /** Protected hours have begun, or an annotation keeps it. */
    PROTECTED_NOW("protected-now"),
    /** It was active, or not observed, in between: another idle period has begun. */
    OTHER_IDLE_PERIOD("other-idle-period"),
    /** What is written on the pod cannot be read as a warning. */
    UNREADABLE("unreadable"),
    /** Not every pod carries it, so the workload was not warned. */
    INCOMPLETE("incomplete"),
    /** It claims to be given in the future, or before the idle period began. */
    IMPLAUSIBLE_TIME("implausible-time"),
    /** It announced less than what may be done now. */
    MODE_RAISED("mode-raised"),
    /** The policy no longer allows to act on the workload. */
    POLICY_CHANGED("policy-changed"),
    /** The action that it announced is made, and the pods are not gone yet. */
    ACTION_MADE("action-made");

    private final String code;

    Withdrawal(String code) {
      this.code = code;
    }

    /** Why a verdict other than idle takes a warning back. */
    static Optional<Withdrawal> by(Verdict verdict) {
      return switch (verdict) {
        case Verdict.Active _ -> Optional.of(ACTIVE_AGAIN);
        case Verdict.Vetoed _ -> Optional.of(VETOED);
        case Verdict.Starting _ -> Optional.of(STARTING);
        case Verdict.Protected _,
            Verdict.NotRunning _,
            Verdict.Unknown _,
            Verdict.Watching _,
            Verdict.Reported _,
            Verdict.ToWarn _,
            Verdict.Warned _,
            Verdict.Notified _,
            Verdict.ToWithdraw _,
            Verdict.Due _ ->
            Optional.empty();
      };
    }

    /** Whether people are informed; of an action they are already. */
    public boolean isReported() {
      return this != ACTION_MADE;
    }

    /** The stable name, for metrics and JSON. */
    public String code() {
      return code;
    }
  }
}
