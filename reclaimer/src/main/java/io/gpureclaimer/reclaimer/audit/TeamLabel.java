package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.Map;
import java.util.Optional;

/**
 * The label whose value is a team: that of the pod, otherwise that of the top owner, otherwise that
 * of the namespace. An unknown team is the empty text, which Prometheus stores as no label.
 *
 * @param key of the label; absent if teams are not reported
 */
public record TeamLabel(Optional<String> key) {

  String ofPod(PodView pod, ClusterView cluster) {
    return ownOf(pod).orElseGet(() -> ofNamespace(pod.ref().namespace(), cluster));
  }

  String ofWorkload(Workload workload, ClusterView cluster) {
    return workload.pods().stream()
        .flatMap(pod -> ownOf(pod).stream())
        .findFirst()
        .orElseGet(
            () ->
                ofOwner(
                    workload.owner().map(Owner::uid).orElse(""), workload.namespace(), cluster));
  }

  /** The team of an owner, which may have no pod. */
  String ofOwner(String uid, String namespace, ClusterView cluster) {
    return Optional.ofNullable(cluster.owners().get(uid))
        .flatMap(OwnerView::details)
        .flatMap(owner -> valueIn(owner.labels()))
        .orElseGet(() -> ofNamespace(namespace, cluster));
  }

  private Optional<String> ownOf(PodView pod) {
    return valueIn(pod.traits().labels());
  }

  private Optional<String> valueIn(Map<String, String> labels) {
    return key.map(labels::get);
  }

  private static String ofNamespace(String name, ClusterView cluster) {
    return Optional.ofNullable(cluster.namespaces().get(name))
        .flatMap(NamespaceView::team)
        .orElse("");
  }
}
