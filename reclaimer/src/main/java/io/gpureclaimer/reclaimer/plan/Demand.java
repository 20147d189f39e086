package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import java.time.Instant;

/**
 * A pod that waits for GPUs and for nothing else.
 *
 * @param pod who waits
 * @param gpus how many it needs, all on one node
 * @param priority its priority
 * @param since when the scheduler first found no node for it
 * @param placement where it may run
 */
public record Demand(PodRef pod, int gpus, int priority, Instant since, Placement placement) {}
