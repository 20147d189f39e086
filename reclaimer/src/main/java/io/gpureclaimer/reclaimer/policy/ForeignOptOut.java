package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.reclaimer.cluster.PodView;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * An annotation by which people tell another tool not to evict a pod. It is read, never written.
 *
 * @param key the annotation
 * @param optsOut whether a value of it means that
 */
record ForeignOptOut(String key, Predicate<String> optsOut) {
  private static final List<ForeignOptOut> ALL =
      List.of(
          new ForeignOptOut("cluster-autoscaler.kubernetes.io/safe-to-evict", "false"::equals),
          new ForeignOptOut("karpenter.sh/do-not-disrupt", "true"::equals),
          new ForeignOptOut("descheduler.alpha.kubernetes.io/prefer-no-eviction", _ -> true));

  /** The first one that the pod carries. */
  static Optional<Protection> of(PodView pod) {
    return ALL.stream().flatMap(optOut -> optOut.in(pod).stream()).findFirst();
  }

  /** Whether the annotation is one of them. */
  static boolean reads(String annotation) {
    return ALL.stream().anyMatch(optOut -> optOut.key().equals(annotation));
  }

  private Optional<Protection> in(PodView pod) {
    return Optional.ofNullable(pod.annotations().get(key))
        .filter(optsOut)
        .map(value -> new Protection.OptedOutElsewhere(pod.ref(), key, value));
  }
}
