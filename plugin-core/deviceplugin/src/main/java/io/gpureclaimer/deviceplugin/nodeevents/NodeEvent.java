package io.gpureclaimer.deviceplugin.nodeevents;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened on the node.
 *
 * @param reason in one word, as programs search for it
 * @param warning whether somebody has to do something
 * @param message for people
 * @param incident tells what happens again from what is only told again: two events that are equal
 *     in it, and else, are one
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
