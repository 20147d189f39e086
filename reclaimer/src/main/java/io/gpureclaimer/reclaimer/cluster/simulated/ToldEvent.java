package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import java.time.Instant;

/** An Event that was stored. */
public record ToldEvent(Instant at, PodRef pod, Notice notice) {}
