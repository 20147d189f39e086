package io.gpureclaimer.reclaimer.cluster.kubernetes.reading;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.Toleration;
import java.util.List;

/** Where a pod may run, as far as its selector and tolerations say. */
final class Placements {
  private Placements() {}

  static Placement of(PodSpec spec) {
    List<Toleration> tolerations =
        spec.getTolerations().stream().map(Placements::toleration).toList();
    return new Placement(
        Absent.asEmpty(spec.getNodeSelector()), tolerations, constrainedFurther(spec));
  }

  private static Toleration toleration(io.fabric8.kubernetes.api.model.Toleration sent) {
    return new Toleration(
        Absent.asEmpty(sent.getKey()),
        "Exists".equals(sent.getOperator()),
        Absent.asEmpty(sent.getValue()),
        Absent.asEmpty(sent.getEffect()));
  }

  /** Preferences are left out: the scheduler goes against them when it must. */
  private static boolean constrainedFurther(PodSpec spec) {
    return requires(spec.getAffinity())
        || !spec.getResourceClaims().isEmpty()
        || spec.getTopologySpreadConstraints().stream()
            .anyMatch(spread -> "DoNotSchedule".equals(spread.getWhenUnsatisfiable()));
  }

  private static boolean requires(Affinity affinity) {
    if (affinity == null) {
      return false;
    }
    var toNodes = affinity.getNodeAffinity();
    var toPods = affinity.getPodAffinity();
    var awayFromPods = affinity.getPodAntiAffinity();
    return (toNodes != null && toNodes.getRequiredDuringSchedulingIgnoredDuringExecution() != null)
        || (toPods != null && !toPods.getRequiredDuringSchedulingIgnoredDuringExecution().isEmpty())
        || (awayFromPods != null
            && !awayFromPods.getRequiredDuringSchedulingIgnoredDuringExecution().isEmpty());
  }
}
