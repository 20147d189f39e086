package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.Observation.PodIdentity;
import io.gpureclaimer.reclaimer.evidence.PodName;
import java.util.Collection;
import java.util.List;

/** The pods of the cluster, as an activity source can recognize them. */
public final class Recognition {
  private Recognition() {}

  /** One for each pod. */
  public static List<PodIdentity> holders(Collection<PodView> pods) {
    return pods.stream().map(Recognition::holder).toList();
  }

  private static PodIdentity holder(PodView pod) {
    var name = new PodName(pod.ref().namespace(), pod.ref().name());
    return new PodIdentity(pod.ref().uid(), name, pod.startedAt());
  }
}
