package io.gpureclaimer.exporter.attribution;

import io.gpureclaimer.core.device.DeviceId;
import io.gpureclaimer.core.device.DeviceId.Named;
import io.gpureclaimer.core.device.DeviceId.Unmapped;
import io.gpureclaimer.core.device.DeviceName.ByUuid;
import io.gpureclaimer.core.device.Entity;
import io.gpureclaimer.core.kubelet.HeldDevice;
import io.gpureclaimer.exporter.sample.Holder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who holds which GPU, from what the kubelet said and which pods are known.
 *
 * @param holders by GPU
 * @param unmapped ids of held devices from which no GPU can be told; nothing is guessed about them
 */
record Join(Map<Entity, List<Holder>> holders, List<String> unmapped) {

  /** A pod that has ended holds nothing, whether the kubelet has noticed or not. */
  static Join of(List<HeldDevice> devices, PodUids.Known pods) {
    var holders = new LinkedHashMap<Entity, List<Holder>>();
    var unmapped = new ArrayList<String>();
    for (var device : devices) {
      var pod = new PodName(device.namespace(), device.pod());
      if (!pods.ended().contains(pod)) {
        var holder =
            new Holder(pod.namespace(), pod.name(), device.container(), pods.running().get(pod));
        switch (DeviceId.of(device.id())) {
          case Named(ByUuid(var gpu), _) -> add(Entity.whole(gpu), holder, holders);
          case Named _, Unmapped _ -> unmapped.add(device.id());
        }
      }
    }
    return new Join(holders, unmapped);
  }

  private static void add(Entity device, Holder holder, Map<Entity, List<Holder>> into) {
    into.computeIfAbsent(device, absent -> new ArrayList<>()).add(holder);
  }
}
