package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.evidence.Evidence;

/**
 * What one look says about one pod of a workload.
 *
 * @param pod which one
 * @param evidence what it says
 */
public record PodEvidence(PodRef pod, Evidence evidence) {}
