package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.workload.Workload;

/**
 * How many whole GPUs a workload holds. Of what it holds by resource claims, which do not say
 * whether a device is a whole GPU, those count that were observed as whole ones; what nobody has
 * observed is not counted, and what was observed beyond the claims is not either.
 */
final class WholeGpus {
  private WholeGpus() {}

  static int heldBy(Workload workload, Observation observation) {
    int requested = workload.gpusHeld();
    return workload.claimedHeld() == 0
        ? requested
        : requested
            + workload.pods().stream()
                .filter(PodView::holdsGpus)
                .mapToInt(pod -> claimedBy(pod, observation))
                .sum();
  }

  private static int claimedBy(PodView pod, Observation observation) {
    int claimed = pod.accelerators().claimedDevices();
    return claimed == 0 ? 0 : Math.clamp(observed(pod, observation) - pod.gpus(), 0, claimed);
  }

  private static int observed(PodView pod, Observation observation) {
    return switch (observation) {
      case Observation.Blind _ -> 0;
      case Observation.Seen seen ->
          seen.pod(pod.ref().uid()).stream()
              .flatMap(activity -> activity.devices().stream())
              .map(DeviceActivity::device)
              .distinct()
              .filter(device -> device.instanceId().isEmpty())
              .mapToInt(_ -> 1)
              .sum();
    };
  }
}
