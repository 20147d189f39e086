package io.gpureclaimer.reclaimer.cluster;

import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The records of actions at one moment, found by the objects that they are about. A value: equal if
 * the records are.
 */
public final class Reclamations {
  private final List<Reclamation> all;
  private final SharedMap<String, List<Reclamation>> byObject;
  private final List<Reclamation> unreadable;

  public Reclamations(List<Reclamation> all) {
    this(
        all,
        SharedMap.copyOf(byObject(all)),
        all.stream().filter(record -> record.unreadable().isPresent()).toList());
  }

  private Reclamations(
      List<Reclamation> all,
      SharedMap<String, List<Reclamation>> byObject,
      List<Reclamation> unreadable) {
    this.all = List.copyOf(all);
    this.byObject = byObject;
    this.unreadable = unreadable;
  }

  private static Map<String, List<Reclamation>> byObject(List<Reclamation> all) {
    Map<String, List<Reclamation>> byObject = HashMap.newHashMap(all.size());
    for (Reclamation record : all) {
      for (String uid : objects(record)) {
        byObject.computeIfAbsent(uid, _ -> new ArrayList<>(1)).add(record);
      }
    }
    return byObject;
  }

  private static Set<String> objects(Reclamation record) {
    if (record.status().isEmpty()) {
      return Set.of();
    }
    ReclamationProgress progress = record.status().get();
    Set<String> uids = new LinkedHashSet<>();
    uids.add(progress.owner().uid());
    for (FieldChange change : progress.changes()) {
      uids.add(change.object().uid());
    }
    return uids;
  }

  /**
   * The same after one record changed.
   *
   * @param now all records, in their order
   * @param before the record as it was; empty for a new one
   * @param after the record as it is; empty if it was deleted
   */
  public Reclamations after(
      List<Reclamation> now, Optional<Reclamation> before, Optional<Reclamation> after) {
    SharedMap<String, List<Reclamation>> changed = byObject;
    for (String uid : before.map(Reclamations::objects).orElse(Set.of())) {
      List<Reclamation> rest = new ArrayList<>(changed.getOrDefault(uid, List.of()));
      rest.remove(before.orElseThrow());
      changed = rest.isEmpty() ? changed.without(uid) : changed.with(uid, rest);
    }
    for (String uid : after.map(Reclamations::objects).orElse(Set.of())) {
      List<Reclamation> more = new ArrayList<>(changed.getOrDefault(uid, List.of()));
      more.add(after.orElseThrow());
      changed = changed.with(uid, more);
    }
    boolean staysReadable =
        Stream.concat(before.stream(), after.stream())
            .allMatch(record -> record.unreadable().isEmpty());
    return staysReadable ? new Reclamations(now, changed, unreadable) : new Reclamations(now);
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
    return unreadable;
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
