package io.gpureclaimer.reclaimer.action;

import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * One way to free all GPUs of an idle workload. Each action is a folder below this package and is
 * registered in {@link Actions}; it holds no state.
 */
public sealed interface Action {

  /** Eviction of a pod, which nothing undoes. */
  non-sealed interface Evict extends Action {

    /**
     * Evicts, with the UID and the resource version of what was judged as preconditions.
     *
     * @param workload as it was judged right before
     * @param dryRun whether the API server only says what it would do
     */
    ActionResult evict(Cluster cluster, Workload workload, boolean dryRun);

    /** What a person does to get the workload back, as a sentence with the final stop. */
    String wayBack(Workload workload);
  }

  /**
   * Change of fields of an owner, after which its controller removes the pods. The former values
   * are recorded before, and restored later.
   */
  non-sealed interface ChangeOwner extends Action {

    /** The owner to change. */
    OwnerView target(Workload workload);

    /**
     * The fields to change, in the order of writing. What fights the change, such as an autoscaler,
     * is paused first.
     *
     * @param now our clock, which some kinds keep as the time at which they were stopped
     */
    List<FieldChange> changes(Workload workload, Instant now);

    /** What a stop loses and what a restore brings back, as sentences with the final stop. */
    String effect(Workload workload);

    /** The fields of the owner that this action reads or writes, as JSON pointers. */
    Set<String> fields(Workload workload);
  }

  /** Stable name in annotations, action ids, metrics and records. */
  String name();

  /** What the workload has been after the action, for messages: {@code evicted}. */
  String participle();

  /** Whether this action can free the GPUs of the workload now. A pure function. */
  ActionCheck check(Workload workload);

  /** Result of checking whether an action can free the GPUs of a workload. */
  sealed interface ActionCheck {

    /** The action is possible. */
    record Possible(Action action) implements ActionCheck {}

    /**
     * It cannot, or must not.
     *
     * @param code stable name of the reason, for metrics and JSON
     * @param obstacle what stands against it, in a few words
     * @param reason the same as a whole sentence, without the final stop
     */
    record Refused(String code, String obstacle, String reason) implements ActionCheck {}
  }

  /**
   * Identifier of one action on one idle period of a workload. The warning, the action, its record,
   * the Events and the decision records carry the same one, whichever replica writes them.
   */
  record ActionId(String value) {

    /**
     * The identifier of an action.
     *
     * @param idleSince the idle period as the warning names it
     */
    public static ActionId of(Workload workload, String idleSince, Action action) {
      String text = workload.uid() + " " + idleSince + " " + action.name();
      return new ActionId(UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString());
    }

    @Override
    public String toString() {
      return value;
    }
  }
}
