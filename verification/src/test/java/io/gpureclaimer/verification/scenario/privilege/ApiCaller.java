package io.gpureclaimer.verification.scenario.privilege;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.net.URI;

/** Sends single requests to the API server as one user, and returns its answers. */
record ApiCaller(KubernetesClient client) implements AutoCloseable {
  private static final String MERGE_PATCH = "application/merge-patch+json";
  private static final String APPLY_PATCH = "application/apply-patch+yaml";
  private static final String JSON = "application/json";

  /** Answer of the API server. */
  record ApiAnswer(int code, String body) {}

  /** A service account with its own token. */
  static ApiCaller account(TestCluster cluster, String namespace, String account) {
    return new ApiCaller(client(Config.fromKubeconfig(cluster.kubeconfig(namespace, account))));
  }

  /** The account of a pod, as the pod itself has it. */
  static ApiCaller pod(TestCluster cluster, Pod pod) {
    return new ApiCaller(client(Config.fromKubeconfig(cluster.kubeconfig(pod))));
  }

  /** A person without groups, whose rights are those that the test binds. */
  static ApiCaller person(TestCluster cluster, String name) {
    return new ApiCaller(
        client(
            new ConfigBuilder(cluster.client().getConfiguration())
                .withImpersonateUsername(name)
                .build()));
  }

  /** The administrator, who has every right. */
  static ApiCaller administrator(TestCluster cluster) {
    return new ApiCaller(client(cluster.client().getConfiguration()));
  }

  private static KubernetesClient client(Config config) {
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  ApiAnswer get(String path) {
    return send(request(path));
  }

  ApiAnswer post(String path, String body) {
    return send(request(path).post(JSON, body));
  }

  ApiAnswer patch(String path, String merge) {
    return send(request(path).patch(MERGE_PATCH, merge));
  }

  /** Server-side apply, with force, whichever manager owns the fields. */
  ApiAnswer apply(String path, String object) {
    return send(request(path + "?fieldManager=scenario&force=true").patch(APPLY_PATCH, object));
  }

  ApiAnswer delete(String path) {
    return send(request(path).delete(JSON, "{}"));
  }

  private HttpRequest.Builder request(String path) {
    return client
        .getHttpClient()
        .newHttpRequestBuilder()
        .uri(URI.create(client.getMasterUrl().toString()).resolve(path));
  }

  private ApiAnswer send(HttpRequest.Builder request) {
    HttpResponse<String> response =
        client.getHttpClient().sendAsync(request.build(), String.class).join();
    return new ApiAnswer(response.code(), String.valueOf(response.body()));
  }

  @Override
  public void close() {
    client.close();
  }
}
