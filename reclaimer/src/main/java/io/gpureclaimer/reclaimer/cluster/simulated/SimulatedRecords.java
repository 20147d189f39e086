package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Cluster.RecordResult;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.Reclamation.RestoreRequest;
import io.gpureclaimer.reclaimer.cluster.Reclamations;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedApi.ApiFaults;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.ApiVerb;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Records of actions as the API server keeps them. Confined to the cluster's lock. */
final class SimulatedRecords {
  private final ClusterState state;
  private final ApiFaults faults;

  /** Namespace and name of each record, sorted; and the records in the same order. */
  private final List<String> keys = new ArrayList<>();

  private final List<Reclamation> records = new ArrayList<>();

  /** The same for callers. */
  private Reclamations known = new Reclamations(List.of());

  SimulatedRecords(ClusterState state, ApiFaults faults) {
    this.state = state;
    this.faults = faults;
  }

  List<Reclamation> all() {
    return known.all();
  }

  /** Those of one namespace. */
  List<Reclamation> of(String namespace) {
    // The character after the slash.
    return List.copyOf(records.subList(place(namespace + "/"), place(namespace + "0")));
  }

  /** The index of the first key that is not before this one. */
  private int place(String key) {
    int found = Collections.binarySearch(keys, key);
    return found >= 0 ? found : -found - 1;
  }

  private Optional<Reclamation> find(String namespace, String name) {
    int found = Collections.binarySearch(keys, namespace + "/" + name);
    return found >= 0 ? Optional.of(records.get(found)) : Optional.empty();
  }

  /** All of them, found by their objects. */
  Reclamations known() {
    return known;
  }

  RecordResult create(Reclamation record) {
    Optional<RecordResult> refusal = refusal(record);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    Optional<Reclamation> found = find(record.namespace(), record.name());
    Optional<ReclamationState> before =
        found.flatMap(Reclamation::status).map(Reclamation.ReclamationProgress::state);
    if (before.isPresent() && !record.mayReplace(before.get())) {
      return new RecordResult.NotStored(
          new ActionResult.Skipped("the action was made before, its record exists"));
    }
    return stored(
        new Reclamation(
            record.namespace(),
            record.name(),
            found.map(Reclamation::uid).orElseGet(() -> "record-" + state.nextVersion()),
            "",
            found.map(Reclamation::request).orElse(RestoreRequest.NONE),
            record.status()));
  }

  RecordResult update(Reclamation record) {
    Optional<RecordResult> refusal = refusal(record);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    Optional<Reclamation> found = find(record.namespace(), record.name());
    if (found.filter(known -> known.uid().equals(record.uid())).isEmpty()) {
      return new RecordResult.NotStored(ActionResult.gone(record.ref()));
    }
    return found.get().resourceVersion().equals(record.resourceVersion())
        ? stored(record)
        : new RecordResult.NotStored(
            ActionResult.changed(record.ref(), "the object has been modified"));
  }

  ActionResult delete(Reclamation record) {
    Optional<RecordResult> refusal = refusal(record);
    if (refusal.isPresent() && refusal.get() instanceof RecordResult.NotStored(var why)) {
      return why;
    }
    Optional<Reclamation> found =
        find(record.namespace(), record.name()).filter(known -> known.uid().equals(record.uid()));
    if (found.isEmpty()) {
      return ActionResult.gone(record.ref());
    }
    if (!found.get().resourceVersion().equals(record.resourceVersion())) {
      return ActionResult.changed(record.ref(), "the object has been modified");
    }
    delete(record.namespace(), record.name());
    return new ActionResult.Done();
  }

  ActionResult request(Reclamation record, boolean dryRun) {
    faults.checkReachable("write " + record.ref());
    if (dryRun) {
      return new ActionResult.DryRun();
    }
    request(record.namespace(), record.name());
    return new ActionResult.Done();
  }

  void request(String namespace, String name) {
    Reclamation found =
        find(namespace, name)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "record " + namespace + "/" + name + " does not exist"));
    put(
        new Reclamation(
            namespace,
            name,
            found.uid(),
            "",
            new RestoreRequest(true, found.request().keepUntil()),
            found.status()));
  }

  void spoil(String namespace, String name, String why) {
    Reclamation found = find(namespace, name).orElseThrow();
    var unreadable =
        new Reclamation.Unreadable(Set.of(found.status().orElseThrow().owner().uid()), why);
    store(
        new Reclamation(
            namespace,
            name,
            found.uid(),
            Long.toString(state.nextVersion()),
            found.request(),
            Optional.empty(),
            Optional.of(unreadable)));
  }

  void delete(String namespace, String name) {
    int found = Collections.binarySearch(keys, namespace + "/" + name);
    if (found >= 0) {
      keys.remove(found);
      Reclamation before = records.remove(found);
      known = known.after(records, Optional.of(before), Optional.empty());
    }
    state.nextVersion();
  }

  private Optional<RecordResult> refusal(Reclamation record) {
    faults.checkReachable("write " + record.ref());
    if (!faults.areRecordsServed()) {
      return Optional.of(
          new RecordResult.NotStored(
              new ActionResult.Failed("the CRD reclamations.gpu-reclaimer.io is not installed")));
    }
    return faults
        .refusalOf(ApiVerb.WRITE_RECORD)
        .map(
            refused ->
                new RecordResult.NotStored(
                    ActionResult.refused(refused.code(), refused.message())));
  }

  private RecordResult stored(Reclamation record) {
    return new RecordResult.Stored(put(record));
  }

  private Reclamation put(Reclamation record) {
    var next =
        new Reclamation(
            record.namespace(),
            record.name(),
            record.uid(),
            Long.toString(state.nextVersion()),
            record.request(),
            record.status());
    store(next);
    return next;
  }

  private void store(Reclamation record) {
    String key = record.namespace() + "/" + record.name();
    int found = Collections.binarySearch(keys, key);
    if (found >= 0) {
      Reclamation before = records.set(found, record);
      known = known.after(records, Optional.of(before), Optional.of(record));
    } else {
      keys.add(-found - 1, key);
      records.add(-found - 1, record);
      known = known.after(records, Optional.empty(), Optional.of(record));
    }
  }
}
