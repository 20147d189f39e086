package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.Neighbors;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.ProvisioningNotice;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KubernetesCluster.WatchTerms;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.AcceleratorNames;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What autoscalers announce for pending pods, as the API server has it. */
class ProvisioningIT {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Instant AT = Instant.parse("2026-03-02T12:00:00Z");
  private static final String EVENTS = "/api/v1/events?fieldSelector=involvedObject.kind%3DPod%2C";
  private static final String REQUESTS =
      "/apis/autoscaling.x-k8s.io/v1/provisioningrequests?limit=500";

  private final AtomicLong nanos = new AtomicLong();
  private final FakeApiServer server = new FakeApiServer();
  private final KubernetesClient client = server.connect();
  private final KubernetesCluster cluster = start(true);

  private KubernetesCluster start(boolean announcements) {
    return KubernetesCluster.start(
        client,
        new WatchTerms(
            LIMIT, AcceleratorNames.USUAL, Set.of(), Map.of(), Optional.empty(), announcements),
        InstantSource.system(),
        nanos::get);
  }

  @AfterEach
  void tearDown() {
    cluster.close();
    client.close();
    server.close();
  }

  @Test
  void readsWhatAutoscalersAnnounceForAPendingPod() {
    PodRef pod = pending("w", "");
    event("a", pod, "TriggeredScaleUp", "cluster-autoscaler");
    event("b", pod, "NotTriggerScaleUp", "cluster-autoscaler");
    event("c", pod, "Nominated", "karpenter");
    event("d", pod, "FailedScheduling", "karpenter");
    event("e", pod, "FailedScheduling", "default-scheduler");

    assertThat(awaited(view -> view.scheduling().of(pod).size() == 4).scheduling().of(pod))
        .containsExactlyInAnyOrder(
            new ProvisioningNotice("Cluster Autoscaler", true, AT, AT.plusSeconds(60)),
            new ProvisioningNotice("Cluster Autoscaler", false, AT, AT.plusSeconds(60)),
            new ProvisioningNotice("Karpenter", true, AT, AT.plusSeconds(60)),
            new ProvisioningNotice("Karpenter", false, AT, AT.plusSeconds(60)));
  }

  @Test
  void selectsEventsAtTheServer_fromTheFirstPendingPodOn() {
    apply(
        """
        kind: Pod
        apiVersion: v1
        metadata: {namespace: ml, name: running}
        spec:
          nodeName: node-1
          containers: [{name: main, resources: {limits: {nvidia.com/gpu: '1'}}}]
        status: {phase: Running}
        """);
    awaited(view -> view.pods().size() == 1);
    assertThat(server.calls()).noneMatch(call -> call.contains("/events"));

    PodRef pod = pending("w", "");
    event("a", pod, "Nominated", "karpenter");
    awaited(view -> !view.scheduling().of(pod).isEmpty());

    assertThat(server.calls())
        .filteredOn(call -> call.contains("/events") && !call.contains("watch=true"))
        .filteredOn(call -> call.startsWith("GET"))
        .extracting(call -> call.replace("GET " + EVENTS, ""))
        .containsExactlyInAnyOrder(
            "source%3Dcluster-autoscaler&limit=500",
            "reason%3DNominated&limit=500",
            "reason%3DFailedScheduling%2Csource%21%3Ddefault-scheduler&limit=500");
  }

  @Test
  void readsTheProvisioningRequestThatAPodConsumes() {
    server.serve("autoscaling.x-k8s.io", "v1", "ProvisioningRequest", "provisioningrequests");
    PodRef pod = pending("w", "autoscaling.x-k8s.io/consume-provisioning-request: big");
    PodRef other = pending("v", "");
    request("big", "{type: Accepted, status: 'True', lastTransitionTime: '2026-03-02T12:00:00Z'}");

    SchedulingFacts facts = awaited(view -> !view.scheduling().of(pod).isEmpty()).scheduling();

    assertThat(facts.of(pod))
        .containsExactly(new ProvisioningNotice("ProvisioningRequest big", true, AT, AT));
    assertThat(facts.of(other)).isEmpty();
    assertThat(facts.doubt()).isEmpty();
  }

