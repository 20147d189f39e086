package io.gpureclaimer.exporter.attribution;

import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing.Listed;
import io.gpureclaimer.exporter.attribution.ClaimRegister.ClaimName;
import io.gpureclaimer.exporter.attribution.ClaimRegister.InUse;
import io.gpureclaimer.exporter.attribution.DeviceRegister.PublishedDevice;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which claims pods use, by what the kubelet said. */
final class ClaimUsage {
  private final Map<ClaimName, Set<PublishedDevice>> devices = new HashMap<>();
  private final Map<ClaimName, Set<String>> uids = new HashMap<>();

  private ClaimUsage() {}

  /** Pods that have ended use none. */
  static Map<ClaimName, InUse> of(Listed answer, PodRegister.KnownPods pods) {
    var uses = new ClaimUsage();
    for (var held : answer.claims()) {
      var pod = new PodName(held.namespace(), held.pod());
      if (!pods.ended().contains(pod)) {
        uses.add(
            new ClaimName(held.claimNamespace(), held.claim()),
            new PublishedDevice(held.pool(), held.device()),
            pods.running().get(pod));
      }
    }
    return uses.all();
  }

  private void add(ClaimName claim, PublishedDevice device, PodRegister.@Nullable Entry pod) {
    devices.computeIfAbsent(claim, absent -> new HashSet<>()).add(device);
    var known = uids.computeIfAbsent(claim, absent -> new HashSet<>());
    if (pod != null) {
      known.add(pod.uid());
    }
  }

  private Map<ClaimName, InUse> all() {
    var all = new HashMap<ClaimName, InUse>();
    devices.forEach(
        (claim, those) -> all.put(claim, new InUse(those, uids.getOrDefault(claim, Set.of()))));
    return all;
  }
}
