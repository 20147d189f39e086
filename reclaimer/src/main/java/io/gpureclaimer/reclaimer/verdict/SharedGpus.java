package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** GPUs and MIG instances that several pods hold at the same time in one observation. */
final class SharedGpus {
  private final Map<String, PodActivity> pods;
  private final Map<Entity, Integer> holders = new HashMap<>();
  private final Map<GpuUuid, Integer> holdersOfInstances = new HashMap<>();

  private SharedGpus(Map<String, PodActivity> pods) {
    this.pods = pods;
    pods.values().forEach(pod -> pod.entities().forEach(this::count));
  }

  static SharedGpus in(Observation observation) {
    return switch (observation) {
      case Blind _ -> new SharedGpus(Map.of());
      case Seen seen -> new SharedGpus(seen.pods());
    };
  }

  /** The first GPU of the pod of which another pod holds the same, the whole or a part. */
  Optional<GpuUuid> sharedGpuOf(PodView pod) {
    return Optional.ofNullable(pods.get(pod.ref().uid())).stream()
        .flatMap(activity -> activity.entities().stream())
        .filter(this::isShared)
        .map(Entity::gpu)
        .findFirst();
  }

  private void count(Entity device) {
    holders.merge(device, 1, Integer::sum);
    if (device.instanceId().isPresent()) {
      holdersOfInstances.merge(device.gpu(), 1, Integer::sum);
    }
  }

  private boolean isShared(Entity device) {
    boolean sameTwice = holders.getOrDefault(device, 0) > 1;
    return sameTwice
        || (device.instanceId().isPresent()
            ? holders.containsKey(Entity.whole(device.gpu()))
            : holdersOfInstances.containsKey(device.gpu()));
  }
}
