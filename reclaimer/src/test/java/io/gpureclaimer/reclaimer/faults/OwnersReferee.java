package io.gpureclaimer.reclaimer.faults;

import io.gpureclaimer.reclaimer.action.scale.ScaleDownIdleReplicas;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.OwnerView.OwnerDetails;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sees every change of an owner in the moment when it happens, and finds owners without a way back:
 * stopped without a record, stopped twice, or restored to another value.
 */
final class OwnersReferee {
  private static final String REPLICAS = "/spec/replicas";

  private final SimulatedCluster cluster;
  private final EvictionReferee referee;
  private final Map<String, FieldChange> stopped = new HashMap<>();
  private final List<String> wrongs = new ArrayList<>();
  private int stops;
  private int restorations;

  OwnersReferee(SimulatedCluster cluster, EvictionReferee referee) {
    this.cluster = cluster;
    this.referee = referee;
  }

  /** Fields of an owner are written now, all refusals being past. */
  void changes(List<FieldChange> changes) {
    FieldChange change = changes.getFirst();
    if (change.object().kind().equals("Pod")) {
      return;
    }
    FieldChange before = stopped.get(change.object().uid());
    if (before != null) {
      require(change.equals(before.inverse()), change, "written while it is stopped");
      restorations++;
      return;
    }
    stopped.put(change.object().uid(), change);
    stops++;
    require(hasRecord(change), change, "stopped before it was recorded");
    boolean isPart = !change.written().equals(Optional.of("0")) && change.path().equals(REPLICAS);
    referee.stops(
        podsOf(change.object().uid()).stream().filter(pod -> !isPart || isMarked(pod)).toList());
  }

  /** Every owner that is stopped has a record, and every other one has its former value. */
  void cycleEnds() {
    for (FieldChange change : List.copyOf(stopped.values())) {
      Optional<String> value =
          Optional.ofNullable(cluster.view().owners().get(change.object().uid()))
              .flatMap(OwnerView::details)
              .map(OwnerDetails::fields)
              .map(fields -> fields.get(change.path()));
      if (value.equals(change.written())) {
        require(hasRecord(change), change, "stopped, and its record is lost");
      } else {
        require(value.equals(change.former()), change, "restored to " + value);
        stopped.remove(change.object().uid());
      }
    }
  }

  /** Its controller removes it before the others. */
  private static boolean isMarked(PodView pod) {
    return pod.annotations().containsKey(ScaleDownIdleReplicas.DELETION_COST);
  }

  private boolean hasRecord(FieldChange change) {
    return cluster.view().reclamations().orElse(List.of()).stream()
        .flatMap(record -> record.status().stream())
        .filter(progress -> !progress.state().isFinal())
        .anyMatch(progress -> progress.changes().contains(change));
  }

  private List<PodView> podsOf(String uid) {
    ClusterView view = cluster.view();
    return view.pods().stream()
        .filter(pod -> pod.node().isPresent() && isBelow(pod.owner(), uid, view))
        .toList();
  }

  private static boolean isBelow(Optional<Owner> owner, String uid, ClusterView view) {
    return owner
        .filter(
            each ->
                each.uid().equals(uid)
                    || isBelow(
                        Optional.ofNullable(view.owners().get(each.uid()))
                            .flatMap(OwnerView::controller),
                        uid,
                        view))
        .isPresent();
  }

  private void require(boolean right, FieldChange change, String wrong) {
    if (!right) {
      wrongs.add(change.object() + ": " + wrong + ", " + change.field() + " " + change.former());
    }
  }

  List<String> wrongs() {
    return List.copyOf(wrongs);
  }

  int stops() {
    return stops;
  }

  int restorations() {
    return restorations;
  }
}
