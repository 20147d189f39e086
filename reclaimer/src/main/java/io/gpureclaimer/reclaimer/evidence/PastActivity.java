package io.gpureclaimer.reclaimer.evidence;

import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Result of a query about what pods did in the last days. */
public sealed interface PastActivity {

  /**
   * What the source has.
   *
   * @param range its steps; a step without a sample of a pod says nothing about that pod
   * @param pods one for each UID, or name if the source knows no UIDs
   */
  record Known(TimeRange range, List<PastPod> pods) implements PastActivity {
    public Known {
      pods = List.copyOf(pods);
    }
  }

  /** No answer, or not all of it, for a reason in words. */
  record Unknown(String reason) implements PastActivity {}

  /**
   * The samples of one pod, in the order of time. A step that is missing between them was lost.
   *
   * @param spells one after the other
   */
  record PastPod(PodName name, List<PastSpell> spells) {
    public PastPod {
      spells = List.copyOf(spells);
    }
  }

  /**
   * Samples in a row that say the same.
   *
   * @param lastActive last activity of any of its devices; empty if there was none in this
   *     observation
   * @param observedSince from when on all of its devices were observed without a gap
   * @param observedUntil until when they were, by the last of these samples
   * @param firstStep number of the step of the first sample, as in {@link TimeRange#at}
   * @param lastStep the same of the last one
   */
  record PastSpell(
      Optional<Instant> lastActive,
      Instant observedSince,
      Instant observedUntil,
      long firstStep,
      long lastStep) {

    /** Since when it is known to be idle. */
    Instant idleSince() {
      return lastActive.filter(observedSince::isBefore).orElse(observedSince);
    }

    /** Adds a sample to the spells so far; the step after the last one prolongs it. */
    public static void add(
        List<PastSpell> spells, Optional<Instant> active, Instant since, Instant until, long step) {
      long first = step;
      if (!spells.isEmpty() && spells.getLast().isProlongedBy(active, since, step)) {
        first = spells.removeLast().firstStep();
      }
      spells.add(new PastSpell(active, since, until, first, step));
    }

    private boolean isProlongedBy(Optional<Instant> active, Instant since, long step) {
      return step == lastStep + 1 && lastActive.equals(active) && observedSince.equals(since);
    }
  }

  /**
   * Names of the pods of one workload, those included that it had before.
   *
   * @param prefix of each name
   * @param pattern of the whole name, a regular expression of RE2
   */
  record PodNamePattern(String namespace, String prefix, Pattern pattern) {

    /** Whether a pod has such a name. */
    public boolean matches(PodName pod) {
      return pod.namespace().equals(namespace)
          && pod.name().startsWith(prefix)
          && pattern.matcher(pod.name()).matches();
    }

    /** Characters that it takes in a query. */
    public int length() {
      return namespace.length() + pattern.pattern().length() + 2;
    }

    /** Whether a pod has a name of one of these. */
    public static boolean anyMatches(Collection<PodNamePattern> patterns, PodName pod) {
      for (PodNamePattern each : patterns) {
        if (each.matches(pod)) {
          return true;
        }
      }
      return false;
    }
  }
}
