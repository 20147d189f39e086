package io.gpureclaimer.reclaimer.cluster;

import java.time.Duration;
import java.util.Optional;

/**
 * Result of one step on a workload: response of the API server, or the reason for no request. The
 * same value goes from the API call to the audit record.
 */
public sealed interface ActionResult {

  /** The API server accepted the write. */
  record Done() implements ActionResult {}

  /** A dry run: the API server would accept, and nothing was written. */
  record DryRun() implements ActionResult {}

  /**
   * Nothing was written, because the object is gone or changed, or because a check right before the
   * write disagreed.
   */
  record Skipped(String why) implements ActionResult {}

  /**
   * The API server refuses for now, for example because a disruption budget has no room.
   *
   * @param retryAfter the delay that the server asks for; empty if it asks for none
   */
  record Blocked(Optional<Duration> retryAfter, String why) implements ActionResult {}

  /** Nothing was written yet: the checkpoint of the workload is not there. */
  record Awaiting(String why) implements ActionResult {}

  /** The write was refused for another reason; nothing has changed. */
  record Failed(String why) implements ActionResult {}

  /** This replica does not lead, so it must not write. */
  record NotLeading() implements ActionResult {}

  /** The pod to write to no longer exists. */
  static ActionResult podGone() {
    return new Skipped("the pod is gone");
  }

  /** The pod to write to is not the version that was judged. */
  static ActionResult podChanged() {
    return new Skipped("the pod changed in the last moment");
  }

  /** The same, with the words of the API server. */
  static ActionResult podChanged(String message) {
    return new Skipped("the pod changed in the last moment: " + message);
  }

  /** The object to write to no longer exists. */
  static ActionResult gone(ObjectRef object) {
    return new Skipped(object + " is gone");
  }

  /** The object to write to is not the version that was judged. */
  static ActionResult changed(ObjectRef object, String message) {
    return new Skipped(object + " changed in the last moment: " + message);
  }

  /** The API server refused. */
  static ActionResult refused(int status, String message) {
    return new Failed("the API server answered " + status + ": " + message);
  }

  /** Stable name in metrics, logs and records. */
  default String code() {
    return switch (this) {
      case Done _ -> "done";
      case DryRun _ -> "rehearsed";
      case Skipped _ -> "spared";
      case Blocked _ -> "postponed";
      case Awaiting _ -> "awaiting";
      case Failed _ -> "failed";
      case NotLeading _ -> "not-leading";
    };
  }
}
