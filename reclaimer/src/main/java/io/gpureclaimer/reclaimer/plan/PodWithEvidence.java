package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment.PodEvidence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A running pod with GPUs and the evidence about it. A pod that also holds accelerators that are
 * not counted is none, nor is one that shares its GPU: what the GPU does would count several times.
 */
record PodWithEvidence(PodView pod, Evidence evidence) {

  /** Those of one workload. */
  static List<PodWithEvidence> of(Judgment judgment) {
    if (judgment.evidence().isEmpty()) {
      return List.of();
    }
    List<PodView> pods = judgment.verdict().workload().allPods();
    // No map for the most frequent case, because every cycle asks all workloads.
    Map<String, PodView> byUid =
        pods.size() == 1
            ? Map.of(pods.getFirst().ref().uid(), pods.getFirst())
            : HashMap.newHashMap(pods.size());
    if (pods.size() > 1) {
      pods.forEach(pod -> byUid.put(pod.ref().uid(), pod));
    }
    List<PodWithEvidence> counted = new ArrayList<>(judgment.evidence().size());
    for (PodEvidence each : judgment.evidence()) {
      PodView pod = byUid.get(each.pod().uid());
      if (pod != null && pod.accelerators().isCounted() && !pod.accelerators().shares()) {
        counted.add(new PodWithEvidence(pod, each.evidence()));
      }
    }
    return counted;
  }

  String uid() {
    return pod.ref().uid();
  }

  int gpus() {
    return pod.accelerators().devices();
  }

  boolean isIdle() {
    return evidence instanceof Evidence.Idle;
  }
}
