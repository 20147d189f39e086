package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.reclaimer.activity.Holder;
import io.gpureclaimer.reclaimer.activity.PodName;
import io.gpureclaimer.reclaimer.cluster.PodView;
import java.util.Collection;
import java.util.List;

/** The pods of the cluster, as an activity source can recognize them. */
public final class Recognition {
  private Recognition() {}

  /** One for each pod. */
  public static List<Holder> holders(Collection<PodView> pods) {
    return pods.stream().map(Recognition::holder).toList();
  }

  private static Holder holder(PodView pod) {
    var name = new PodName(pod.ref().namespace(), pod.ref().name());
    return new Holder(pod.ref().uid(), name, pod.startedAt());
  }
}
