package io.gpureclaimer.common.kubernetes;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/** Kinds that a client reads as classes of their own. */
public enum RegisteredKinds {
  /** All that there are. The first event of a watch loads some 500 classes, 8 MiB of memory. */
  ALL(true),

  /**
   * Kinds that are registered with the client's serialization. A watch delivers objects of other
   * kinds as {@code GenericKubernetesResource}. A get of one object and a list need no
   * registration.
   */
  REGISTERED(false);

  private final boolean search;

  RegisteredKinds(boolean search) {
    this.search = search;
  }

  KubernetesSerialization serialization() {
    var serialization = new KubernetesSerialization(new ObjectMapper(), search);
    // A watch ends by one.
    serialization.registerKubernetesResource(Status.class);
    return serialization;
  }
}
