package io.gpureclaimer.reclaimer.policy;

import java.time.Instant;

/**
 * A warning as it is written on a pod.
 *
 * @param warnedAt when it was given, by our clock
 * @param idleSince the idle period that it is about, by the node's clock
 */
public record Warning(Instant warnedAt, Instant idleSince) {}
