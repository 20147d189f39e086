package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.common.vocabulary.EditDistance;
import io.gpureclaimer.reclaimer.policy.AnnotationReader.AnnotatedKind;
import io.gpureclaimer.reclaimer.policy.PolicyKeys.PolicyKey;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Every annotation that people may write for us, with its grammar. */
final class PolicyKeys {
  private static final Set<AnnotatedKind> ANYWHERE =
      Set.of(AnnotatedKind.NAMESPACE, AnnotatedKind.OWNER, AnnotatedKind.POD);

  /** The namespace belongs to the administrator, and so do these keys. */
  private static final Set<AnnotatedKind> ADMINISTRATOR = Set.of(AnnotatedKind.NAMESPACE);

  static final PolicyKey<Mode> MODE =
      new PolicyKey<>(
          Annotations.MODE,
          ANYWHERE,
          Mode.class,
          Mode::of,
          "must be off, report, notify, on-demand or always");

  static final PolicyKey<Duration> IDLE_AFTER = duration(Annotations.IDLE_AFTER, ANYWHERE);
  static final PolicyKey<Duration> WARN_BEFORE = duration(Annotations.WARN_BEFORE, ANYWHERE);
  static final PolicyKey<Duration> GRACE = duration(Annotations.GRACE, ANYWHERE);
  static final PolicyKey<Duration> STARTUP_GRACE = duration(Annotations.STARTUP_GRACE, ANYWHERE);

  static final PolicyKey<WorkloadClass> CLASS =
      new PolicyKey<>(
          Annotations.CLASS,
          ANYWHERE,
          WorkloadClass.class,
          WorkloadClass::of,
          "must be interactive, serving, batch, elastic or other");

  static final PolicyKey<ActionChoice> ACTION =
      new PolicyKey<>(
          Annotations.ACTION,
          ANYWHERE,
          ActionChoice.class,
          ActionChoice::of,
          "must be auto, evict, scale, suspend, stop or none");

  /** Pods are gone while an owner is reclaimed, so theirs could not be read. */
  static final PolicyKey<RestoreChoice> RESTORE =
      new PolicyKey<>(
          Annotations.RESTORE,
          Set.of(AnnotatedKind.NAMESPACE, AnnotatedKind.OWNER),
          RestoreChoice.class,
          RestoreChoice::of,
          "must be manual, on-demand-clear or on-schedule");

  /** It is about all replicas of an owner, so a single pod does not say it. */
  static final PolicyKey<Boolean> PARTIAL =
      new PolicyKey<>(
          Annotations.PARTIAL,
          Set.of(AnnotatedKind.NAMESPACE, AnnotatedKind.OWNER),
          Boolean.class,
          ValueGrammar::truth,
          "must be true or false");

  static final PolicyKey<Boolean> EXCLUDE =
      new PolicyKey<>(
          Annotations.EXCLUDE,
          ANYWHERE,
          Boolean.class,
          ValueGrammar::truth,
          "must be true or false");

  static final PolicyKey<Instant> KEEP_UNTIL =
      new PolicyKey<>(
          Annotations.KEEP_UNTIL,
          ANYWHERE,
          Instant.class,
          ValueGrammar::instantOrDay,
          "must be a time like 2026-03-01T18:00:00Z or a day like 2026-03-01");

  static final PolicyKey<ProtectedHours> PROTECTED_HOURS =
      new PolicyKey<>(
          Annotations.PROTECTED_HOURS,
          ANYWHERE,
          ProtectedHours.class,
          ProtectedHours::of,
          ProtectedHours.RULE);

  static final PolicyKey<ScratchData> SCRATCH =
      new PolicyKey<>(
          Annotations.SCRATCH,
          ANYWHERE,
          ScratchData.class,
          ScratchData::of,
          "must be keep or disposable");

  static final PolicyKey<ReceiverNames> NOTIFY =
      new PolicyKey<>(
          Annotations.NOTIFY,
          ANYWHERE,
          ReceiverNames.class,
          ReceiverNames::of,
          "must be names of receivers with commas in between");

  static final PolicyKey<CheckpointUrl> CHECKPOINT_URL =
      new PolicyKey<>(
          Annotations.CHECKPOINT_URL,
          Set.of(AnnotatedKind.OWNER, AnnotatedKind.POD),
          CheckpointUrl.class,
          CheckpointUrl::parse,
          CheckpointUrl.RULE);

  static final PolicyKey<Instant> LAST_ACTIVITY =
      new PolicyKey<>(
          Annotations.LAST_ACTIVITY,
          Set.of(AnnotatedKind.OWNER, AnnotatedKind.POD),
          Instant.class,
          ValueGrammar::instant,
          "must be a time like 2026-03-01T18:00:00Z");

  /** What Kubeflow writes on a Notebook; it is not ours, but means the same. */
  static final PolicyKey<Instant> NOTEBOOK_LAST_ACTIVITY =
      new PolicyKey<>(
          "notebooks.kubeflow.org/last-activity",
          Set.of(AnnotatedKind.OWNER),
          Instant.class,
          ValueGrammar::instant,
          LAST_ACTIVITY.rule());

