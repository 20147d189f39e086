package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.policy.AnnotationReader.AnnotatedKind;
import io.gpureclaimer.reclaimer.policy.AnnotationValues.PolicyLayers;
import io.gpureclaimer.reclaimer.workload.Lineage;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What holds for a pod, and for a whole workload. */
public final class Policies {
  private final PolicyDefaults defaults;

  public Policies(PolicyDefaults defaults) {
    this.defaults = defaults;
  }

  /** What holds for a pod of this namespace that is not annotated itself. */
  public EffectivePolicy of(NamespaceView namespace, Instant now) {
    return PolicyResolution.of(defaults, new PolicyLayers(List.of(), wishes(namespace)), now);
  }

  /** What holds for a workload of this namespace. */
  EffectivePolicy of(NamespaceView namespace, Workload workload, Instant now) {
    return of(wishes(namespace), workload, now);
  }

  /**
   * What holds for a workload: of each value, the safest that holds for any of its pods.
   *
   * @param above what its namespace asks for
   */
  public EffectivePolicy of(AnnotationValues above, Workload workload, Instant now) {
    Set<EffectivePolicy> policies = new LinkedHashSet<>();
    for (PodView pod : workload.pods()) {
      policies.add(of(above, pod, Lineage.of(pod, workload.owners()), now));
    }
    return SafestPolicy.of(List.copyOf(policies));
  }

  private EffectivePolicy of(
      AnnotationValues namespace, PodView pod, Lineage lineage, Instant now) {
    List<AnnotationValues> near = new ArrayList<>();
    near.add(wishes(pod));
    lineage.owners().forEach(owner -> near.add(wishes(owner)));
    return PolicyResolution.of(defaults, new PolicyLayers(near, namespace), pod, lineage, now);
  }

  /** The name of an owner in messages. */
  public static String name(OwnerView owner) {
    return owner.owner().kind() + " " + owner.namespace() + "/" + owner.owner().name();
  }

  /** What a namespace asks for. */
  public static AnnotationValues wishes(NamespaceView namespace) {
    return AnnotationReader.read(
        "namespace " + namespace.name(), AnnotatedKind.NAMESPACE, namespace.annotations());
  }

  private static AnnotationValues wishes(OwnerView owner) {
    return AnnotationReader.read(name(owner), AnnotatedKind.OWNER, owner.annotations());
  }

  private static AnnotationValues wishes(PodView pod) {
    return AnnotationReader.read("pod " + pod.ref(), AnnotatedKind.POD, pod.annotations());
  }
}
