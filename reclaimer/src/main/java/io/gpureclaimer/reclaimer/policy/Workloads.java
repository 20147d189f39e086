package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.PodPhase;
import io.gpureclaimer.reclaimer.cluster.PodView;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Groups pods into workloads, in an order that depends on nothing but their names and UIDs. */
final class Workloads {

  private record Key(String namespace, String uid) {}

  private static final Comparator<PodView> BY_NAME =
      Comparator.comparing((PodView pod) -> pod.ref().name()).thenComparing(pod -> pod.ref().uid());

  private static final Comparator<Workload> ORDER =
      Comparator.comparing(Workload::namespace)
          .thenComparing(Workload::name)
          .thenComparing(Workload::kind)
          .thenComparing(Workload::uid);

  private Workloads() {}

  /** Every workload that has or wants accelerators. */
  static List<Workload> of(ClusterView cluster) {
    Map<Key, List<PodView>> groups =
        cluster.pods().stream()
            .filter(Workloads::counts)
            .sorted(BY_NAME)
            .collect(Collectors.groupingBy(Workloads::key));
    return groups.values().stream().map(Workloads::of).sorted(ORDER).toList();
  }

  /** A workload of these pods, which have the same owner. */
  static Workload of(List<PodView> pods) {
    PodView first = pods.getFirst();
    return new Workload(first.ref().namespace(), first.owner(), pods);
  }

  private static boolean counts(PodView pod) {
    boolean finished = pod.phase() == PodPhase.SUCCEEDED || pod.phase() == PodPhase.FAILED;
    return !finished && (pod.gpus() > 0 || pod.otherAccelerators());
  }

  private static Key key(PodView pod) {
    String uid = pod.owner().map(Owner::uid).orElse(pod.ref().uid());
    return new Key(pod.ref().namespace(), uid);
  }
}
