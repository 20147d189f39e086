package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A running pod with GPUs and the evidence about it. A pod that also holds accelerators that are
 * not counted is none.
 */
record CountedPod(PodView pod, Evidence evidence) {

  /** Those of one workload. */
  static List<CountedPod> of(Judgment judgment) {
    List<PodView> pods = judgment.verdict().workload().allPods();
    Map<String, PodView> byUid = HashMap.newHashMap(pods.size());
    pods.forEach(pod -> byUid.put(pod.ref().uid(), pod));
    return judgment.evidence().stream()
        .flatMap(each -> counted(byUid.get(each.pod().uid()), each.evidence()).stream())
        .toList();
  }

  private static Optional<CountedPod> counted(@Nullable PodView pod, Evidence evidence) {
    return Optional.ofNullable(pod)
        .filter(found -> found.accelerators().isCounted())
        .map(found -> new CountedPod(found, evidence));
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
