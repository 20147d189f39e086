package io.gpureclaimer.reclaimer.verdict;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * An annotation by which people tell another tool not to evict a pod. It is read, never written, on
 * the pod and on its owners.
 *
 * @param key the annotation
 * @param optsOut whether a value of it means that
 */
record ForeignOptOut(String key, Predicate<String> optsOut) {
  private static final List<ForeignOptOut> ALL =
      List.of(
          new ForeignOptOut("cluster-autoscaler.kubernetes.io/safe-to-evict", "false"::equals),
          new ForeignOptOut("karpenter.sh/do-not-disrupt", value -> !value.equals("false")),
          new ForeignOptOut("karpenter.sh/do-not-evict", value -> !value.equals("false")),
          new ForeignOptOut("descheduler.alpha.kubernetes.io/prefer-no-eviction", _ -> true));

  /** The first one that the object carries. */
  static Optional<Protection> of(String object, Map<String, String> annotations) {
    for (ForeignOptOut optOut : ALL) {
      Optional<Protection> found = optOut.in(object, annotations);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /** Whether the annotation is one of them. */
  static boolean reads(String annotation) {
    return ALL.stream().anyMatch(optOut -> optOut.key().equals(annotation));
  }

  private Optional<Protection> in(String object, Map<String, String> annotations) {
    return Optional.ofNullable(annotations.get(key))
        .filter(optsOut)
        .map(value -> new Protection.OptedOutElsewhere(object, key, value));
  }
}
