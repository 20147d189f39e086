package io.gpureclaimer.exporter.attribution.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.google.re2j.Pattern;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import io.gpureclaimer.common.kubernetes.RegisteredKinds;
import io.gpureclaimer.common.kubernetes.SilentProxy;
import io.gpureclaimer.exporter.attribution.NamespacedPodName;
import io.gpureclaimer.exporter.attribution.NodePods.KnownPods;
import io.gpureclaimer.exporter.attribution.NodePods.RunningPod;
import io.gpureclaimer.exporter.attribution.NodePods.WatchState;
import io.gpureclaimer.exporter.attribution.PodLabelRule;
import io.gpureclaimer.exporter.sample.Label;
import io.gpureclaimer.exporter.sample.ServedPodLabels;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

@Timeout(60)
class WatchedPodsIT {
  private static final String LIST =
      "/api/v1/pods?fieldSelector=spec.nodeName%3Dnode-a&resourceVersion=0";
  private static final String LIST_AGAIN = "/api/v1/pods?fieldSelector=spec.nodeName%3Dnode-a";
  private static final String WATCH_FROM_1 =
      "/api/v1/pods?allowWatchBookmarks=true&fieldSelector=spec.nodeName%3Dnode-a"
          + "&resourceVersion=1&timeoutSeconds=600&watch=true";
  private static final Duration STALE_AFTER = Duration.ofMinutes(2);

  private final AtomicLong nanos = new AtomicLong();
  private final FakeApiServer server = new FakeApiServer();
  private final KubernetesClient client =
      FakeApiServer.connect(server.address(), RegisteredKinds.REGISTERED);

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @Test
  void knowsTheUidsOfThePodsOfItsNode_andOfNoOther() {
    String first = create(pod("train-0", "node-a", "Running"));
    create(pod("train-1", "node-b", "Running"));
    try (var pods = watch()) {
      awaitKnown(pods, whole(Map.of(name("train-0"), first), Set.of()));
      String second = create(pod("train-2", "node-a", "Pending"));
      awaitKnown(pods, whole(Map.of(name("train-0"), first, name("train-2"), second), Set.of()));
    }
  }

  @Test
  void remembersLabelsAndContainers_whenTheyAreAskedFor() {
    var pod =
        new PodBuilder(pod("train-0", "node-a", "Running"))
            .editMetadata()
            .addToLabels("team", "nlp")
            .endMetadata()
            .editStatus()
            .addNewContainerStatus()
            .withName("main")
            .withContainerID("containerd://8a9b")
            .endContainerStatus()
            .addNewContainerStatus()
            .withName("not-started")
            .endContainerStatus()
            .addNewInitContainerStatus()
            .withName("sidecar")
            .withContainerID("containerd://77ee")
            .endInitContainerStatus()
            .endStatus()
            .build();
    String uid = create(pod);
    var view =
        new PodFieldSelection(
            Optional.of(new PodLabelRule(List.of(Pattern.compile("^team$")), 20)), true);
    try (var pods = WatchedPods.start(client, "node-a", view, STALE_AFTER, nanos::get)) {
      var entry =
          new RunningPod(
              uid,
              new ServedPodLabels(List.of(new Label("team", "nlp")), 0),
              Map.of("8a9b", "main", "77ee", "sidecar"));
      awaitKnown(
          pods, new KnownPods(new WatchState.Synced(), Map.of(name("train-0"), entry), Set.of()));
    }
  }

  @Test
  void remembersWhatTheKernelCallsAStaticPod() {
    String uid =
        create(
            new PodBuilder(pod("monitor-node-a", "node-a", "Running"))
                .editMetadata()
                .addToAnnotations("kubernetes.io/config.mirror", "0123456789abcdef")
                .endMetadata()
                .build());
    try (var pods = watch()) {
      var entry = new RunningPod(uid, ServedPodLabels.NONE, Map.of(), "0123456789abcdef");
      awaitKnown(
          pods,
          new KnownPods(new WatchState.Synced(), Map.of(name("monitor-node-a"), entry), Set.of()));
    }
  }

  @Test
  void forgetsAPodThatIsDeleted_andKnowsItsSuccessor() {
    String uid = create(pod("train-0", "node-a", "Running"));
    try (var pods = watch()) {
      awaitKnown(pods, whole(Map.of(name("train-0"), uid), Set.of()));
      delete("train-0");
      awaitKnown(pods, whole(Map.of(), Set.of()));
      String successor = create(pod("train-0", "node-a", "Pending"));
      awaitKnown(pods, whole(Map.of(name("train-0"), successor), Set.of()));
    }
  }

  @Test
  void hasNoUidOfAPodThatHasEnded() {
    create(pod("done", "node-a", "Succeeded"));
    create(pod("broken", "node-a", "Failed"));
    String uid = create(pod("train-0", "node-a", "Running"));
    try (var pods = watch()) {
      awaitKnown(pods, whole(Map.of(name("train-0"), uid), Set.of(name("done"), name("broken"))));
    }
  }

