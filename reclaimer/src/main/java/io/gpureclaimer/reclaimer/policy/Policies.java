package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.reclaimer.cluster.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** What holds for a pod, and for a whole workload. */
public final class Policies {
  private final PolicyDefaults defaults;

  public Policies(PolicyDefaults defaults) {
    this.defaults = defaults;
  }

  /** What holds for a pod of this namespace that is not annotated itself. */
  public EffectivePolicy of(NamespaceView namespace) {
    return PolicyResolution.of(defaults, wishes(namespace), AnnotationReader.read("pod", Map.of()));
  }

  /** What holds for a workload: of each value, the safest that holds for any of its pods. */
  EffectivePolicy of(NamespaceView namespace, Workload workload) {
    Wishes above = wishes(namespace);
    return safest(
        workload.pods().stream()
            .map(pod -> PolicyResolution.of(defaults, above, wishes(pod)))
            .toList());
  }

  private static Wishes wishes(NamespaceView namespace) {
    return AnnotationReader.read("namespace " + namespace.name(), namespace.annotations());
  }

  private static Wishes wishes(PodView pod) {
    return AnnotationReader.read("pod " + pod.ref(), pod.annotations());
  }

  private static EffectivePolicy safest(List<EffectivePolicy> policies) {
    return new EffectivePolicy(
        policies.stream()
            .map(EffectivePolicy::mode)
            .reduce((one, other) -> one.value().exceeds(other.value()) ? other : one)
            .orElseThrow(),
        longest(policies, EffectivePolicy::idleAfter),
        longest(policies, EffectivePolicy::warnBefore),
        first(policies, EffectivePolicy::excludedBy),
        policies.stream().flatMap(policy -> policy.remarks().stream()).distinct().toList(),
        first(policies, EffectivePolicy::distrusted));
  }

  private static Setting<Duration> longest(
      List<EffectivePolicy> policies, Function<EffectivePolicy, Setting<Duration>> which) {
    return policies.stream()
        .map(which)
        .max(Comparator.comparing(Setting<Duration>::value))
        .orElseThrow();
  }

  private static <T> Optional<T> first(
      List<EffectivePolicy> policies, Function<EffectivePolicy, Optional<T>> which) {
    return policies.stream().flatMap(policy -> which.apply(policy).stream()).findFirst();
  }
}
