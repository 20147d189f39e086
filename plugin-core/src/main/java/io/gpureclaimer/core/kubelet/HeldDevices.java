package io.gpureclaimer.core.kubelet;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import v1.Api.ContainerResources;
import v1.Api.ListPodResourcesResponse;
import v1.Api.PodResources;

/** Reads what a kubelet says. */
final class HeldDevices {
  private HeldDevices() {}

  /**
   * Each device once: the kubelet names one that is near to several NUMA nodes for each of them.
   *
   * @throws MalformedAnswer if it names no pod, container or device: then nothing of it is believed
   */
  static List<HeldDevice> of(ListPodResourcesResponse answer) throws MalformedAnswer {
    var held = new LinkedHashSet<HeldDevice>();
    try {
      for (var pod : answer.getPodResourcesList()) {
        for (var container : pod.getContainersList()) {
          add(pod, container, held);
        }
      }
    } catch (IllegalArgumentException e) {
      throw new MalformedAnswer("the answer is incomplete: " + e.getMessage());
    }
    return List.copyOf(held);
  }

  private static void add(
      PodResources pod, ContainerResources container, Collection<HeldDevice> into) {
    for (var devices : container.getDevicesList()) {
      for (String id : devices.getDeviceIdsList()) {
        into.add(
            new HeldDevice(
                pod.getNamespace(),
                pod.getName(),
                container.getName(),
                devices.getResourceName(),
                id));
      }
    }
  }
}
