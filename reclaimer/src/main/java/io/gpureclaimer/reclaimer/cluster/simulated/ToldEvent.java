package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import java.time.Instant;

/**
 * An Event that was stored.
 *
 * @param at when
 * @param pod the pod it is about
 * @param notice what it says
 */
public record ToldEvent(Instant at, PodRef pod, Notice notice) {}
