package io.gpureclaimer.verification.scenario.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.OwnCluster;
import io.gpureclaimer.verification.scenario.harness.PodHistory;
import io.gpureclaimer.verification.scenario.harness.Replica;
import io.gpureclaimer.verification.scenario.harness.Replicas;
import io.gpureclaimer.verification.scenario.harness.ShortIntervals;
import io.gpureclaimer.verification.scenario.harness.StubPrometheus;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import io.gpureclaimer.verification.scenario.harness.TestNamespace;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One reclaimer and many pods: only the idle pod without protection is evicted. */
@OnCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProtectedPodsE2E {
  private static final ShortIntervals PACE =
      new ShortIntervals(Duration.ofSeconds(6), Duration.ofSeconds(4));
  private static final String VICTIM = "idle";

  private final TestNamespace always;
  private final Pod victim;
  private final List<KeptPod> bystanders;
  private final Replica replica;

  /** A pod that must stay as it is, and the reason that users can read. */
  record KeptPod(TestNamespace tenant, Pod pod, String why) {
    String name() {
      return pod.getMetadata().getName();
    }

    @Override
    public String toString() {
      return pod.getMetadata().getNamespace().replaceAll("-[^-]*$", "") + "/" + name();
    }
  }

  ProtectedPodsE2E(TestCluster cluster, Replicas replicas) {
    cluster.gpus(8);
    StubPrometheus prometheus = replicas.prometheus();
    always = TestNamespace.withMode(cluster, "always");
    TestNamespace off = TestNamespace.withMode(cluster, "off");
    TestNamespace silent = TestNamespace.with(cluster, "silent", Map.of());
    TestNamespace excluded =
        TestNamespace.with(
            cluster, "excluded", Map.of(Annotations.MODE, "always", Annotations.EXCLUDE, "true"));
    Pod busy = always.start("busy");
    prometheus.showsBusy(busy);
    bystanders =
        List.of(
            idle(prometheus, off, Map.of(), "the mode is off"),
            idle(prometheus, silent, Map.of(), "only reported"),
            idle(prometheus, excluded, Map.of(), "excluded"),
            idle(prometheus, always, Map.of(Annotations.EXCLUDE, "true"), "excluded"),
            idle(prometheus, always, Map.of(Annotations.MODE, "off"), "the mode is off"),
            new KeptPod(always, busy, "active"),
            new KeptPod(always, always.start("unseen"), "no agent has reported on it"));
    // The last one: when it goes, the turn of each of the others has come.
    victim = always.start(VICTIM);
    prometheus.showsIdle(victim);
    replica = replicas.start("reclaimer", prometheus, PACE);
  }

  private static KeptPod idle(
      StubPrometheus prometheus,
      TestNamespace tenant,
      Map<String, String> annotations,
      String why) {
    String name =
        annotations.keySet().stream()
            .map(key -> key.replaceAll(".*/", ""))
            .findFirst()
            .orElse("plain");
    Pod pod = tenant.start(name, annotations);
    prometheus.showsIdle(pod);
    return new KeptPod(tenant, pod, why);
  }

  List<KeptPod> bystanders() {
    return bystanders;
  }

  @BeforeAll
  void waitForTheEviction() {
    always.history().awaitEvicted(VICTIM);
    replica.awaitLine("evict", "done");
    await("the pod is gone").until(() -> always.now(VICTIM).isEmpty());
  }

  @Test
  void evictsTheIdlePod_afterItsWarning() {
    List<Pod> versions = always.history().of(VICTIM);
    Pod warned = versions.stream().filter(PodHistory::isWarned).findFirst().orElseThrow();
    Pod evicted = versions.stream().filter(PodHistory::isEvicted).findFirst().orElseThrow();

    assertThat(warned.getMetadata().getDeletionTimestamp()).isNull();
    assertThat(warned.getMetadata().getAnnotations())
        .containsKeys(Annotations.WARNED_AT, Annotations.IDLE_SINCE, Annotations.ACT_NOT_BEFORE);
    assertThat(evicted.getMetadata().getUid()).isEqualTo(warned.getMetadata().getUid());
  }

  @Test
  void reportsOnThePod_withEventsOfItsOwnNames() {
    List<Event> notices = always.notices(VICTIM);

    assertThat(notices)
        .extracting(Event::getReason)
        .containsExactly("GPUIdleWarned", "GPUReclaimed");
    assertThat(notices)
        .allSatisfy(
            event -> {
              assertThat(event.getMetadata().getName()).matches("idle\\.\\w{5,}");
              assertThat(event.getInvolvedObject().getUid())
                  .isEqualTo(victim.getMetadata().getUid());
            });
  }

  @Test
  void itsEventsAreSeenByKubectl() {
    String table = OwnCluster.orSkip().kubectl("get", "events", "--namespace", always.namespace());

    assertThat(table)
        .containsPattern("Warning +GPUIdleWarned +pod/idle +GPU idle for")
        .containsPattern("Warning +GPUReclaimed +pod/idle +Evicted to free its GPU");
  }

  @ParameterizedTest
  @MethodSource("bystanders")
  void leavesTheOthersAsTheyWere_andSaysWhy(KeptPod bystander) {
    TestNamespace tenant = bystander.tenant();
    String name = bystander.name();

    assertThat(tenant.now(name)).contains(bystander.pod());
    assertThat(tenant.notices(name)).isEmpty();
    assertThat(replica.get("/explain/" + tenant.namespace() + "/" + name).body())
        .contains(bystander.why());
  }
}
