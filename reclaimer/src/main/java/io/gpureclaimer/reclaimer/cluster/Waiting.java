package io.gpureclaimer.reclaimer.cluster;

import java.time.Instant;

/**
 * The scheduler found no node for a pod.
 *
 * @param since when it first said so
 * @param message its words, for example {@code 0/3 nodes are available: 3 Insufficient
 *     nvidia.com/gpu.}
 */
public record Waiting(Instant since, String message) {}
