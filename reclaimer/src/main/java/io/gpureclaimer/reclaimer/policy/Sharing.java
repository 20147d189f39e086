package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.core.device.GpuUuid;
import io.gpureclaimer.reclaimer.activity.DeviceActivity;
import io.gpureclaimer.reclaimer.activity.Observation;
import io.gpureclaimer.reclaimer.activity.Observation.Blind;
import io.gpureclaimer.reclaimer.activity.Observation.Seen;
import io.gpureclaimer.reclaimer.activity.PodActivity;
import io.gpureclaimer.reclaimer.cluster.PodView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Which GPUs one look saw in the hands of several pods. */
final class Sharing {
  private final Map<String, PodActivity> pods;
  private final Set<GpuUuid> shared;

  private Sharing(Map<String, PodActivity> pods) {
    this.pods = pods;
    this.shared =
        pods.values().stream()
            .flatMap(pod -> gpusOf(pod).stream())
            .collect(Collectors.groupingBy(gpu -> gpu, Collectors.counting()))
            .entrySet()
            .stream()
            .filter(holders -> holders.getValue() > 1)
            .map(Map.Entry::getKey)
            .collect(Collectors.toUnmodifiableSet());
  }

  static Sharing in(Observation observation) {
    return switch (observation) {
      case Blind _ -> new Sharing(Map.of());
      case Seen seen -> new Sharing(seen.pods());
    };
  }

  /** The first GPU of the pod that another pod holds as well. */
  Optional<GpuUuid> sharedGpuOf(PodView pod) {
    return Optional.ofNullable(pods.get(pod.ref().uid())).stream()
        .flatMap(activity -> gpusOf(activity).stream())
        .filter(shared::contains)
        .findFirst();
  }

  private static List<GpuUuid> gpusOf(PodActivity pod) {
    return pod.devices().stream().map(DeviceActivity::device).distinct().toList();
  }
}
