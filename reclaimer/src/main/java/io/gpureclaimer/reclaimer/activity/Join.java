package io.gpureclaimer.reclaimer.activity;

import io.gpureclaimer.reclaimer.activity.Observation.Seen;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the pods of the cluster in what a source saw.
 *
 * <p>What was seen under a UID is that pod's. What was seen under a name is the pod's that has the
 * name now, from its start on: before, another may have had it. Whoever has not started, or does
 * not say when, is not recognized by name.
 */
final class Join {
  private Join() {}

  /** By UID; those that no holder was found for stay, as they may share a GPU with one. */
  static Map<String, PodActivity> of(Seen seen, Collection<Holder> holders) {
    Map<String, PodActivity> joined = new HashMap<>(seen.pods());
    Map<PodName, PodActivity> nameless = new HashMap<>(seen.unjoined().pods());
    for (Holder holder : holders) {
      seen.pod(holder.uid())
          .map(pod -> pod.of(holder))
          .or(() -> byName(seen, holder))
          .map(pod -> pod.with(signals(seen, holder)))
          .ifPresent(pod -> joined.put(holder.uid(), pod));
      if (joined.containsKey(holder.uid())) {
        nameless.remove(holder.name());
      }
    }
    nameless.forEach((name, pod) -> joined.putIfAbsent(name.toString(), pod));
    return joined;
  }

  private static Optional<PodActivity> byName(Seen seen, Holder holder) {
    return Optional.ofNullable(seen.unjoined().pods().get(holder.name()))
        .flatMap(pod -> holder.startedAt().map(start -> since(start, pod.of(holder))));
  }

  private static PodActivity since(Instant start, PodActivity pod) {
    return pod.holding(pod.devices().stream().map(device -> device.notBefore(start)).toList());
  }

  private static List<Signal> signals(Seen seen, Holder holder) {
    return seen.unjoined().signals().getOrDefault(holder.name(), List.of());
  }
}
