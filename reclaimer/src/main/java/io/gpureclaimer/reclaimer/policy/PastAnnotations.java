package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.common.vocabulary.Annotations;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Annotations of today, read for a moment of the past: what only was written after it is not there
 * yet, as far as the annotations themselves tell. Those are the warnings that we wrote, and when a
 * workload did something last.
 */
public final class PastAnnotations {
  private static final Set<String> LAST_ACTIVITY =
      Set.of(Annotations.LAST_ACTIVITY, PolicyKeys.NOTEBOOK_LAST_ACTIVITY.name());

  private PastAnnotations() {}

  /** Those that may have been there at that moment. */
  public static Map<String, String> at(Instant moment, Map<String, String> today) {
    Map<String, String> past = new HashMap<>(today);
    past.keySet().removeAll(PolicyKeys.STATE);
    past.entrySet()
        .removeIf(
            entry -> LAST_ACTIVITY.contains(entry.getKey()) && isAfter(entry.getValue(), moment));
    return past;
  }

  private static boolean isAfter(String written, Instant moment) {
    Optional<Instant> time = ValueGrammar.instant(written);
    return time.filter(moment::isBefore).isPresent();
  }
}
