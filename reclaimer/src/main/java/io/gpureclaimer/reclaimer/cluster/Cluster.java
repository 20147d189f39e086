package io.gpureclaimer.reclaimer.cluster;

import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Cluster state, and the operations that change it. Nothing but the records of actions that are
 * over is deleted.
 *
 * <p>Every method throws {@link ClusterUnreachable} when the API server does not answer.
 */
public interface Cluster {

  /** What is there now, from memory: it costs no call. */
  ClusterView view();

  /** The pod as it was last seen, from memory; empty if it is not known. */
  Optional<PodView> lastKnown(PodRef pod);

  /** The pod as the API server has it this moment; empty if it is gone or was replaced. */
  Optional<PodView> fresh(PodRef pod);

  /** The namespace as the API server has it this moment; empty if it is gone. */
  Optional<NamespaceView> freshNamespace(String name);

  /**
   * Writes and removes annotations of a pod, if it still is the version that was read.
   *
   * @param changes by key; an empty value removes the annotation
   */
  ActionResult annotate(PodView pod, Map<String, Optional<String>> changes);

  /**
   * Asks for the pod's eviction, with its UID and resource version as preconditions.
   *
   * @param dryRun whether the API server only says what it would do
   */
  ActionResult evict(PodView pod, boolean dryRun);

  /**
   * Changes fields of one object in a single write, with its UID and a resource version as
   * preconditions. Succeeds only if the object then has the values that were written: a field that
   * the kind does not know is dropped by the API server without an error.
   *
   * @param changes of the same object, through the same subresource; never none
   * @param dryRun whether the API server only says what it would do
   */
  ActionResult change(List<FieldChange> changes, String resourceVersion, boolean dryRun);

  /**
   * An object as the API server has it now, with its details but without the autoscalers; empty if
   * it is gone or was replaced.
   *
   * @param paths JSON pointers of the fields to read
   * @throws ClusterUnreachable.ObjectUnreadable if the API server answers, but not with the object
   */
  Optional<OwnerView> freshObject(ObjectRef object, Set<String> paths);

  /**
   * Creates the record of an action that has not begun. A record of the same name whose action was
   * not made is used again.
   */
  RecordResult create(Reclamation record);

  /** Replaces the status of a record, if it still is the version that is given. */
  RecordResult update(Reclamation record);

  /** Deletes a record, if it still is the version that is given. */
  ActionResult delete(Reclamation record);

  /** Writes an Event on an object and says whether it was stored. */
  boolean recordEvent(ObjectRef object, Notice notice);

  /** Writes an Event on a pod and says whether it was stored. */
  default boolean recordEvent(PodRef pod, Notice notice) {
    return recordEvent(ObjectRef.of(pod), notice);
  }

  /** Result of writing the record of an action. */
  sealed interface RecordResult {

    /**
     * It is stored.
     *
     * @param record as it is stored, with its UID and resource version
     */
    record Stored(Reclamation record) implements RecordResult {}

    /** It is not stored, or only in part; nothing may be done on the strength of it. */
    record NotStored(ActionResult why) implements RecordResult {}
  }
}
