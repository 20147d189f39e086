package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.policy.AnnotationReader.AnnotatedKind;
import io.gpureclaimer.reclaimer.policy.AnnotationReader.AnnotationValues;
import io.gpureclaimer.reclaimer.policy.AnnotationReader.AnnotationValues.PolicyLayers;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting;
import io.gpureclaimer.reclaimer.workload.OwnerChain;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** What holds for a pod, and for a whole workload. */
public final class Policies {
  private static final String NAMESPACE = "namespace ";

  private final PolicyDefaults defaults;

  public Policies(PolicyDefaults defaults) {
    this.defaults = defaults;
  }

  /** What holds for a pod of this namespace that is not annotated itself. */
  public EffectivePolicy of(NamespaceView namespace, Instant now) {
    return of(namespace, List.of(), now);
  }

  /**
   * What holds for owners whose pods are gone.
   *
   * @param owners nearest first
   */
  public EffectivePolicy of(NamespaceView namespace, List<OwnerView> owners, Instant now) {
    List<AnnotationValues> near = owners.stream().map(Policies::annotationsOf).toList();
    return PolicyResolution.of(defaults, new PolicyLayers(near, annotationsOf(namespace)), now);
  }

  /** What holds for a workload of this namespace. */
  EffectivePolicy of(NamespaceView namespace, Workload workload, Instant now) {
    return of(annotationsOf(namespace), workload, now);
  }

  /**
   * What holds for a workload: of each value, the safest that holds for any of its pods.
   *
   * @param above what its namespace asks for
   */
  public EffectivePolicy of(AnnotationValues above, Workload workload, Instant now) {
    Set<EffectivePolicy> policies = new LinkedHashSet<>();
    for (PodView pod : workload.pods()) {
      policies.add(of(above, pod, OwnerChain.of(pod, workload.owners()), now));
    }
    return SafestPolicy.of(List.copyOf(policies));
  }

  private EffectivePolicy of(
      AnnotationValues namespace, PodView pod, OwnerChain lineage, Instant now) {
    List<AnnotationValues> near = new ArrayList<>();
    near.add(annotationsOf(pod));
    lineage.owners().forEach(owner -> near.add(annotationsOf(owner)));
    return PolicyResolution.of(defaults, new PolicyLayers(near, namespace), pod, lineage, now);
  }

  /**
   * Whether another policy may follow from the same objects at a later time. A heartbeat in the
   * future is remarked on until then.
   */
  public static boolean mayChange(EffectivePolicy policy, Instant now) {
    return policy
        .lastActivity()
        .filter(last -> PolicyResolution.isInTheFuture(last.value(), now))
        .isPresent();
  }

  /** The name of an owner in messages. */
  public static String name(OwnerView owner) {
    return owner.owner().kind() + " " + owner.namespace() + "/" + owner.owner().name();
  }

  /** What a namespace asks for. */
  public static AnnotationValues annotationsOf(NamespaceView namespace) {
    return AnnotationReader.read(
        NAMESPACE + namespace.name(), AnnotatedKind.NAMESPACE, namespace.annotations());
  }

  /** The name of the namespace that has these annotations. */
  static String namespaceOf(AnnotationValues annotations) {
    return annotations.object().substring(NAMESPACE.length());
  }

  private static AnnotationValues annotationsOf(OwnerView owner) {
    return AnnotationReader.read(name(owner), AnnotatedKind.OWNER, owner.annotations());
  }

  private static AnnotationValues annotationsOf(PodView pod) {
    return AnnotationReader.read("pod " + pod.ref(), AnnotatedKind.POD, pod.annotations());
  }

  /** Of the policies of a workload's pods, the safest value of each. Confined to one workload. */
  private static final class SafestPolicy {
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
          policies.stream().anyMatch(EffectivePolicy::sparedIfNeededSoon),
          longest(EffectivePolicy::warnBefore),
          longest(EffectivePolicy::startupGrace),
          longestOfClass(),
          leastAction(),
          gentlestRestore(),
          leastPartial(),
          policies.getFirst().maxKeep(),
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

    private Setting<RestoreChoice> gentlestRestore() {
      return policies.stream()
          .map(EffectivePolicy::restore)
          .reduce((one, other) -> other.value().isGentlerThan(one.value()) ? other : one)
          .orElseThrow();
    }

    private Setting<Boolean> leastPartial() {
      return policies.stream()
          .map(EffectivePolicy::partial)
          .min(Comparator.comparing(Setting<Boolean>::value))
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
}
