package io.gpureclaimer.reclaimer.action;

import io.gpureclaimer.reclaimer.workload.Workload;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Identifier of one action on one idle period of a workload. The warning, the action, the Events
 * and the records of both carry the same one, whichever replica writes them.
 */
public record ActionId(String value) {

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
