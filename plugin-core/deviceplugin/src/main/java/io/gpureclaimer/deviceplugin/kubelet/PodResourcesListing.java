package io.gpureclaimer.deviceplugin.kubelet;

import java.util.List;

/** Result of a pod-resources query. */
public sealed interface PodResourcesListing {

  /**
   * The kubelet answered.
   *
   * @param devices everything of device plugins that is held, each once, in no particular order; a
   *     device that is not here is free
   * @param claims everything of dynamic resource allocation that is held, likewise
   */
  record Listed(List<ContainerDevice> devices, List<ClaimDevice> claims)
      implements PodResourcesListing {
    public Listed {
      devices = List.copyOf(devices);
      claims = List.copyOf(claims);
    }

    /** Nothing is held by claims. */
    public Listed(List<ContainerDevice> devices) {
      this(devices, List.of());
    }
  }

  /** This kubelet does not offer the question: it is older than 1.20. */
  record Unsupported() implements PodResourcesListing {}

  /**
   * Nothing was learned; the next attempt may succeed.
   *
   * @param code gRPC's status code in lower case, such as {@code unavailable}; or {@code malformed}
   *     for an answer that breaks the protocol's own rules
   * @param reason one line for a human
   */
  record Failed(String code, String reason) implements PodResourcesListing {}
}
