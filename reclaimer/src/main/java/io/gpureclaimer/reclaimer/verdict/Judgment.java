package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
import java.util.List;
import java.util.Optional;

/**
 * A verdict with everything that led to it.
 *
 * @param verdict on the workload
 * @param policy what holds for it; absent while its namespace has not been seen
 * @param evidence of every running pod with whole GPUs or MIG slices, in the order of the
 *     workload's pods
 */
public record Judgment(
    Verdict verdict, Optional<EffectivePolicy> policy, List<PodEvidence> evidence) {
  public Judgment {
    evidence = List.copyOf(evidence);
  }

  /** Evidence about one pod of a workload. */
  public record PodEvidence(PodRef pod, Evidence evidence) {}
}
