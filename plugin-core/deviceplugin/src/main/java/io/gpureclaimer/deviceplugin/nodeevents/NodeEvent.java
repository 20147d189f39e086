package io.gpureclaimer.deviceplugin.nodeevents;

import java.time.Instant;

/**
 * Something that happened on the node.
 *
 * @param reason in one word, as programs search for it
 * @param warning whether somebody has to do something
 * @param message for people
 * @param incident tells what happens again from what is only told again: two events that are equal
 *     in it, and else, are one
 * @param at when it happened
 */
public record NodeEvent(
    String reason, boolean warning, String message, String incident, Instant at) {}