  static final PolicyKey<Duration> MIN_IDLE_AFTER =
      duration(Annotations.MIN_IDLE_AFTER, ADMINISTRATOR);
  static final PolicyKey<Duration> MAX_IDLE_AFTER =
      duration(Annotations.MAX_IDLE_AFTER, ADMINISTRATOR);
  static final PolicyKey<Duration> MAX_KEEP = duration(Annotations.MAX_KEEP, ADMINISTRATOR);
  static final PolicyKey<Integer> MAX_PER_RUN = count(Annotations.MAX_PER_RUN);
  static final PolicyKey<Integer> MAX_PER_HOUR = count(Annotations.MAX_PER_HOUR);

  static final PolicyKey<Integer> VICTIM_PRIORITY_MAX =
      new PolicyKey<>(
          Annotations.VICTIM_PRIORITY_MAX,
          ADMINISTRATOR,
          Integer.class,
          ValueGrammar::priority,
          "must be a priority, a whole number from -2147483648 to 2147483647");

  /** In the order of the reference. */
  static final List<PolicyKey<?>> ALL =
      List.of(
          MODE,
          IDLE_AFTER,
          WARN_BEFORE,
          GRACE,
          STARTUP_GRACE,
          CLASS,
          ACTION,
          RESTORE,
          PARTIAL,
          EXCLUDE,
          KEEP_UNTIL,
          PROTECTED_HOURS,
          SCRATCH,
          NOTIFY,
          CHECKPOINT_URL,
          LAST_ACTIVITY,
          MIN_IDLE_AFTER,
          MAX_IDLE_AFTER,
          MAX_KEEP,
          MAX_PER_RUN,
          MAX_PER_HOUR,
          VICTIM_PRIORITY_MAX);

  /** Annotations that the reclaimer writes. */
  static final List<String> STATE =
      List.of(
          Annotations.WARNED_AT,
          Annotations.IDLE_SINCE,
          Annotations.ACT_NOT_BEFORE,
          Annotations.WARNED_MODE,
          Annotations.ACTION_ID);

  private PolicyKeys() {}

  /** The key of this name. */
  static Optional<PolicyKey<?>> named(String name) {
    return ALL.stream().filter(key -> key.name().equals(name)).findFirst();
  }

  /** The key with the fewest edits to this one. */
  static String nearest(String key) {
    return ALL.stream()
        .map(PolicyKey::name)
        .min(Comparator.comparingInt((String known) -> EditDistance.of(key, known)))
        .orElseThrow();
  }

  private static PolicyKey<Duration> duration(String name, Set<AnnotatedKind> places) {
    return new PolicyKey<>(name, places, Duration.class, Durations::parse, Durations.RULE);
  }

  private static PolicyKey<Integer> count(String name) {
    return new PolicyKey<>(
        name,
        ADMINISTRATOR,
        Integer.class,
        ValueGrammar::count,
        "must be a whole number from 0 to 999999");
  }

  /**
   * An annotation that people write for us.
   *
   * @param parse the value that a text means; nothing where it means none
   * @param rule what the text must be, for people
   */
  record PolicyKey<T>(
      String name,
      Set<AnnotatedKind> places,
      Class<T> type,
      Function<String, Optional<T>> parse,
      String rule) {
    PolicyKey {
      places = Set.copyOf(places);
    }
  }

  /** What the data in a pod's volumes that die with it is worth. */
  enum ScratchData {
    /** It must not be lost. */
    KEEP,
    /** It may be lost. */
    DISPOSABLE;

    static Optional<ScratchData> of(String text) {
      return switch (text) {
        case "keep" -> Optional.of(KEEP);
        case "disposable" -> Optional.of(DISPOSABLE);
        default -> Optional.empty();
      };
    }
  }

  /**
   * The plain values of annotations. Each grammar is also that of the admission policy, so that
   * both say the same.
   */
  static final class ValueGrammar {
    private static final Pattern COUNT = Pattern.compile("[0-9]{1,6}");
    private static final Pattern PRIORITY = Pattern.compile("-?[0-9]{1,10}");
    private static final Pattern DAY =
        Pattern.compile("[12][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])");
    private static final Pattern INSTANT =
        Pattern.compile(
            DAY.pattern()
                + "T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?"
                + "(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])");

    private ValueGrammar() {}

    /** {@code true} or {@code false}. */
    static Optional<Boolean> truth(String text) {
      return switch (text) {
        case "true" -> Optional.of(true);
        case "false" -> Optional.of(false);
        default -> Optional.empty();
      };
    }

    /** Zero or more. */
    static Optional<Integer> count(String text) {
      return COUNT.matcher(text).matches() ? Optional.of(Integer.parseInt(text)) : Optional.empty();
    }

    /** A priority of pods. */
    static Optional<Integer> priority(String text) {
      return Optional.of(text)
          .filter(written -> PRIORITY.matcher(written).matches())
          .map(Long::parseLong)
          .filter(number -> number == number.intValue())
          .map(Long::intValue);
    }

    /** A time as RFC 3339 writes it. */
    static Optional<Instant> instant(String text) {
      if (!INSTANT.matcher(text).matches()) {
        return Optional.empty();
      }
      try {
        return Optional.of(OffsetDateTime.parse(text).toInstant());
      } catch (DateTimeException _) {
        return Optional.empty();
      }
    }

    /** A time, or the midnight with which a day begins in UTC. */
    static Optional<Instant> instantOrDay(String text) {
      return DAY.matcher(text).matches() ? instant(text + "T00:00:00Z") : instant(text);
    }
  }
}
