package io.gpureclaimer.reclaimer.reclamation;

import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.OwnerView.OwnerDetails;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writes fields of objects and writes their former values back. Each write is preceded by a read,
 * whose resource version is its precondition: a field that others have changed is left alone.
 */
final class FieldWriter {
  private final Cluster cluster;

  FieldWriter(Cluster cluster) {
    this.cluster = cluster;
  }

  /** What a field holds now. */
  enum Holding {
    /** The value that the action has written. */
    WRITTEN,
    /** The value from before the action. */
    FORMER,
    /** A third value, written by others. */
    OTHER,
    /** Nothing: the object was deleted, or replaced by one of the same name. */
    GONE
  }

  /** What the field of a change holds, as the API server has it now. */
  Holding holding(FieldChange change) {
    return holding(change, cluster.freshObject(change.object(), Set.of(change.path())));
  }

  /** What the field of a change holds in an object that was read. */
  static Holding holding(FieldChange change, Optional<OwnerView> object) {
    Optional<OwnerDetails> details = object.flatMap(OwnerView::details);
    if (details.isEmpty()) {
      return Holding.GONE;
    }
    Optional<String> value = details.get().field(change.path());
    if (value.equals(change.written())) {
      return Holding.WRITTEN;
    }
    return value.equals(change.former()) ? Holding.FORMER : Holding.OTHER;
  }

  /** Changes in the order of writing; those of one object go into one write. */
  static List<List<FieldChange>> writes(List<FieldChange> changes) {
    List<List<FieldChange>> writes = new ArrayList<>();
    for (FieldChange change : changes) {
      Optional<FieldChange> last =
          writes.isEmpty() ? Optional.empty() : Optional.of(writes.getLast().getLast());
      if (last.filter(other -> isOfOneWrite(other, change)).isPresent()) {
        writes.getLast().add(change);
      } else {
        writes.add(new ArrayList<>(List.of(change)));
      }
    }
    return writes;
  }

  private static boolean isOfOneWrite(FieldChange one, FieldChange other) {
    return one.object().equals(other.object()) && one.subresource().equals(other.subresource());
  }

  /** Writes one group of {@link #writes}, if every field still holds its former value. */
  ActionResult write(List<FieldChange> group, boolean dryRun) {
    ObjectRef object = group.getFirst().object();
    Optional<OwnerView> found = fresh(group);
    if (found.isEmpty()) {
      return new ActionResult.Skipped(object + " is gone");
    }
    for (FieldChange change : group) {
      if (holding(change, found) != Holding.FORMER) {
        return new ActionResult.Skipped(
            change.field() + " of " + object + " changed in the last moment");
      }
    }
    return cluster.change(group, version(found.get()), dryRun);
  }

  /**
   * Writes the former values of one group back, of those fields that still hold what the action has
   * written. The others are left alone, which is a success.
   */
  ActionResult restore(List<FieldChange> group, boolean dryRun) {
    Optional<OwnerView> found = fresh(group);
    List<FieldChange> ours =
        group.stream().filter(change -> holding(change, found) == Holding.WRITTEN).toList();
    return found.isEmpty() || ours.isEmpty()
        ? new ActionResult.Done()
        : cluster.change(
            ours.stream().map(FieldChange::inverse).toList(), version(found.get()), dryRun);
  }

  private Optional<OwnerView> fresh(List<FieldChange> group) {
    return cluster.freshObject(
        group.getFirst().object(),
        group.stream().map(FieldChange::path).collect(Collectors.toUnmodifiableSet()));
  }

  private static String version(OwnerView object) {
    return object.details().orElseThrow().resourceVersion();
  }
}
