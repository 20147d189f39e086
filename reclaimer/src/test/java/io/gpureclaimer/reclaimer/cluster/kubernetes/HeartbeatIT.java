package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import io.gpureclaimer.common.kubernetes.HeartbeatClientFactory;
import io.gpureclaimer.common.kubernetes.SilentProxy;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KubernetesCluster.WatchTerms;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeartbeatIT {
  private static final Duration INTERVAL = Duration.ofMillis(500);
  private static final Duration STALE_AFTER = Duration.ofMillis(300);

  private final FakeApiServer server = new FakeApiServer();

  @AfterEach
  void tearDown() {
    server.close();
  }

  @Test
  void noticesAServerThatFellSilent() throws IOException {
    try (SilentProxy proxy = new SilentProxy(server.address());
        KubernetesClient client = client(proxy.address());
        KubernetesCluster cluster = cluster(client)) {
      await().ignoreException(ClusterUnreachable.class).until(() -> cluster.view() != null);

      proxy.fallSilent();

      await()
          .untilAsserted(
              () ->
                  assertThatExceptionOfType(ClusterUnreachable.class)
                      .isThrownBy(cluster::view)
                      .withMessageContaining("broken for longer than"));
    }
  }

  @Test
  void leavesAQuietWatchAlone() {
    try (KubernetesClient client = client(server.address());
        KubernetesCluster cluster = cluster(client)) {
      await().ignoreException(ClusterUnreachable.class).until(() -> cluster.view() != null);
      long opened = watches();

      await()
          .during(INTERVAL.multipliedBy(4))
          .untilAsserted(() -> assertThat(watches()).isEqualTo(opened));
    }
  }

  private long watches() {
    return server.calls().stream().filter(call -> call.contains("watch=true")).count();
  }

  private static KubernetesClient client(URI address) {
    return new KubernetesClientBuilder()
        .withConfig(
            new ConfigBuilder(Config.empty())
                .withMasterUrl(address.toString())
                .withRequestRetryBackoffLimit(0)
                .build())
        .withHttpClientFactory(new HeartbeatClientFactory(INTERVAL))
        .build();
  }

  private static KubernetesCluster cluster(KubernetesClient client) {
    return KubernetesCluster.start(
        client, WatchTerms.usual(STALE_AFTER), InstantSource.system(), MonotonicClock.SYSTEM);
  }
}
