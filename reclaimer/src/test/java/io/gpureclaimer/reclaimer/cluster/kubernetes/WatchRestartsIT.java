package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.gpureclaimer.common.kubernetes.HeartbeatClientFactory;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KubernetesCluster.WatchTerms;
import io.gpureclaimer.reclaimer.cluster.kubernetes.RestartingApiServer.Call;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the API server is asked for after watches ended, expired or broke. */
class WatchRestartsIT {
  private static final Duration FIRST_RETRY = Duration.ofMillis(20);
  private static final List<String> KINDS = List.of("pods", "nodes", "namespaces");
  private static final int PODS = 1_001;
  private static final String GONE = "train-7";
  private static final String LATE = "late";

  private final RestartingApiServer server = filledServer();
  private final KubernetesClient client =
      new KubernetesClientBuilder()
          .withHttpClientFactory(new HeartbeatClientFactory(Duration.ofSeconds(10)))
          .withConfig(
              new ConfigBuilder(Config.empty())
                  .withMasterUrl(server.address().toString())
                  .withRequestRetryBackoffLimit(0)
                  .withWatchReconnectInterval(Math.toIntExact(FIRST_RETRY.toMillis()))
                  .build())
          .build();
  private final KubernetesCluster cluster =
      KubernetesCluster.start(
          client, WatchTerms.usual(Duration.ofMinutes(2)), InstantSource.system(), () -> 0);

  private static RestartingApiServer filledServer() {
    var server = new RestartingApiServer();
    server.put("namespaces", "ml");
    server.put("nodes", "node-1");
    IntStream.range(0, PODS).forEach(i -> server.put("pods", "train-" + i));
    return server;
  }

  @BeforeEach
  void awaitTheFirstList() {
    await().ignoreException(ClusterUnreachable.class).until(() -> pods().size() == PODS);
    awaitWatches(1);
    server.forgetCalls();
  }

  @AfterEach
  void tearDown() {
    cluster.close();
    client.close();
    server.close();
  }

  @Test
  void goesOnFromTheLastBookmark_whenTheServerEndsAWatch() {
    long bookmark = server.bookmark("pods");
    server.endWatches("pods");
    server.put("pods", LATE);

    await().until(() -> pods().contains(LATE));
    assertThat(calls()).containsExactly("WATCH pods " + bookmark);
  }

  @Test
  void listsOnlyTheExpiredKindAgain_onceAndInPages() {
    long bookmark = server.bookmark("pods");
    server.refuse("WATCH", 503);
    server.endWatches("pods");
    server.put("pods", LATE);
    server.forgetEvents();
    server.relent();

    await().until(() -> pods().contains(LATE) && server.count("WATCH pods") > 1);
    assertThat(calls())
        .containsSubsequence(
            "WATCH pods " + bookmark, "LIST pods", "LIST pods 500", "LIST pods 1000")
        .filteredOn(call -> !call.equals("WATCH pods " + bookmark))
        .hasSize(4);
  }

  @Test
  void knowsWhatItKnew_untilTheNewListIsComplete() {
    server.bookmark("pods");
    server.refuse("WATCH", 503);
    server.endWatches("pods");
    server.delete("pods", GONE);
    server.forgetEvents();
    server.relent();
    server.refuse("LIST pods 500", 429);

    await().until(() -> server.count("LIST pods 500") > 2);
    assertThat(pods()).hasSize(PODS).contains(GONE);
    assertThatWaitsDouble("LIST pods 500");

    server.relent();
    await().until(() -> !pods().contains(GONE));
    assertThat(pods()).hasSize(PODS - 1);
  }

  @Test
  void listsNothing_whenTheServerRestartsAndStillHasItsEvents() {
    List<String> resumed =
        KINDS.stream().map(kind -> "WATCH " + kind + " " + server.bookmark(kind)).toList();
    restart();

    await().until(() -> pods().contains(LATE));
    awaitWatches(1);
    assertThat(calls()).containsExactlyInAnyOrderElementsOf(resumed);
  }

  @Test
  void listsEachKindOnce_whenTheServerRestartsWithoutItsEvents() {
    KINDS.forEach(server::bookmark);
    server.forgetEvents();
    restart();

    await().until(() -> pods().contains(LATE));
    awaitWatches(2);
    assertThat(calls())
        .filteredOn(call -> call.startsWith("LIST"))
        .containsExactlyInAnyOrder(
            "LIST pods", "LIST pods 500", "LIST pods 1000", "LIST nodes", "LIST namespaces");
  }

  /** As while its caches are filled. */
  @ParameterizedTest
  @ValueSource(ints = {429, 503})
  void listsNothing_whileTheRestartedServerRefusesWatches(int code) {
    KINDS.forEach(server::bookmark);
    server.refuse("WATCH", code);
    restart();

    awaitWatches(3);
    assertThatWaitsDouble("WATCH pods");
    server.relent();
    await().until(() -> pods().contains(LATE));
    assertThat(calls()).allMatch(call -> call.startsWith("WATCH"));
  }

  private void restart() {
    server.stop();
    server.put("pods", LATE);
    await()
        .during(FIRST_RETRY.multipliedBy(10))
        .untilAsserted(() -> assertThat(pods()).hasSize(PODS));
    server.restart();
  }

  /** That many requests of each kind. */
  private void awaitWatches(int requests) {
    await().until(() -> KINDS.stream().allMatch(kind -> server.count("WATCH " + kind) >= requests));
  }

  private List<String> pods() {
    return cluster.view().pods().stream().map(pod -> pod.ref().name()).toList();
  }

  private List<String> calls() {
    return server.calls().stream().map(Call::text).toList();
  }

  /** Slow machines wait longer. */
  private void assertThatWaitsDouble(String beginning) {
    List<Duration> at =
        server.calls().stream()
            .filter(call -> call.text().startsWith(beginning))
            .map(Call::at)
            .toList();
    for (int i = 1; i < at.size(); i++) {
      assertThat(at.get(i).minus(at.get(i - 1)))
          .isGreaterThanOrEqualTo(FIRST_RETRY.multipliedBy(1L << Math.min(i, 5)));
    }
  }
}
