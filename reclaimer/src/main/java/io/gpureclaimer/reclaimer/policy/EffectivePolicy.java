package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.common.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Policy of one workload, with the origin of each value.
 *
 * @param mode how far the reclaimer may go
 * @param idleAfter how long the workload must have been idle
 * @param sparedIfNeededSoon whether it is spared on demand while it is likely to be needed again:
 *     unless an {@code idle-after} is set that is at most that of its class
 * @param warnBefore how long it must have been warned
 * @param startupGrace how long after its start its idle time begins
 * @param action by which act it may be reclaimed
 * @param restore when it is restored without a request, after an action on its owner
 * @param partial whether its idle replicas may be reclaimed while others work
 * @param maxKeep how long it may have been idle until its own annotation no longer keeps it
 * @param keeps the annotations that keep it for a while, any of which keeps it
 * @param protectedHours the hours in which it is left alone
 * @param lastActivity when it last did something, as itself says
 * @param caps the most that may be taken from its namespace
 * @param receivers names of the receivers to notify in addition to the permanent ones
 * @param excludedBy the object that excludes it
 * @param remarks what does not hold as it is written
 * @param distrusted the first annotation that cannot be understood; the mode is then at most report
 */
public record EffectivePolicy(
    Setting<Mode> mode,
    Setting<Duration> idleAfter,
    boolean sparedIfNeededSoon,
    Setting<Duration> warnBefore,
    Setting<Duration> startupGrace,
    Setting<WorkloadClass> workloadClass,
    Setting<ActionChoice> action,
    Setting<RestoreChoice> restore,
    Setting<Boolean> partial,
    Setting<Duration> maxKeep,
    List<Setting<KeepRequest>> keeps,
    List<Setting<ProtectedHours>> protectedHours,
    Optional<Setting<Instant>> lastActivity,
    NamespaceCaps caps,
    List<Setting<String>> receivers,
    Optional<String> excludedBy,
    List<Remark> remarks,
    Optional<Remark> distrusted) {
  public EffectivePolicy {
    keeps = List.copyOf(keeps);
    protectedHours = List.copyOf(protectedHours);
    receivers = List.copyOf(receivers);
    remarks = List.copyOf(remarks);
    if (distrusted.isPresent() && mode.value().exceeds(Mode.REPORT)) {
      throw new IllegalArgumentException(
          "a distrusted policy reports at most, was " + mode.value().text());
    }
    if (warnBefore.value().compareTo(idleAfter.value()) > 0) {
      throw new IllegalArgumentException(
          "warn-before must be at most idle-after, was " + warnBefore + " and " + idleAfter);
    }
  }

  /**
   * The same for a workload that was restored a short time ago: it must be idle for twice as long.
   *
   * @param owner that was restored
   */
  public EffectivePolicy afterRestoration(String owner, Instant at) {
    var longer =
        new Setting<>(
            idleAfter.value().multipliedBy(2),
            (Setting.Origin)
                new Setting.Origin.Clamped(
                    owner,
                    Durations.format(idleAfter.value()),
                    "doubled for a week, because it was restored at "
                        + at.truncatedTo(ChronoUnit.SECONDS)));
    return new EffectivePolicy(
        mode,
        longer,
        sparedIfNeededSoon,
        warnBefore,
        startupGrace,
        workloadClass,
        action,
        restore,
        partial,
        maxKeep,
        keeps,
        protectedHours,
        lastActivity,
        caps,
        receivers,
        excludedBy,
        remarks,
        distrusted);
  }

  /**
   * Until when its own requests to be kept count.
   *
   * @param idleFor how long it has been idle
   * @param now when that was
   */
  public Instant honoredUntil(Duration idleFor, Instant now) {
    return now.plus(maxKeep.value()).minus(idleFor);
  }

  /** How long the workload must have been idle to be warned. */
  public Duration warnAfter() {
    return idleAfter.value().minus(warnBefore.value());
  }

  /**
   * The most that the administrator of a namespace allows to be taken from it. What is absent is
   * not limited here; the cluster's own limits hold all the same.
   *
   * @param maxPerRun acts in one cycle; zero or more
   * @param maxPerHour acts in any hour; zero or more
   * @param victimPriorityMax the highest priority that a victim may have
   */
  public record NamespaceCaps(
      Optional<Setting<Integer>> maxPerRun,
      Optional<Setting<Integer>> maxPerHour,
      Optional<Setting<Integer>> victimPriorityMax) {

    /** No limits of the namespace's own. */
    public static final NamespaceCaps NONE =
        new NamespaceCaps(Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * A request to keep a workload for a while, however idle it is.
   *
   * @param atMost how long it may have been idle without ever working until the annotation no
   *     longer counts; absent where an administrator set it
   */
  public record KeepRequest(Instant until, Optional<Duration> atMost) {

    /** Whether it keeps a workload that has been idle for so long. */
    public boolean holds(Duration idleFor, Instant now) {
      return now.isBefore(until) && atMost.filter(most -> idleFor.compareTo(most) >= 0).isEmpty();
    }
  }

  /**
   * Something in the annotations of an object that does not hold as it is written.
   *
   * @param object for example {@code namespace ml} or {@code pod ml/train-0}
   * @param key the whole annotation key
   * @param value as it is written; shortened, and without control characters
   * @param rule what was expected, and what holds instead
   */
  public record Remark(String object, String key, String value, String rule) {
    /** It may have meant to protect, so nothing is done. */
    static final String UNTIL_THEN = "only reported on until then";

    /** It may have meant to protect, too, and does nothing. */
    static final String NO_LABEL = "must be an annotation, was a label, which is not read";

    private static final int LONGEST_VALUE = 60;

    public Remark {
      value = value.replaceAll("\\p{Cntrl}", "?");
      if (value.length() > LONGEST_VALUE) {
        value = value.substring(0, LONGEST_VALUE) + "…";
      }
    }

    /** Whether it has to be corrected; otherwise something else than what was asked for holds. */
    public boolean isMistake() {
      return rule.endsWith(UNTIL_THEN)
          || rule.startsWith("must not be written by people")
          || rule.equals(NO_LABEL);
    }

    /** One sentence for people. */
    public String text() {
      return object + ": " + key + " \"" + value + "\": " + rule;
    }
  }

  /** A value of a policy and where it came from. */
  public record Setting<T>(T value, Origin origin) {

    /** Where a value of a policy came from. */
    public sealed interface Origin {

      /** The controller's own configuration. */
      record Defaults() implements Origin {}

      /**
       * An annotation.
       *
       * @param object what it is written on, for example {@code namespace ml} or {@code pod
       *     ml/train-0}
       */
      record Annotation(String object) implements Origin {}

      /** Something else was asked for, and this is what is allowed. */
      record Clamped(String object, String asked, String rule) implements Origin {}

      /**
       * What the workload is made of says so.
       *
       * @param because in words that follow "because"
       */
      record Detected(String because) implements Origin {}

      /** Workloads of this class are given so much. */
      record ByClass(WorkloadClass workloadClass) implements Origin {}
    }
  }
}
