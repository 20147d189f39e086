package io.gpureclaimer.reclaimer.action;

import io.gpureclaimer.reclaimer.action.Action.ActionCheck.Refused;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A kind of owner that an action can stop by writing one field.
 *
 * @param qualifiedKind kind and group, for example {@code Deployment.apps}
 * @param path JSON pointer of the field
 * @param subresource through which the field is written; empty for the object itself
 * @param stopped JSON text of the value that stops the owner
 * @param below kinds that may stand above it and are left alone: their child is changed instead
 * @param reads further fields that the check needs, as JSON pointers
 * @param check refuses an owner that must not be stopped, or could not be restored
 */
public record OwnerKind(
    String qualifiedKind,
    String path,
    String subresource,
    String stopped,
    Set<String> below,
    Set<String> reads,
    PreFlightCheck check) {
  public OwnerKind {
    below = Set.copyOf(below);
    reads = Set.copyOf(reads);
  }

  /** Check of one owner before it is stopped. */
  @FunctionalInterface
  public interface PreFlightCheck {
    /** No objection. */
    PreFlightCheck NONE = (_, _) -> Optional.empty();

    /** Why the owner must not be stopped; empty if it may be. */
    Optional<Refused> objection(OwnerView owner, Workload workload);

    /** Both checks, this one first. */
    default PreFlightCheck and(PreFlightCheck other) {
      return (owner, workload) ->
          objection(owner, workload).or(() -> other.objection(owner, workload));
    }
  }

  /** A kind whose field is written on the object itself, and which needs no check of its own. */
  public static OwnerKind of(String qualifiedKind, String path, String stopped) {
    return new OwnerKind(qualifiedKind, path, "", stopped, Set.of(), Set.of(), PreFlightCheck.NONE);
  }

  /** The same kind, written through a subresource. */
  public OwnerKind through(String other) {
    return new OwnerKind(qualifiedKind, path, other, stopped, below, reads, check);
  }

  /** The same kind, whose objects may be controlled by this other kind. */
  public OwnerKind below(String other) {
    return new OwnerKind(qualifiedKind, path, subresource, stopped, Set.of(other), reads, check);
  }

  /** The same kind with a check, which reads these fields. */
  public OwnerKind checkedBy(PreFlightCheck other, String... fields) {
    Set<String> all = new HashSet<>(reads);
    all.addAll(Set.of(fields));
    return new OwnerKind(qualifiedKind, path, subresource, stopped, below, all, check.and(other));
  }

  /** All fields of an owner that this action reads or writes. */
  public Set<String> fields() {
    Set<String> all = new HashSet<>(reads);
    all.add(path);
    return all;
  }
}
