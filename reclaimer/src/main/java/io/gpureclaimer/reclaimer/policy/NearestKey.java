package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.common.vocabulary.EditDistance;
import java.util.Comparator;

/** The annotation key that somebody probably meant. */
final class NearestKey {

  private NearestKey() {}

  /** The key that people may write and that takes the fewest edits. */
  static String to(String key) {
    return KnownKeys.POLICY.stream()
        .min(Comparator.comparingInt((String known) -> EditDistance.of(key, known)))
        .orElseThrow();
  }
}
