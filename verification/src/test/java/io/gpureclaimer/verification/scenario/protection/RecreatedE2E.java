package io.gpureclaimer.verification.scenario.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpureclaimer.verification.scenario.harness.HeldAnswers;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.PodHistory;
import io.gpureclaimer.verification.scenario.harness.Replica;
import io.gpureclaimer.verification.scenario.harness.Replicas;
import io.gpureclaimer.verification.scenario.harness.ShortIntervals;
import io.gpureclaimer.verification.scenario.harness.StubPrometheus;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import io.gpureclaimer.verification.scenario.harness.TestNamespace;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Pods that are replaced by others of the same name in the very last moment. */
@OnCluster
class RecreatedE2E {
  private static final ShortIntervals PACE =
      new ShortIntervals(Duration.ofSeconds(4), Duration.ofSeconds(2));

  @BeforeAll
  static void offerGpus(TestCluster cluster) {
    cluster.gpus(2);
  }

  @Test
  void sparesTheNewPod_whenItCameBetweenTheLookAndTheAct(TestCluster cluster, Replicas replicas) {
    TestNamespace tenant = TestNamespace.withMode(cluster, "always");
    StubPrometheus prometheus = replicas.prometheus();
    HeldAnswers hold = prometheus.holdSecondLooks();
    Replica replica = replicas.start("reclaimer", prometheus, PACE);
    Pod old = tenant.start("notebook");
    prometheus.showsIdle(old);

    hold.awaitAsked(1);
    cluster.client().resource(old).withGracePeriod(0).delete();
    tenant.history().await("notebook", "is gone", pod -> tenant.now("notebook").isEmpty());
    Pod young = tenant.start("notebook");
    hold.end();

    assertThat(replica.awaitLine("evict", "spared"))
        .contains("the pod changed in the last moment")
        .contains(
            "the UID in the precondition (" + old.getMetadata().getUid() + ") does not match");
    // The control: this reclaimer does evict.
    prometheus.showsIdle(tenant.start("control"));
    tenant.history().awaitEvicted("control");
    assertThat(tenant.now("notebook")).contains(young);
    assertThat(tenant.history().of("notebook")).noneMatch(PodHistory::isEvicted);
  }

  @Test
  void theApiServerRefusesAnEvictionOfAnotherUid(TestCluster cluster) {
    TestNamespace tenant = TestNamespace.with(cluster, "silent", Map.of());
    Pod pod = tenant.start("notebook");

    String path = "/api/v1/namespaces/" + tenant.namespace() + "/pods/notebook/eviction";
    var eviction =
        new EvictionBuilder()
            .withNewMetadata()
            .withName("notebook")
            .endMetadata()
            .withDeleteOptions(
                new DeleteOptionsBuilder()
                    .withNewPreconditions()
                    .withUid("00000000-0000-0000-0000-000000000000")
                    .endPreconditions()
                    .build())
            .build();
    var refusal =
        catchThrowableOfType(
            KubernetesClientException.class, () -> cluster.client().raw(path, "POST", eviction));

    assertThat(refusal.getCode()).isEqualTo(409);
    assertThat(tenant.now("notebook")).contains(pod);
  }
}
