package io.gpureclaimer.reclaimer.action;

import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * One way to free all GPUs of an idle workload. Each action is a folder below this package and is
 * registered in {@link Actions}; it holds no state.
 */
public sealed interface Action {

  /** Eviction of a pod; a class of another package can implement a sealed type only like this. */
  non-sealed interface Evict extends Action {}

  /** Stable name in annotations, action ids, metrics and records. */
  String name();

  /** What the workload has been after the action, for messages: {@code evicted}. */
  String participle();

  /** Whether this action can free the GPUs of the workload now. A pure function. */
  ActionCheck check(Workload workload);

  /**
   * Acts, with the UID and the resource version of what was judged as preconditions of the write.
   *
   * @param workload as it was judged right before
   * @param dryRun whether the API server only says what it would do
   */
  ActionResult act(Cluster cluster, Workload workload, boolean dryRun);

  /** How the workload gets its GPUs back after this action. */
  Restoration restore(Workload workload);

  /** Answer to the question whether an action can free the GPUs of a workload. */
  sealed interface ActionCheck {

    /** It can. */
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

  /** Way back from an action. */
  sealed interface Restoration {

    /**
     * Only a person can restore the workload.
     *
     * @param instruction what to do, as a sentence with the final stop
     */
    record Manual(String instruction) implements Restoration {}
  }

  /**
   * Identifier of one action on one idle period of a workload. The warning, the action, the Events
   * and the records of both carry the same one, whichever replica writes them.
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