  @Test
  void doubtsNothing_whereNoProvisioningRequestsExist() {
    server.force("GET", "/apis/autoscaling.x-k8s.io/v1", 404, "not found");
    pending("w", "cluster-autoscaler.kubernetes.io/consume-provisioning-request: big");

    awaited(view -> view.pods().size() == 1 && announced(view).equals(SchedulingFacts.NONE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v1beta1"})
  void readsNodeClaims_inTheNewestVersionThatIsServed(String version) {
    server.force("GET", "/apis/karpenter.sh/v1", 404, "not found");
    server.serve("karpenter.sh", version, "NodeClaim", "nodeclaims");
    PodRef pod = pending("w", "");
    PodRef other = pending("x", "");
    GenericKubernetesResource claim = nodeClaim(version);

    SchedulingFacts facts = awaited(view -> !view.scheduling().of(pod).isEmpty()).scheduling();

    Instant created = Instant.parse(claim.getMetadata().getCreationTimestamp());
    assertThat(facts.of(pod))
        .containsExactly(new ProvisioningNotice("Karpenter", true, created, created));
    assertThat(facts.of(other)).isEmpty();
    assertThat(facts.doubt()).isEmpty();
  }

  @Test
  void forgetsANodeClaim_onceItsNodeIsInitialized() {
    server.serve("karpenter.sh", "v1", "NodeClaim", "nodeclaims");
    PodRef pod = pending("w", "");
    GenericKubernetesResource claim = nodeClaim("v1");
    awaited(view -> !view.scheduling().of(pod).isEmpty());

    initialize(claim);

    awaited(view -> view.scheduling().of(pod).isEmpty());
  }

  private void initialize(GenericKubernetesResource claim) {
    claim.setAdditionalProperty(
        "status", Map.of("conditions", List.of(Map.of("type", "Initialized", "status", "True"))));
    server.admin().resource(claim).updateStatus();
  }

  @Test
  void forgetsANomination_whenItsNodeClaimIsGone() {
    server.serve("karpenter.sh", "v1", "NodeClaim", "nodeclaims");
    PodRef pod = pending("w", "");
    event("a", pod, "Nominated", "karpenter", "Pod should schedule on: nodeclaim/gpu-older");
    PodRef other = pending("x", "");
    event("b", other, "Nominated", "karpenter");

    SchedulingFacts facts =
        awaited(view -> doubt(view).isEmpty() && !view.scheduling().of(other).isEmpty())
            .scheduling();

    assertThat(facts.of(pod)).isEmpty();
  }

  /** Refused or not served: nothing says then that a NodeClaim is gone. */
  @ParameterizedTest
  @ValueSource(ints = {403, 404})
  void countsANomination_whileNodeClaimsAreNotRead(int code) {
    if (code == 403) {
      server.serve("karpenter.sh", "v1", "NodeClaim", "nodeclaims");
      server.force("GET", "/apis/karpenter.sh/v1/nodeclaims?limit=500", code, "refused");
    } else {
      server.force("GET", "/apis/karpenter.sh/v1", code, "not found");
      server.force("GET", "/apis/karpenter.sh/v1beta1", code, "not found");
    }
    PodRef pod = pending("w", "");
    event("a", pod, "Nominated", "karpenter", "Pod should schedule on: nodeclaim/gpu-older");

    ClusterView view =
        awaited(
            seen ->
                !seen.scheduling().of(pod).isEmpty()
                    && (code == 403) == doubt(seen).contains("refused")
                    && server.calls().stream().anyMatch(call -> call.contains("karpenter.sh")));

    assertThat(view.scheduling().of(pod))
        .extracting(ProvisioningNotice::provides)
        .containsExactly(true);
  }

  @Test
  void watchesNoNodeClaims_beforeTheFirstPendingPod() {
    server.serve("karpenter.sh", "v1", "NodeClaim", "nodeclaims");
    awaited(_ -> true);

    assertThat(server.calls()).noneMatch(call -> call.contains("karpenter.sh"));
  }

  @Test
  void doubtsNothing_withoutKarpenter() {
    server.force("GET", "/apis/karpenter.sh/v1", 404, "not found");
    server.force("GET", "/apis/karpenter.sh/v1beta1", 404, "not found");
    pending("w", "");

    awaited(
        view ->
            view.pods().size() == 1
                && server.calls().contains("GET /apis/karpenter.sh/v1beta1")
                && announced(view).equals(SchedulingFacts.NONE));
  }

  @Test
  void saysWhyNodeClaimsCannotBeRead() {
    server.serve("karpenter.sh", "v1", "NodeClaim", "nodeclaims");
    server.force("GET", "/apis/karpenter.sh/v1/nodeclaims?limit=500", 403, "refused");
    pending("w", "");

    awaited(seen -> doubt(seen).contains("refused"));
    assertThat(doubt(cluster.view()))
        .isEqualTo(
            "NodeClaims cannot be read: the first list is not complete: the API server answered"
                + " 403: refused");
  }

  @ParameterizedTest
  @ValueSource(ints = {403, 500})
  void saysWhyEventsCannotBeRead(int code) {
    server.force("GET", EVENTS + "reason%3DNominated&limit=500", code, "refused");
    pending("w", "");

    ClusterView view = awaited(seen -> doubt(seen).contains("refused"));
    assertThat(doubt(view))
        .isEqualTo(
            "Events cannot be read: the first list is not complete: the API server answered "
                + code
                + ": refused");
  }

  @Test
  void saysWhyProvisioningRequestsCannotBeRead() {
    server.serve("autoscaling.x-k8s.io", "v1", "ProvisioningRequest", "provisioningrequests");
    server.force("GET", REQUESTS, 403, "refused");
    pending("w", "autoscaling.x-k8s.io/consume-provisioning-request: big");

    awaited(seen -> doubt(seen).contains("ProvisioningRequests cannot be read"));
  }

  @Test
  void readsNoEvents_whenNotRequested() {
    try (KubernetesCluster ignorant = start(false)) {
      pending("w", "");
      await()
          .ignoreException(ClusterUnreachable.class)
          .until(ignorant::view, view -> !view.pods().isEmpty());

      assertThat(announced(ignorant.view())).isEqualTo(SchedulingFacts.NONE);
      assertThat(server.calls()).noneMatch(call -> call.contains("/events"));
    }
  }

  private ClusterView awaited(Predicate<ClusterView> expected) {
    return await().ignoreException(ClusterUnreachable.class).until(cluster::view, expected);
  }

  /** Without what is known of other pods. */
  private static SchedulingFacts announced(ClusterView view) {
    return view.scheduling().with(Neighbors.NONE);
  }

  private static String doubt(ClusterView view) {
    return view.scheduling().doubt().orElse("");
  }

  private PodRef pending(String name, String annotation) {
    HasMetadata pod =
        apply(
            """
            kind: Pod
            apiVersion: v1
            metadata: {namespace: ml, name: NAME, annotations: {ANNOTATION}}
            spec:
              containers: [{name: main, resources: {limits: {nvidia.com/gpu: '1'}}}]
            status:
              phase: Pending
              conditions:
              - {type: PodScheduled, status: 'False', reason: Unschedulable,
                lastTransitionTime: '2026-03-02T11:00:00Z',
                message: '0/1 nodes are available: 1 Insufficient nvidia.com/gpu.'}
            """
                .replace("NAME", name)
                .replace("ANNOTATION", annotation));
    return new PodRef("ml", name, pod.getMetadata().getUid());
  }

  private void event(String name, PodRef pod, String reason, String component) {
    event(name, pod, reason, component, "");
  }

  private void event(String name, PodRef pod, String reason, String component, String message) {
    apply(
        """
        kind: Event
        apiVersion: v1
        metadata: {namespace: ml, name: NAME}
        involvedObject: {kind: Pod, namespace: ml, name: POD, uid: UID}
        reason: REASON
        message: 'MESSAGE'
        source: {component: COMPONENT}
        firstTimestamp: '2026-03-02T12:00:00Z'
        lastTimestamp: '2026-03-02T12:01:00Z'
        """
            .replace("NAME", name)
            .replace("POD", pod.name())
            .replace("UID", pod.uid())
            .replace("REASON", reason)
            .replace("MESSAGE", message)
            .replace("COMPONENT", component));
  }

  private void request(String name, String condition) {
    GenericKubernetesResource request =
        new KubernetesSerialization()
            .unmarshal(
                """
                kind: ProvisioningRequest
                apiVersion: autoscaling.x-k8s.io/v1
                metadata: {namespace: ml, name: NAME}
                status: {conditions: [CONDITION]}
                """
                    .replace("NAME", name)
                    .replace("CONDITION", condition),
                GenericKubernetesResource.class);
    server.admin().resource(request).create();
    server.admin().resource(request).updateStatus();
  }

  /** The mock server has no kinds without a namespace of groups that it does not know. */
  private GenericKubernetesResource nodeClaim(String version) {
    GenericKubernetesResource claim =
        new KubernetesSerialization()
            .unmarshal(
                """
                kind: NodeClaim
                apiVersion: karpenter.sh/VERSION
                metadata: {namespace: none, name: gpu-qmhg4, labels: {karpenter.sh/nodepool: gpu}}
                spec:
                  requirements:
                  - {key: node.kubernetes.io/instance-type, operator: In, values: [p5.48xlarge]}
                  resources: {requests: {cpu: 16210m, nvidia.com/gpu: '1'}}
                """
                    .replace("VERSION", version),
                GenericKubernetesResource.class);
    return server.admin().resource(claim).create();
  }

  private HasMetadata apply(String yaml) {
    HasMetadata item = new KubernetesSerialization().unmarshal("---\n" + yaml);
    return server.admin().resource(item).create();
  }
}
