package io.gpureclaimer.deviceplugin.nodeevents;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened on the node.
 *
 * @param reason in one word, as programs search for it
 * @param warning whether a user has to act
 * @param message for people
 * @param incident distinguishes a repeated incident from a repeated report: two events that are
 *     equal in it, and else, are one
 * @param at when it happened
 * @param device the UUID of the device whose holders it is for; null if it is for the Node
 */
public record NodeEvent(
    String reason,
    boolean warning,
    String message,
    String incident,
    Instant at,
    @Nullable String device) {

  /** For the Node. */
  public NodeEvent(String reason, boolean warning, String message, String incident, Instant at) {
    this(reason, warning, message, incident, at, null);
  }
}
