package io.gpureclaimer.deviceplugin.kubelet;

/**
 * Device allocated by a resource claim of the pod.
 *
 * @param namespace the pod's namespace
 * @param pod the pod's name
 * @param container the container's name within the pod
 * @param claim the claim's name
 * @param claimNamespace the claim's namespace
 * @param driver whose device it is, such as {@code gpu.nvidia.com}
 * @param pool the driver's pool that the device is in
 * @param device what the driver calls the device within the pool
 */
public record ClaimDevice(
    String namespace,
    String pod,
    String container,
    String claim,
    String claimNamespace,
    String driver,
    String pool,
    String device) {
  public ClaimDevice {
    requireText("namespace", namespace);
    requireText("pod", pod);
    requireText("container", container);
    requireText("claim", claim);
    requireText("claim namespace", claimNamespace);
    requireText("driver", driver);
    requireText("pool", pool);
    requireText("device", device);
  }

  private static void requireText(String what, String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(what + " of a claimed device must not be blank");
    }
  }
}
