package io.gpureclaimer.exporter.attribution;

import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing.Listed;
import io.gpureclaimer.exporter.attribution.ResourceClaims.ClaimName;
import io.gpureclaimer.exporter.attribution.ResourceClaims.ClaimUse;
import io.gpureclaimer.exporter.attribution.ResourceSliceDevices.PublishedDevice;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Claims that pods use, as reported by the kubelet. */
final class ClaimUsage {
  private final Map<ClaimName, Set<PublishedDevice>> devices = new HashMap<>();
  private final Map<ClaimName, Set<String>> uids = new HashMap<>();

  private ClaimUsage() {}

  /** Pods that have ended use none. */
  static Map<ClaimName, ClaimUse> of(Listed answer, NodePods.KnownPods pods) {
    var uses = new ClaimUsage();
    for (var held : answer.claims()) {
      var pod = new NamespacedPodName(held.namespace(), held.pod());
      if (!pods.ended().contains(pod)) {
        uses.add(
            new ClaimName(held.claimNamespace(), held.claim()),
            new PublishedDevice(held.pool(), held.device()),
            pods.running().get(pod));
      }
    }
    return uses.all();
  }

  private void add(ClaimName claim, PublishedDevice device, NodePods.@Nullable RunningPod pod) {
    devices.computeIfAbsent(claim, absent -> new HashSet<>()).add(device);
    var known = uids.computeIfAbsent(claim, absent -> new HashSet<>());
    if (pod != null) {
      known.add(pod.uid());
    }
  }

  private Map<ClaimName, ClaimUse> all() {
    var all = new HashMap<ClaimName, ClaimUse>();
    devices.forEach(
        (claim, those) -> all.put(claim, new ClaimUse(those, uids.getOrDefault(claim, Set.of()))));
    return all;
  }
}
