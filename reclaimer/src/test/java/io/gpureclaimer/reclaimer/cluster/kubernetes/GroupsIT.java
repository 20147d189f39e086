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
import io.gpureclaimer.reclaimer.cluster.PodTraits.Group;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.GroupId;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.GroupSize;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.GroupSize.Minimum;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KubernetesCluster.WatchTerms;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How large the groups of pending pods are, as the API server has it. */
class GroupsIT {
  private static final String COSCHEDULING = "labels: {scheduling.x-k8s.io/pod-group: train}";

  private final FakeApiServer server = new FakeApiServer();
  private final KubernetesClient client = server.connect();
  private final KubernetesCluster cluster =
      KubernetesCluster.start(
          client, WatchTerms.usual(Duration.ofMinutes(2)), InstantSource.system(), () -> 0);

  @AfterEach
  void tearDown() {
    cluster.close();
    client.close();
    server.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "scheduling.x-k8s.io;v1alpha1;labels: {scheduling.x-k8s.io/pod-group: train};minMember: 3",
        "scheduling.volcano.sh;v1beta1;annotations: {scheduling.k8s.io/group-name: train};minMember: 3",
        "scheduling.run.ai;v2alpha2;annotations: {pod-group-name: train};minMember: 3",
        "scheduling.run.ai;v2alpha2;annotations: {pod-group-name: train};subGroups: [{name: a,"
            + " minMember: 1}, {name: b, minMember: 2}]"
      })
  void readsTheMinimumOfAPodGroup(String group, String version, String written, String spec) {
    server.serve(group, version, "PodGroup", "podgroups");
    create(podGroup(group + "/" + version, spec));
    pod("worker-0", written, "'1'", "status: {phase: Pending}");
    pod("worker-1", written, "'1'", "status: {phase: Running}", "nodeName: node-1,");
    pod("launcher", written, "'0'", "status: {phase: Pending}");
    pod("done", written, "'1'", "status: {phase: Succeeded}");

    ClusterView view =
        awaited(
            seen ->
                seen.scheduling().groups().values().stream()
                    .anyMatch(
                        size -> size.minimum() instanceof Minimum.Known && size.members() == 3));
    assertThat(view.scheduling().groups().values())
        .containsExactly(new GroupSize(new Minimum.Known(3), 3, 1, 1));
    assertThat(view.pods()).hasSize(2);
  }

  @Test
  void readsTheMinimumOfAPodGroupOfKubernetes_inAnyVersion() {
    server.force("GET", "/apis/scheduling.k8s.io/v1beta1", 404, "not found");
    server.force("GET", "/apis/scheduling.k8s.io/v1alpha3", 404, "not found");
    server.serve("scheduling.k8s.io", "v1alpha2", "PodGroup", "podgroups");
    create(podGroup("scheduling.k8s.io/v1alpha2", "schedulingPolicy: {gang: {minCount: 4}}"));
    pod(
        "worker-0",
        "labels: {}",
        "'1'",
        "status: {phase: Pending}",
        "schedulingGroup: {podGroupName: train},");

    awaited(
        view ->
            view.scheduling()
                .groups()
                .equals(
                    Map.of(
                        new GroupId("ml", new Group("spec.schedulingGroup.podGroupName", "train")),
                        new GroupSize(new Minimum.Known(4), 1, 0, 0))));
  }

  @Test
  void readsTheSizeOfEachReplicaOfALeaderWorkerSet() {
    String replica =
        "labels: {leaderworkerset.sigs.k8s.io/name: serve,"
            + " leaderworkerset.sigs.k8s.io/group-index: 'INDEX'},"
            + " annotations: {leaderworkerset.sigs.k8s.io/size: '4'}";
    pod("serve-0", replica.replace("INDEX", "0"), "'1'", "status: {phase: Pending}");
    pod("serve-0-1", replica.replace("INDEX", "0"), "'1'", "status: {phase: Pending}");
    pod("serve-1", replica.replace("INDEX", "1"), "'1'", "status: {phase: Pending}");

    awaited(
        view ->
            view.scheduling()
                .groups()
                .equals(
                    Map.of(
                        replica("serve-0"),
                        new GroupSize(new Minimum.Known(4), 2, 0, 0),
                        replica("serve-1"),
                        new GroupSize(new Minimum.Known(1), 1, 0, 0))));
  }

  @Test
  void readsNoPodGroups_whereTheKindDoesNotExist() {
    server.force("GET", "/apis/scheduling.x-k8s.io/v1alpha1", 404, "not found");
    pod("worker-0", COSCHEDULING, "'1'", "status: {phase: Pending}");

    awaited(view -> minimum(view).equals(new Minimum.None()));
  }

  @Test
  void doesNotKnowTheSize_whenPodGroupsMustNotBeRead() {
    server.serve("scheduling.x-k8s.io", "v1alpha1", "PodGroup", "podgroups");
    server.force("GET", "/apis/scheduling.x-k8s.io/v1alpha1/podgroups?limit=500", 403, "forbidden");
    pod("worker-0", COSCHEDULING, "'1'", "status: {phase: Pending}");

    awaited(
        view ->
            minimum(view) instanceof Minimum.Unread(var why)
                && why.startsWith("its PodGroup cannot be read: ")
                && why.endsWith("403: forbidden"));
  }

  @Test
  void doesNotKnowTheSize_whileThePodGroupDoesNotExist() {
    server.serve("scheduling.x-k8s.io", "v1alpha1", "PodGroup", "podgroups");
    pod("worker-0", COSCHEDULING, "'1'", "status: {phase: Pending}");

    awaited(view -> minimum(view).equals(new Minimum.Unread("its PodGroup does not exist")));
  }

  private static Minimum minimum(ClusterView view) {
    return view.scheduling().groups().values().stream()
        .findFirst()
        .map(GroupSize::minimum)
        .orElseGet(() -> new Minimum.Unread("no group"));
  }

  private static GroupId replica(String name) {
    return new GroupId("ml", new Group("leaderworkerset.sigs.k8s.io/group-index", name));
  }

  private ClusterView awaited(Predicate<ClusterView> expected) {
    return await().ignoreException(ClusterUnreachable.class).until(cluster::view, expected);
  }

  private void pod(String name, String written, String gpus, String status, String... spec) {
    String yaml =
        """
        ---
        kind: Pod
        apiVersion: v1
        metadata: {namespace: ml, name: NAME, WRITTEN}
        spec: {SPEC containers: [{name: main, resources: {limits: {nvidia.com/gpu: GPUS}}}]}
        STATUS
        """
            .replace("NAME", name)
            .replace("WRITTEN", written)
            .replace("SPEC", String.join(" ", spec))
            .replace("GPUS", gpus)
            .replace("STATUS", status);
    server.admin().resource((HasMetadata) new KubernetesSerialization().unmarshal(yaml)).create();
  }

  private static String podGroup(String apiVersion, String spec) {
    return """
    kind: PodGroup
    apiVersion: VERSION
    metadata: {namespace: ml, name: train}
    spec: {SPEC}
    """
        .replace("VERSION", apiVersion)
        .replace("SPEC", spec);
  }

  private void create(String yaml) {
    server
        .admin()
        .resource(new KubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class))
        .create();
  }
}
