package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.common.vocabulary.Annotations;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Annotations of today as they probably were at a moment in the past: without our warnings, and
 * without times of activity after that moment.
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
