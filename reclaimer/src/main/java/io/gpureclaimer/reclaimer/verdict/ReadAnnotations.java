package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.reclaimer.action.scale.ScaleDownIdleReplicas;
import io.gpureclaimer.reclaimer.policy.AnnotationReader;
import io.gpureclaimer.reclaimer.verdict.Protections.ForeignOptOut;
import java.util.Map;
import java.util.stream.Collectors;

/** Which annotations a judgment can depend on. All others may hold anything, secrets included. */
public final class ReadAnnotations {
  private ReadAnnotations() {}

  /** Those of these that are read. */
  public static Map<String, String> in(Map<String, String> annotations) {
    return annotations.entrySet().stream()
        .filter(entry -> isRead(entry.getKey()))
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static boolean isRead(String key) {
    return AnnotationReader.concernsUs(key)
        || ForeignOptOut.reads(key)
        || key.equals(ScaleDownIdleReplicas.DELETION_COST);
  }
}
