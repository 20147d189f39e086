package io.gpureclaimer.common.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubernetesConnectionTest {
  private static final String KUBECONFIG =
      """
      apiVersion: v1
      kind: Config
      current-context: blue
      clusters:
      - {name: blue, cluster: {server: 'https://blue:6443'}}
      - {name: green, cluster: {server: 'https://green:6443'}}
      users:
      - {name: me, user: {token: t}}
      contexts:
      - {name: blue, context: {cluster: blue, user: me}}
      - {name: green, context: {cluster: green, user: me}}
      """;

  @TempDir private Path home;
  private Path kubeconfig;

  @BeforeEach
  void writeKubeconfig() throws IOException {
    kubeconfig = home.resolve("clusters.yaml");
    Files.writeString(kubeconfig, KUBECONFIG);
  }

  @Test
  void readsTheFileThatIsNamed() {
    try (KubernetesClient client =
        nowhere().open("test", options(kubeconfig, null), RegisteredKinds.ALL)) {
      assertThat(client.getMasterUrl()).hasToString("https://blue:6443/");
    }
  }

  @Test
  void takesTheContextThatIsNamed() {
    try (KubernetesClient client =
        nowhere().open("test", options(kubeconfig, "green"), RegisteredKinds.ALL)) {
      assertThat(client.getMasterUrl()).hasToString("https://green:6443/");
    }
  }

  @Test
  void makesEveryCallOnce_withinTheLimits() {
    try (KubernetesClient client =
        nowhere().open("test", options(kubeconfig, null), RegisteredKinds.ALL)) {
      assertThat(client.getConfiguration().getRequestRetryBackoffLimit()).isZero();
      assertThat(client.getConfiguration().getConnectionTimeout()).isEqualTo(1_000);
      assertThat(client.getConfiguration().getRequestTimeout()).isEqualTo(2_000);
    }
  }

  @Test
  void refuses_whenTheContextIsMissing() {
    refuses(
        nowhere(),
        options(kubeconfig, "red"),
        "context red is not in " + kubeconfig + ", which has [blue, green]");
  }

  @Test
  void refuses_whenNoContextIsCurrent() throws IOException {
    Files.writeString(kubeconfig, KUBECONFIG.replace("current-context: blue\n", ""));

    refuses(
        nowhere(),
        options(kubeconfig, null),
        kubeconfig + " has no current context; name one of [blue, green]");
  }

  @Test
  void refuses_whenTheContextNamesNoServer() throws IOException {
    Files.writeString(kubeconfig, KUBECONFIG.replace("cluster: green", "cluster: gone"));

    refuses(
        nowhere(),
        options(kubeconfig, "green"),
        "context green of " + kubeconfig + " names no server");
  }

  @Test
  void refuses_whenTheFileIsMissing() {
    Path missing = home.resolve("missing");

    refuses(
        nowhere(),
        options(missing, null),
        "kubeconfig " + missing + " does not exist or is not readable");
  }

  @Test
  void refuses_whenTheFileIsNoKubeconfig() throws IOException {
    Files.writeString(kubeconfig, "- nonsense");

    refuses(nowhere(), options(kubeconfig, null), kubeconfig + " is not a kubeconfig");
  }

  @Test
  void refuses_whenTheEnvironmentNamesMissingFiles() {
    refuses(
        connection(Map.of("KUBECONFIG", "/missing/a:/missing/b")),
        options(null, null),
        "$KUBECONFIG names no existing file: /missing/a:/missing/b");
  }

  @Test
  void refuses_whenNothingIsFound() {
    refuses(
        nowhere(),
        options(null, null),
        "no Kubernetes cluster found: no kubeconfig was named, $KUBECONFIG and ~/.kube/config do"
            + " not exist, and this is not a pod with a service account");
  }

  @Test
  void refuses_whenThePodHasNoServiceAccount() {
    refuses(
        connection(Map.of("HOME", home.toString(), "KUBERNETES_SERVICE_HOST", "10.0.0.1")),
        options(null, null),
        "no Kubernetes cluster found: no kubeconfig was named, $KUBECONFIG and ~/.kube/config do"
            + " not exist, and this is not a pod with a service account");
  }

  @Test
  void refuses_whenAContextIsNamedButNoKubeconfigExists() {
    refuses(
        nowhere(),
        options(null, "green"),
        "context green was asked for, but there is no kubeconfig");
  }

  @Test
  void refusesATokenThatNoHeaderMayHave_withoutShowingIt() throws IOException {
    Files.writeString(kubeconfig, KUBECONFIG.replace("token: t", "token: \"secret\\n\""));

    refuses(
        nowhere(),
        options(kubeconfig, null),
        "the token for the API server has white space or another character that no header may"
            + " have; perhaps its file ends with a new line");
  }

  @Test
  void readsAllKinds_orOnlyThoseThatAreRegistered() {
    try (var all = nowhere().open("test", options(kubeconfig, null), RegisteredKinds.ALL);
        var registered =
            nowhere().open("test", options(kubeconfig, null), RegisteredKinds.REGISTERED)) {
      assertThat(kind(all, "apps/v1", "Deployment")).isEqualTo(Deployment.class);
      assertThat(kind(registered, "apps/v1", "Deployment")).isNull();
      assertThat(kind(registered, "v1", "Status")).isEqualTo(Status.class);
    }
  }

  private static @Nullable Class<?> kind(KubernetesClient client, String version, String kind) {
    return client.getKubernetesSerialization().getRegisteredKubernetesResource(version, kind);
  }

  private static void refuses(
      KubernetesConnection connection, ConnectionOptions options, String message) {
    assertThatExceptionOfType(ClusterNotConfigured.class)
        .isThrownBy(() -> connection.open("test", options, RegisteredKinds.ALL).close())
        .withMessage(message);
  }

  private KubernetesConnection nowhere() {
    return connection(Map.of("HOME", home.toString()));
  }

  private KubernetesConnection connection(Map<String, String> environment) {
    return new KubernetesConnection(environment, home.resolve("token"));
  }

  private static ConnectionOptions options(@Nullable Path kubeconfig, @Nullable String context) {
    return new ConnectionOptions(
        Optional.ofNullable(kubeconfig),
        Optional.ofNullable(context),
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        Duration.ofSeconds(30));
  }
}
