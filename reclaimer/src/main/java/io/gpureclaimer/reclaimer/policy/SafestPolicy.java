package io.gpureclaimer.reclaimer.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Of the policies of a workload's pods, the safest value of each. Confined to one workload. */
final class SafestPolicy {
  private final List<EffectivePolicy> policies;

  private SafestPolicy(List<EffectivePolicy> policies) {
    this.policies = policies;
  }

  /** One policy for all; they are of the same namespace. */
  static EffectivePolicy of(List<EffectivePolicy> policies) {
    return policies.size() == 1 ? policies.getFirst() : new SafestPolicy(policies).merged();
  }

  private EffectivePolicy merged() {
    return new EffectivePolicy(
        leastMode(),
        longest(EffectivePolicy::idleAfter),
        longest(EffectivePolicy::warnBefore),
        longest(EffectivePolicy::startupGrace),
        longestOfClass(),
        leastAction(),
        all(EffectivePolicy::keeps),
        all(EffectivePolicy::protectedHours),
        lastActivity(),
        policies.getFirst().caps(),
        all(EffectivePolicy::receivers),
        first(EffectivePolicy::excludedBy),
        all(EffectivePolicy::remarks),
        first(EffectivePolicy::distrusted));
  }

  private Setting<Mode> leastMode() {
    return policies.stream()
        .map(EffectivePolicy::mode)
        .reduce((one, other) -> one.value().exceeds(other.value()) ? other : one)
        .orElseThrow();
  }

  private Setting<ActionChoice> leastAction() {
    return policies.stream()
        .map(EffectivePolicy::action)
        .reduce((one, other) -> one.value().orLess(other.value()) == one.value() ? one : other)
        .orElseThrow();
  }

  private Setting<Duration> longest(Function<EffectivePolicy, Setting<Duration>> which) {
    return policies.stream()
        .map(which)
        .max(Comparator.comparing(Setting<Duration>::value))
        .orElseThrow();
  }

  /** That of the pod which must be idle longest. */
  private Setting<WorkloadClass> longestOfClass() {
    return policies.stream()
        .max(Comparator.comparing(policy -> policy.idleAfter().value()))
        .orElseThrow()
        .workloadClass();
  }

  private Optional<Setting<Instant>> lastActivity() {
    return policies.stream()
        .flatMap(policy -> policy.lastActivity().stream())
        .max(Comparator.comparing(Setting<Instant>::value));
  }

  private <T> List<T> all(Function<EffectivePolicy, List<T>> which) {
    return policies.stream().flatMap(policy -> which.apply(policy).stream()).distinct().toList();
  }

  private <T> Optional<T> first(Function<EffectivePolicy, Optional<T>> which) {
    return policies.stream().flatMap(policy -> which.apply(policy).stream()).findFirst();
  }
}
