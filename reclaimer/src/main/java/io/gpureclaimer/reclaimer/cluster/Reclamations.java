package io.gpureclaimer.reclaimer.cluster;

import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The records of actions at one moment, found by the objects that they are about. A value: equal if
 * the records are.
 */
public final class Reclamations {
  private final List<Reclamation> all;
  private final Map<String, List<Reclamation>> byObject;
  private final List<Reclamation> unreadable = new ArrayList<>();

  public Reclamations(List<Reclamation> all) {
    this.all = List.copyOf(all);
    this.byObject = HashMap.newHashMap(all.size());
    for (Reclamation record : this.all) {
      if (record.unreadable().isPresent()) {
        unreadable.add(record);
      }
      if (record.status().isPresent()) {
        ReclamationProgress progress = record.status().get();
        String owner = progress.owner().uid();
        add(owner, record);
        for (FieldChange change : progress.changes()) {
          if (!change.object().uid().equals(owner)) {
            add(change.object().uid(), record);
          }
        }
      }
    }
  }

  private void add(String uid, Reclamation record) {
    List<Reclamation> ofOne = byObject.computeIfAbsent(uid, _ -> new ArrayList<>(1));
    if (ofOne.isEmpty() || !ofOne.getLast().equals(record)) {
      ofOne.add(record);
    }
  }

  /** All records. */
  public List<Reclamation> all() {
    return all;
  }

  /** The records of actions on any of these objects. */
  public List<Reclamation> of(Set<String> uids) {
    List<Reclamation> found = List.of();
    for (String uid : byObject.isEmpty() ? Set.<String>of() : uids) {
      List<Reclamation> ofOne = byObject.getOrDefault(uid, List.of());
      if (found.isEmpty()) {
        found = ofOne;
      } else if (!ofOne.isEmpty()) {
        Set<Reclamation> both = new LinkedHashSet<>(found);
        both.addAll(ofOne);
        found = List.copyOf(both);
      }
    }
    return List.copyOf(found);
  }

  /** The records that cannot be read. */
  public List<Reclamation> unreadable() {
    return Collections.unmodifiableList(unreadable);
  }

  /**
   * A record that cannot be read and may be of an action on one of these objects: nothing may be
   * done to them.
   */
  public Optional<Reclamation> unreadableOf(String namespace, Set<String> uids) {
    return unreadable.stream()
        .filter(record -> record.namespace().equals(namespace))
        .filter(record -> record.unreadable().orElseThrow().mayBeOf(uids))
        .findFirst();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Reclamations that && all.equals(that.all);
  }

  @Override
  public int hashCode() {
    return all.hashCode();
  }
}
