package io.gpureclaimer.deviceplugin.kubelet;

/**
 * Device allocated to a container by the kubelet.
 *
 * @param namespace the pod's namespace
 * @param pod the pod's name
 * @param container the container's name within the pod
 * @param resource under which the device is counted, such as {@code nvidia.com/gpu}
 * @param id what the device plugin calls the device
 */
public record ContainerDevice(
    String namespace, String pod, String container, String resource, String id) {
  public ContainerDevice {
    requireText("namespace", namespace);
    requireText("pod", pod);
    requireText("container", container);
    requireText("resource", resource);
    requireText("id", id);
  }

  private static void requireText(String what, String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(what + " of a held device must not be blank");
    }
  }
}