  @Test
  void reportsNothing_untilTheFirstListIsThere() {
    server.force("GET", LIST, 403, "pods is forbidden");
    String uid = create(pod("train-0", "node-a", "Running"));
    try (var pods = watch()) {
      await().untilAsserted(() -> assertThat(brokenBy(pods)).contains("pods is forbidden"));
      assertThat(pods.now().running()).isEmpty();

      server.relent("GET", LIST);
      awaitKnown(pods, whole(Map.of(name("train-0"), uid), Set.of()));
    }
  }

  @Test
  void letsTheUidsStandForAWhile_whenTheServerGoesAway() {
    String uid = create(pod("train-0", "node-a", "Running"));
    try (var pods = watch()) {
      awaitKnown(pods, whole(Map.of(name("train-0"), uid), Set.of()));
      server.cutOff();
      await().until(() -> pods.now().watch() instanceof WatchState.NotSynced);

      nanos.set(STALE_AFTER.toNanos());
      assertThat(pods.now().running()).isEqualTo(Map.of(name("train-0"), new RunningPod(uid)));
      nanos.set(STALE_AFTER.toNanos() + 1);
      assertThat(pods.now().running()).isEmpty();
    }
  }

  @Test
  void listsAgain_whenTheServerHasForgottenWhereTheWatchWas() {
    String uid = create(pod("train-0", "node-a", "Running"));
    server.force("GET", WATCH_FROM_1, 410, "too old resource version");
    try (var pods = watch()) {
      await().until(() -> server.calls().contains("GET " + LIST_AGAIN));

      server.relent("GET", WATCH_FROM_1);
      awaitKnown(pods, whole(Map.of(name("train-0"), uid), Set.of()));
    }
  }

  @Test
  void saysWhatIsMissing_whenNoWatchBegins() {
    create(pod("train-0", "node-a", "Running"));
    server.forceSilence("GET", WATCH_FROM_1);
    var log = new ListAppender<ILoggingEvent>();
    var logger = (Logger) LoggerFactory.getLogger(NodeWatch.class);
    log.start();
    logger.setLevel(Level.WARN);
    logger.addAppender(log);
    try (var pods = watch()) {
      await().untilAsserted(() -> assertThat(brokenBy(pods)).contains("lets no web sockets"));
      assertThat(pods.now().running()).isEmpty();
      assertThat(log.list).isEmpty();

      nanos.set(STALE_AFTER.toNanos() + 1);
      pods.now();
      pods.now();
      assertThat(log.list)
          .singleElement()
          .extracting(ILoggingEvent::getFormattedMessage)
          .asString()
          .contains("series have no pod uid and labels", "lets no web sockets");
    } finally {
      logger.detachAppender(log);
    }
  }

  @Test
  void watchesAgain_whenTheConnectionIsCut() throws IOException {
    String uid = create(pod("train-0", "node-a", "Running"));
    try (var proxy = new SilentProxy(server.address());
        var through = FakeApiServer.connect(proxy.address(), RegisteredKinds.REGISTERED);
        var pods =
            WatchedPods.start(
                through, "node-a", PodFieldSelection.ofUid(), STALE_AFTER, nanos::get)) {
      awaitKnown(pods, whole(Map.of(name("train-0"), uid), Set.of()));
      proxy.cut();
      delete("train-0");
      String successor = create(pod("train-0", "node-a", "Running"));

      awaitKnown(pods, whole(Map.of(name("train-0"), successor), Set.of()));
    }
  }

  private WatchedPods watch() {
    return WatchedPods.start(client, "node-a", PodFieldSelection.ofUid(), STALE_AFTER, nanos::get);
  }

  private static String brokenBy(WatchedPods pods) {
    return pods.now().watch() instanceof WatchState.NotSynced(var reason) ? reason : "";
  }

  private static void awaitKnown(WatchedPods pods, KnownPods known) {
    await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(() -> assertThat(pods.now()).isEqualTo(known));
  }

  private void delete(String name) {
    server.admin().pods().inNamespace("ml").withName(name).withGracePeriod(0).delete();
  }

  /** The server chooses the uid. */
  private String create(Pod pod) {
    return server.admin().resource(pod).create().getMetadata().getUid();
  }

  private static KnownPods whole(
      Map<NamespacedPodName, String> running, Set<NamespacedPodName> ended) {
    var entries = new HashMap<NamespacedPodName, RunningPod>();
    running.forEach((pod, uid) -> entries.put(pod, new RunningPod(uid)));
    return new KnownPods(new WatchState.Synced(), entries, ended);
  }

  private static NamespacedPodName name(String pod) {
    return new NamespacedPodName("ml", pod);
  }

  private static Pod pod(String name, String node, String phase) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("ml")
        .withName(name)
        .addToLabels(FakeApiServer.NODE_LABEL, node)
        .endMetadata()
        .withNewSpec()
        .withNodeName(node)
        .endSpec()
        .withNewStatus()
        .withPhase(phase)
        .endStatus()
        .build();
  }
}
