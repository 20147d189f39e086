package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.gpureclaimer.common.kubernetes.ConnectionOptions;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import io.gpureclaimer.common.kubernetes.TlsEntry;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.common.trust.Authority;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KubernetesCluster.WatchTerms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The authority that vouches for the API server is replaced while we run. */
class AuthorityRotationIT {
  private static final Duration STALE_AFTER = Duration.ofMillis(300);
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path folder;
  private final FakeApiServer server = new FakeApiServer();
  private Authority before;
  private Authority after;
  private Path caFile;
  private TlsEntry entry;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    before = Authority.make(folder, "before");
    after = Authority.make(folder, "after");
    caFile = Files.writeString(folder.resolve("ca.crt"), before.pem());
    entry = new TlsEntry(server.address(), before.server());
    create("ml");
  }

  @AfterEach
  void stop() throws IOException {
    entry.close();
    server.close();
  }

  @Test
  void watchesAndCallsComeBack_onceTheFileNamesTheNewAuthority() throws IOException {
    try (KubernetesAccess access =
        KubernetesAccess.open(options(), InstantSource.system(), MonotonicClock.SYSTEM)) {
      Cluster cluster = access.watch(WatchTerms.usual(STALE_AFTER));
      awaitNamespaces(cluster, Set.of("ml"));

      entry.restartAs(after.server());
      await().atMost(PATIENCE).untilAsserted(() -> isCutOff(cluster));

      Files.writeString(caFile, after.pem());
      create("research");
      awaitNamespaces(cluster, Set.of("ml", "research"));
      assertThat(cluster.freshNamespace("research")).isPresent();
    }
  }

  @Test
  void theOldAuthorityIsNoLongerTrusted_onceTheFileNamesAnother() throws IOException {
    try (KubernetesAccess access =
        KubernetesAccess.open(options(), InstantSource.system(), MonotonicClock.SYSTEM)) {
      Cluster cluster = access.watch(WatchTerms.usual(STALE_AFTER));
      awaitNamespaces(cluster, Set.of("ml"));

      Files.writeString(caFile, after.pem());
      entry.restartAs(before.server());

      await().atMost(PATIENCE).untilAsserted(() -> isCutOff(cluster));
    }
  }

  @Test
  void noAuthorityIsTrusted_whileTheFileIsMissing() throws IOException {
    try (KubernetesAccess access =
        KubernetesAccess.open(options(), InstantSource.system(), MonotonicClock.SYSTEM)) {
      Cluster cluster = access.watch(WatchTerms.usual(STALE_AFTER));
      awaitNamespaces(cluster, Set.of("ml"));

      Files.delete(caFile);
      entry.restartAs(after.server());

      await().atMost(PATIENCE).untilAsserted(() -> isCutOff(cluster));
      Files.writeString(caFile, after.pem());
      awaitNamespaces(cluster, Set.of("ml"));
    }
  }

  private static void isCutOff(Cluster cluster) {
    assertThatExceptionOfType(ClusterUnreachable.class)
        .isThrownBy(cluster::view)
        .withMessageContaining("broken for longer than");
    assertThatExceptionOfType(ClusterUnreachable.class)
        .isThrownBy(() -> cluster.freshNamespace("ml"));
  }

  private static void awaitNamespaces(Cluster cluster, Set<String> names) {
    await()
        .atMost(PATIENCE)
        .ignoreException(ClusterUnreachable.class)
        .until(() -> cluster.view().namespaces().keySet().equals(names));
  }

  private void create(String namespace) {
    server
        .admin()
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
        .create();
  }

  private ConnectionOptions options() throws IOException {
    Path kubeconfig =
        Files.writeString(
            folder.resolve("config"),
            """
            apiVersion: v1
            kind: Config
            clusters:
            - {name: here, cluster: {server: "SERVER", certificate-authority: CA}}
            contexts: [{name: here, context: {cluster: here, user: me}}]
            users: [{name: me, user: {token: t}}]
            current-context: here
            """
                .replace("SERVER", entry.address().toString())
                .replace("CA", caFile.toString()));
    return new ConnectionOptions(
        Optional.of(kubeconfig), Optional.empty(), LIMIT, LIMIT, Duration.ofSeconds(10));
  }
}
