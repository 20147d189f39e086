package io.gpureclaimer.reclaimer.act;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import java.time.Instant;

/**
 * What was judged right before an act, and how.
 *
 * @param pod as the API server had it
 * @param cluster what else it was judged by
 * @param observation of this pod alone
 * @param now our clock
 * @param verdict that came of it
 */
public record LookAgain(
    PodView pod, ClusterView cluster, Observation observation, Instant now, Verdict verdict) {}
