package io.gpureclaimer.verification.scenario.harness;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;

/** A pod's HTTP port, reached through the API server, so that the test may be anywhere. */
record PodProxy(KubernetesClient client, String namespace, String pod, int port) {

  /** What it answers; nothing if it says that there is no such thing. */
  Optional<String> get(String path) {
    return Optional.ofNullable(
        client.raw(
            "/api/v1/namespaces/" + namespace + "/pods/" + pod + ":" + port + "/proxy" + path));
  }
}
