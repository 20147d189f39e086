package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.common.vocabulary.Annotations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Every annotation that people may write for us, with its grammar. */
final class PolicyKeys {
  private static final Set<Place> ANYWHERE = Set.of(Place.NAMESPACE, Place.OWNER, Place.POD);

  /** The namespace belongs to the administrator, and so do these keys. */
  private static final Set<Place> ADMINISTRATOR = Set.of(Place.NAMESPACE);

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

  static final PolicyKey<Boolean> EXCLUDE =
      new PolicyKey<>(
          Annotations.EXCLUDE, ANYWHERE, Boolean.class, Texts::truth, "must be true or false");

  static final PolicyKey<Instant> KEEP_UNTIL =
      new PolicyKey<>(
          Annotations.KEEP_UNTIL,
          ANYWHERE,
          Instant.class,
          Texts::instantOrDay,
          "must be a time like 2026-03-01T18:00:00Z or a day like 2026-03-01");

  static final PolicyKey<ProtectedHours> PROTECTED_HOURS =
      new PolicyKey<>(
          Annotations.PROTECTED_HOURS,
          ANYWHERE,
          ProtectedHours.class,
          ProtectedHours::of,
          ProtectedHours.RULE);

  static final PolicyKey<Scratch> SCRATCH =
      new PolicyKey<>(
          Annotations.SCRATCH, ANYWHERE, Scratch.class, Scratch::of, "must be keep or disposable");

  static final PolicyKey<Receivers> NOTIFY =
      new PolicyKey<>(
          Annotations.NOTIFY,
          ANYWHERE,
          Receivers.class,
          Receivers::of,
          "must be names of receivers with commas in between");

  static final PolicyKey<Instant> LAST_ACTIVITY =
      new PolicyKey<>(
          Annotations.LAST_ACTIVITY,
          Set.of(Place.OWNER, Place.POD),
          Instant.class,
          Texts::instant,
          "must be a time like 2026-03-01T18:00:00Z");

  /** What Kubeflow writes on a Notebook; it is not ours, but means the same. */
  static final PolicyKey<Instant> NOTEBOOK_LAST_ACTIVITY =
      new PolicyKey<>(
          "notebooks.kubeflow.org/last-activity",
          Set.of(Place.OWNER),
          Instant.class,
          Texts::instant,
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
          Texts::priority,
          "must be a priority, a whole number from -2147483648 to 2147483647");

  /** In the order in which people are told of them. */
  static final List<PolicyKey<?>> ALL =
      List.of(
          MODE,
          IDLE_AFTER,
          WARN_BEFORE,
          GRACE,
          STARTUP_GRACE,
          CLASS,
          ACTION,
          EXCLUDE,
          KEEP_UNTIL,
          PROTECTED_HOURS,
          SCRATCH,
          NOTIFY,
          LAST_ACTIVITY,
          MIN_IDLE_AFTER,
          MAX_IDLE_AFTER,
          MAX_KEEP,
          MAX_PER_RUN,
          MAX_PER_HOUR,
          VICTIM_PRIORITY_MAX);

  private PolicyKeys() {}

  /** The key of this name. */
  static Optional<PolicyKey<?>> named(String name) {
    return ALL.stream().filter(key -> key.name().equals(name)).findFirst();
  }

  private static PolicyKey<Duration> duration(String name, Set<Place> places) {
    return new PolicyKey<>(name, places, Duration.class, Durations::parse, Durations.RULE);
  }

  private static PolicyKey<Integer> count(String name) {
    return new PolicyKey<>(
        name,
        ADMINISTRATOR,
        Integer.class,
        Texts::count,
        "must be a whole number from 0 to 999999");
  }
}
