package io.gpureclaimer.common.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.http.Dispatcher;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A token that is replaced in its file is taken up, without a restart. */
@Isolated("sets system properties")
class TokenRotationTest {
  private static final String NAMESPACE =
      "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"ml\"}}";

  private final AtomicReference<String> valid = new AtomicReference<>("one");
  private final Map<String, Optional<String>> properties = new HashMap<>();

  @TempDir Path folder;

  @AfterEach
  void restoreTheProperties() {
    properties.forEach(
        (name, value) ->
            value.ifPresentOrElse(
                text -> System.setProperty(name, text), () -> System.clearProperty(name)));
  }

  @Test
  void ofAServiceAccount() throws IOException {
    KubernetesMockServer server = server(true);
    Path token = Files.writeString(folder.resolve("token"), "one");
    set("KUBERNETES_SERVICE_HOST", server.getHostName());
    set("KUBERNETES_SERVICE_PORT", Integer.toString(server.getPort()));
    set("kubernetes.auth.serviceAccount.token", token.toString());
    set("kubernetes.auth.tryKubeConfig", "false");
    set("kubernetes.trust.certificates", "true");
    var connection = new KubernetesConnection(Map.of("KUBERNETES_SERVICE_HOST", "here"), token);
    try (KubernetesClient client =
        connection.open("test", options(Optional.empty()), RegisteredKinds.ALL)) {
      followsTheFile(client, token, "two");
    } finally {
      server.destroy();
    }
  }

  @Test
  void ofAKubeconfig() throws IOException {
    KubernetesMockServer server = server(false);
    Path kubeconfig = Files.writeString(folder.resolve("config"), kubeconfig(server, "token: one"));
    var connection = new KubernetesConnection(Map.of(), folder.resolve("none"));
    try (KubernetesClient client =
        connection.open("test", options(Optional.of(kubeconfig)), RegisteredKinds.ALL)) {
      followsTheFile(client, kubeconfig, kubeconfig(server, "token: two"));
    } finally {
      server.destroy();
    }
  }

  private void followsTheFile(KubernetesClient client, Path file, String changed)
      throws IOException {
    assertThat(client.namespaces().withName("ml").get()).isNotNull();

    valid.set("two");
    Files.writeString(file, changed);

    assertThat(client.namespaces().withName("ml").get()).isNotNull();
  }

  private KubernetesMockServer server(boolean tls) {
    var server =
        new KubernetesMockServer(
            new Context(),
            new MockWebServer(),
            new HashMap<>(),
            new Dispatcher() {
              @Override
              public MockResponse dispatch(RecordedRequest request) {
                boolean known =
                    ("Bearer " + valid.get()).equals(request.getHeader("Authorization"));
                return known
                    ? new MockResponse().setResponseCode(200).setBody(NAMESPACE)
                    : new MockResponse().setResponseCode(401).setBody("{}");
              }
            },
            tls);
    server.start();
    return server;
  }

  private static String kubeconfig(KubernetesMockServer server, String user) {
    return """
    apiVersion: v1
    kind: Config
    clusters: [{name: here, cluster: {server: "%s"}}]
    contexts: [{name: here, context: {cluster: here, user: me}}]
    users: [{name: me, user: {%s}}]
    current-context: here
    """
        .replaceFirst("%s", server.url("/"))
        .replaceFirst("%s", user);
  }

  private static ConnectionOptions options(Optional<Path> kubeconfig) {
    Duration limit = Duration.ofSeconds(20);
    return new ConnectionOptions(kubeconfig, Optional.empty(), limit, limit, limit);
  }

  private void set(String name, String value) {
    properties.put(name, Optional.ofNullable(System.getProperty(name)));
    System.setProperty(name, value);
  }
}
