package io.gpureclaimer.reclaimer.reclamation;

import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable.ObjectUnreadable;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.OwnerView.Autoscaler;
import io.gpureclaimer.reclaimer.cluster.OwnerView.OwnerDetails;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes fields of objects and writes their former values back. Each write is preceded by a read,
 * whose resource version is its precondition: a field that others have changed is left alone.
 */
final class FieldWriter {
  /** Work that has begun meanwhile is not known. */
  static final ActionResult TOO_OLD =
      new ActionResult.Skipped(
          "the API server was too slow: more than 10s have passed since the last check of the"
              + " workload, which is checked again before the next try");

  private final Cluster cluster;
  private final Leadership leadership;

  FieldWriter(Cluster cluster, Leadership leadership) {
    this.cluster = cluster;
    this.leadership = leadership;
  }

  /** Content of a field. */
  enum FieldContent {
    /** The value that the action has written. */
    WRITTEN,
    /** The value from before the action, or one by which others have resumed the object. */
    FORMER,
    /** The value that resumes the object; the former one follows when it runs again. */
    RESUMED,
    /** A third value, written by others. */
    OTHER,
    /** Nothing: the object was deleted, or replaced by one of the same name. */
    GONE
  }

  /** What the field of a change holds, as the API server has it now. */
  FieldContent holding(FieldChange change, boolean isBeingWrittenBack) {
    return holding(
        change, cluster.freshObject(change.object(), Set.of(change.path())), isBeingWrittenBack);
  }

  /**
   * What the field of a change holds in an object that was read.
   *
   * @param isBeingWrittenBack whether the record says so; if not, it was others who wrote the value
   *     that resumes the object, unless the API server says that it was the reclaimer
   */
  static FieldContent holding(
      FieldChange change, Optional<OwnerView> object, boolean isBeingWrittenBack) {
    Optional<OwnerDetails> details = object.flatMap(OwnerView::details);
    if (details.isEmpty()) {
      return FieldContent.GONE;
    }
    Optional<String> value = change.valueIn(details.get());
    if (value.equals(change.written())) {
      return FieldContent.WRITTEN;
    }
    if (value.equals(change.former())) {
      return FieldContent.FORMER;
    }
    if (change.resumed().isEmpty() || !value.equals(change.resumed())) {
      return FieldContent.OTHER;
    }
    Set<String> managers = managers(change, object);
    return managers.equals(Set.of(FieldChange.MANAGER))
            || (managers.isEmpty() && isBeingWrittenBack)
        ? FieldContent.RESUMED
        : FieldContent.FORMER;
  }

  /** Whether the field of a change holds the value of the action in an object that was read. */
  static boolean isWritten(FieldChange change, Optional<OwnerView> object) {
    return holding(change, object, false) == FieldContent.WRITTEN;
  }

