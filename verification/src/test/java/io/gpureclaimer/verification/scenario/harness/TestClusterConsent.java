package io.gpureclaimer.verification.scenario.harness;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import java.util.Optional;

/**
 * Whether a cluster was given to tests. They offer made-up GPUs on it, install the product and
 * evict pods, so they never use the cluster of a user's current context.
 */
final class TestClusterConsent {
  private static final String LABEL = "gpu-reclaimer.io/test-cluster";

  private TestClusterConsent() {}

  static void require(KubernetesClient client) {
    Namespace namespace = client.namespaces().withName("default").require();
    Map<String, String> labels =
        Optional.ofNullable(namespace.getMetadata().getLabels()).orElse(Map.of());
    if (!"yes".equals(labels.get(LABEL))) {
      throw new IllegalStateException(
          "%s was not given to tests; to do so: kubectl label namespace default %s=yes"
              .formatted(client.getMasterUrl(), LABEL));
    }
  }
}
