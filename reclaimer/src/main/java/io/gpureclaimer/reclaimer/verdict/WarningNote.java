package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

/** What the annotations of a pod say about a warning. */
sealed interface WarningNote {

  /** Nothing. */
  record None() implements WarningNote {}

  /** Something that cannot be read as a warning, which is no warning. */
  record Unreadable() implements WarningNote {}

  /** A warning, whether it holds or not. */
  record Given(Warning warning) implements WarningNote {}

  /** Whether there is one on the workload. What an owner's template says is not ours. */
  static boolean isOn(Workload workload) {
    return workload.owner().isEmpty()
        && workload.pods().size() == 1
        && !(of(workload) instanceof None);
  }

  /** What is written on the first pod of the workload. */
  static WarningNote of(Workload workload) {
    return of(workload.pods().getFirst().annotations());
  }

  /** Reads the annotations of a pod. */
  static WarningNote of(Map<String, String> annotations) {
    if (Collections.disjoint(annotations.keySet(), Warning.removal().keySet())) {
      return new None();
    }
    try {
      return new Given(warning(annotations));
    } catch (DateTimeException | NoSuchElementException _) {
      return new Unreadable();
    }
  }

  /** Without a promise in writing, the warning is one to act when somebody else is in need. */
  private static Warning warning(Map<String, String> annotations) {
    Instant warnedAt = Instant.parse(annotations.getOrDefault(Annotations.WARNED_AT, ""));
    Instant idleSince = Instant.parse(annotations.getOrDefault(Annotations.IDLE_SINCE, ""));
    String promise = annotations.getOrDefault(Annotations.ACT_NOT_BEFORE, warnedAt.toString());
    Optional<Instant> actNotBefore =
        promise.equals(Warning.NEVER) ? Optional.empty() : Optional.of(Instant.parse(promise));
    String mode = annotations.getOrDefault(Annotations.WARNED_MODE, Mode.ON_DEMAND.text());
    return new Warning(warnedAt, idleSince, actNotBefore, Mode.of(mode).orElseThrow());
  }
}