  private static Set<String> managers(FieldChange change, Optional<OwnerView> object) {
    return object
        .flatMap(OwnerView::details)
        .map(details -> details.managers().getOrDefault(change.path(), Set.of()))
        .orElse(Set.of());
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

  /**
   * Groups of changes in the order of restoring: a paused autoscaler is released before its owner
   * gets replicas, because it would remove them.
   */
  static List<List<FieldChange>> restorations(List<FieldChange> changes) {
    return writes(changes).reversed().stream()
        .sorted(Comparator.comparing(group -> !isPause(group)))
        .toList();
  }

  /** Whether a group of changes pauses an autoscaler, which may then write the next group. */
  static boolean isPause(List<FieldChange> group) {
    return group.getFirst().object().kind().equals(Autoscaler.SCALED_OBJECT);
  }

  /** Whether every field of a group holds what the action writes. */
  boolean isWritten(List<FieldChange> group) {
    return group.stream().allMatch(change -> holding(change, false) == FieldContent.WRITTEN);
  }

  private static boolean isOfOneWrite(FieldChange one, FieldChange other) {
    return one.object().equals(other.object()) && one.subresource().equals(other.subresource());
  }

  /**
   * Whether the field of a change holds the value of the action, and it was not others who wrote
   * it.
   */
  boolean isOurs(FieldChange change) {
    Optional<OwnerView> object = cluster.freshObject(change.object(), Set.of(change.path()));
    Set<String> managers = managers(change, object);
    return isWritten(change, object)
        && (managers.isEmpty() || managers.contains(FieldChange.MANAGER));
  }

  /**
   * Writes one group of {@link #writes}, if every field still holds its former value, and the
   * object is the version that was judged.
   *
   * @param judged the object as it was judged; empty if it was not
   * @param isRecent whether that judgment can still be relied on; asked after the read, which may
   *     take long
   */
  ActionResult write(
      List<FieldChange> group,
      Optional<OwnerView> judged,
      BooleanSupplier isRecent,
      boolean dryRun) {
    ObjectRef object = group.getFirst().object();
    Optional<OwnerView> found;
    try {
      found = fresh(group);
    } catch (ObjectUnreadable e) {
      return new ActionResult.Failed(String.valueOf(e.getMessage()));
    }
    if (found.isEmpty()) {
      return ActionResult.gone(object);
    }
    if (judged.filter(before -> isEdited(before, found.get())).isPresent()) {
      return ActionResult.changed(object, "it was edited after it was judged");
    }
    for (FieldChange change : group) {
      if (!change.valueIn(found.get().details().orElseThrow()).equals(change.former())) {
        return new ActionResult.Skipped(
            change.field() + " of " + object + " changed in the last moment");
      }
    }
    if (!isRecent.getAsBoolean()) {
      return TOO_OLD;
    }
    return change(group, found.get(), dryRun);
  }

  /** Annotations are what people say to the reclaimer. */
  private static boolean isEdited(OwnerView before, OwnerView now) {
    return !now.annotations().equals(before.annotations())
        || now.details().orElseThrow().isEditedSince(before.details().orElseThrow());
  }

  /** The lease may have been lost during the read. */
  private ActionResult change(List<FieldChange> group, OwnerView found, boolean dryRun) {
    return leadership.isHeld()
        ? cluster.change(group, version(found), dryRun)
        : new ActionResult.NotLeading();
  }

  /** Result of writing former values back. */
  sealed interface RestoreResult {

    /** Every field holds its former value. */
    record Complete() implements RestoreResult {}

    /** The object is resumed; the former value follows when it runs again. */
    record Resumed() implements RestoreResult {}

    /** Others have changed a field, which was left alone. */
    record ChangedByOthers() implements RestoreResult {}

    /** The object was not found, twice. */
    record ObjectGone() implements RestoreResult {}

    /** A write was refused. */
    record WriteRefused(ActionResult why) implements RestoreResult {}
  }

  /**
   * Writes the former values of one group back, of those fields that still hold what the action has
   * written. The others are left alone.
   *
   * @param isBeingWrittenBack as for {@link #holding}
   * @param podsBack whether the object runs again, so that the second of two steps may be taken
   */
  RestoreResult restore(
      List<FieldChange> group, boolean isBeingWrittenBack, boolean podsBack, boolean dryRun) {
    Optional<OwnerView> found = fresh(group).or(() -> fresh(group));
    if (found.isEmpty()) {
      return new RestoreResult.ObjectGone();
    }
    Map<FieldChange, FieldContent> holdings = new LinkedHashMap<>();
    List<FieldChange> steps = new ArrayList<>();
    for (FieldChange change : group) {
      FieldContent holding = holding(change, found, isBeingWrittenBack);
      holdings.put(change, holding);
      stepBack(change, holding, found, podsBack).ifPresent(steps::add);
    }
    if (!steps.isEmpty()) {
      ActionResult result = change(steps, found.get(), dryRun);
      if (!(result instanceof ActionResult.Done || result instanceof ActionResult.DryRun)) {
        return new RestoreResult.WriteRefused(result);
      }
    }
    if (holdings.containsValue(FieldContent.OTHER)) {
      return new RestoreResult.ChangedByOthers();
    }
    return holdings.entrySet().stream()
            .anyMatch(each -> isHalfway(each.getKey(), each.getValue(), podsBack))
        ? new RestoreResult.Resumed()
        : new RestoreResult.Complete();
  }

  /** Whether the second of two steps is still to come, after what was found here. */
  private static boolean isHalfway(FieldChange change, FieldContent holding, boolean podsBack) {
    return change.secondInverse().isPresent()
        && (holding == FieldContent.WRITTEN || (holding == FieldContent.RESUMED && !podsBack));
  }

  private static Optional<FieldChange> stepBack(
      FieldChange change, FieldContent holding, Optional<OwnerView> found, boolean podsBack) {
    if (holding == FieldContent.WRITTEN) {
      return Optional.of(removalOfParent(change, found).orElseGet(change::inverse));
    }
    return change.secondInverse().filter(_ -> podsBack && holding == FieldContent.RESUMED);
  }

  /**
   * A field that was absent came with its parent where that was absent too; what the reclaimer
   * alone has filled goes as a whole, so that no empty object stays.
   */
  private static Optional<FieldChange> removalOfParent(
      FieldChange change, Optional<OwnerView> found) {
    if (change.inverse().written().isPresent()) {
      return Optional.empty();
    }
    return change
        .parentIfAlone()
        .filter(
            parent ->
                found
                    .flatMap(OwnerView::details)
                    .flatMap(details -> details.field(parent.path()))
                    .equals(parent.former()));
  }

  private Optional<OwnerView> fresh(List<FieldChange> group) {
    return cluster.freshObject(
        group.getFirst().object(),
        group.stream()
            .flatMap(
                change ->
                    Stream.concat(
                        Stream.of(change.path()),
                        change.parentIfAlone().map(FieldChange::path).stream()))
            .collect(Collectors.toUnmodifiableSet()));
  }

  private static String version(OwnerView object) {
    return object.details().orElseThrow().resourceVersion();
  }
}
