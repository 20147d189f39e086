package io.gpureclaimer.reclaimer.action;

import io.gpureclaimer.reclaimer.action.Action.ActionCheck.Refused;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.Optional;

/**
 * Check of the version of Knative before the minimum of a Revision is changed. Knative before 1.21
 * keeps the former minimum and replaces the pods.
 */
final class KnativeVersionCheck {
  /** Knative before 1.21 copies it from the Revision to the pods; later versions do not. */
  private static final String MIN_SCALE = "autoscaling.knative.dev/min-scale";

  private KnativeVersionCheck() {}

  /** Why the change would replace the pods; empty if it removes them. */
  static Optional<Refused> objection(OwnerView target, Workload workload) {
    return target.owner().qualifiedKind().equals("Revision.serving.knative.dev")
            && workload.pods().stream().anyMatch(pod -> pod.annotations().containsKey(MIN_SCALE))
        ? Optional.of(
            new Refused(
                "minimum-ignored",
                "Knative before 1.21 does not apply another minimum of pods",
                target.owner()
                    + " has pods with the annotation "
                    + MIN_SCALE
                    + ", as Knative before 1.21 makes them: that version would replace the pods"
                    + " and keep their number"))
        : Optional.empty();
  }
}
