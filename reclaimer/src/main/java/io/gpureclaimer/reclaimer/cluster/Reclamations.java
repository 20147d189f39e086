package io.gpureclaimer.reclaimer.cluster;

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
  private final Map<String, List<Reclamation>> byObject = new HashMap<>();
  private final List<Reclamation> unreadable;

  public Reclamations(List<Reclamation> all) {
    this.all = List.copyOf(all);
    this.unreadable = all.stream().filter(record -> record.unreadable().isPresent()).toList();
    for (Reclamation record : this.all) {
      for (String uid : objects(record)) {
        byObject.computeIfAbsent(uid, _ -> new ArrayList<>(1)).add(record);
      }
    }
  }

  private static List<String> objects(Reclamation record) {
    return record.status().stream()
        .flatMap(
            progress ->
                Stream.concat(
                    Stream.of(progress.owner().uid()),
                    progress.changes().stream().map(change -> change.object().uid())))
        .distinct()
        .toList();
  }

  /** All records. */
  public List<Reclamation> all() {
    return all;
  }

  /** The records of actions on any of these objects. */
  public List<Reclamation> of(Set<String> uids) {
    Set<Reclamation> found = Set.of();
    for (String uid : byObject.isEmpty() ? Set.<String>of() : uids) {
      List<Reclamation> ofOne = byObject.get(uid);
      if (ofOne != null) {
        found = found.isEmpty() ? new LinkedHashSet<>() : found;
        found.addAll(ofOne);
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
