package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.Eviction;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.gpureclaimer.reclaimer.cluster.PodView;
import java.util.List;

/** The body that asks for the eviction of one version of one pod. */
final class EvictionRequest {
  private EvictionRequest() {}

  static Eviction of(PodView pod, boolean rehearse, String version) {
    return new EvictionBuilder()
        .withApiVersion(version)
        .withNewMetadata()
        .withNamespace(pod.ref().namespace())
        .withName(pod.ref().name())
        .endMetadata()
        .withDeleteOptions(
            new DeleteOptionsBuilder()
                .withDryRun(rehearse ? List.of("All") : List.of())
                .withNewPreconditions()
                .withUid(pod.ref().uid())
                .withResourceVersion(pod.resourceVersion())
                .endPreconditions()
                .build())
        .build();
  }
}
