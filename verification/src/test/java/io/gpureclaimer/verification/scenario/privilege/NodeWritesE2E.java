package io.gpureclaimer.verification.scenario.privilege;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ContainerImage;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.gpureclaimer.deviceplugin.kubelet.ContainerDevice;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing;
import io.gpureclaimer.deviceplugin.labels.NodeLabels;
import io.gpureclaimer.deviceplugin.labels.kubernetes.AppliedLabels;
import io.gpureclaimer.deviceplugin.nodeevents.EventSink.Delivery;
import io.gpureclaimer.deviceplugin.nodeevents.NodeEvent;
import io.gpureclaimer.deviceplugin.nodeevents.kubernetes.EventsOnHolders;
import io.gpureclaimer.deviceplugin.nodehealth.NodeHealth;
import io.gpureclaimer.deviceplugin.nodehealth.NodeHealth.UnhealthyStatus;
import io.gpureclaimer.deviceplugin.nodehealth.kubernetes.NodeConditionWriter;
import io.gpureclaimer.deviceplugin.publication.PublicationSink;
import io.gpureclaimer.deviceplugin.publication.Published;
import io.gpureclaimer.verification.deploy.Chart;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import io.gpureclaimer.verification.scenario.privilege.ApiCaller.ApiAnswer;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The API server lets an agent write its labels, its condition and its taint on its own node, and
 * nothing else of any. The nodes are objects without a machine, as large as those of real nodes;
 * the agents are their tokens.
 */
@OnCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NodeWritesE2E {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration EFFECTIVE = Duration.ofSeconds(60);
  private static final int OK = 200;
  private static final int CREATED = 201;
  private static final int REFUSED_BY_ROLES = 403;
  private static final int REFUSED_BY_POLICY = 422;
  private static final String OWN = "zz-own";
  private static final String OTHER = "zz-other";
  private static final String NODES = "/api/v1/nodes/";
  private static final String OURS = "{'metadata':{'labels':{'nvidia.com/gpu.count':'8'}}}";
  private static final String FEATURE = "nvidia-features-for-";
  private static final String NODE_NAME = "nfd.node.kubernetes.io/node-name";
  private static final String MANAGER = "gpu-reclaimer-labels";
  private static final int MANY = 50;

  private final TestCluster cluster;
  private final String namespace;
  private final Pod pod;
  private final ApiCaller administrator;
  private final ApiCaller agent;
  private final ApiCaller unbound;
  private final String features;

  NodeWritesE2E(TestCluster cluster) {
    this.cluster = cluster;
    this.namespace = cluster.namespace("agents", Map.of());
    this.features = "/apis/nfd.k8s-sigs.io/v1alpha1/namespaces/" + namespace + "/nodefeatures";
    cluster.apply(Manifest.beside(NodeWritesE2E.class, "nodefeatures.yaml"));
    install(
        namespace,
        "node-feature",
        "gpu-exporter-nodefeatures",
        List.of(Role.class, RoleBinding.class));
    install(
        namespace,
        "node",
        "gpu-exporter-nodes",
        List.of(ServiceAccount.class, ClusterRole.class, ClusterRoleBinding.class));
    Stream.of(OWN, OTHER).map(NodeWritesE2E::node).forEach(cluster::apply);
    this.administrator = ApiCaller.administrator(cluster);
    this.pod = (Pod) cluster.apply(agentOn(OWN, namespace));
    this.agent = ApiCaller.pod(cluster, pod);
    this.unbound = ApiCaller.account(cluster, namespace, "gpu-exporter");
    await("the policies")
        .atMost(EFFECTIVE)
        .until(
            () ->
                merge(NODES + OTHER + "?dryRun=All", OURS).code() == REFUSED_BY_POLICY
                    && agent.post(features + "?dryRun=All", feature(OTHER, OTHER, "{}")).code()
                        == REFUSED_BY_POLICY);
  }

  /** What the chart has of these kinds, and one of its policies. */
  private void install(String namespace, String to, String policy, List<Class<?>> kinds) {
    Map<String, Object> values =
        Map.of(
            "reclaimer.enabled",
            false,
            "exporter.namespaceOverride",
            namespace,
            "exporter.devicePlugin.enabled",
            true,
            "exporter.devicePlugin.nodeLabels.enabled",
            true,
            "exporter.devicePlugin.nodeLabels.to",
            to,
            "exporter.devicePlugin.nodeHealth.condition",
            true,
            "exporter.devicePlugin.nodeHealth.taint",
            true);
    Chart.objects(values).stream()
        .filter(
            object ->
                object.getMetadata().getName().equals(policy)
                    || kinds.stream().anyMatch(kind -> kind.isInstance(object)))
        .forEach(cluster::apply);
  }

  private static Node node(String name) {
    var node = new NodeBuilder().withNewMetadata().withName(name);
    IntStream.range(0, MANY)
        .forEach(
            i ->
                node.addToLabels("example.com/label-" + i, "value")
                    .addToAnnotations("example.com/annotation-" + i, "a longer value ".repeat(i)));
    return node.endMetadata()
        .withNewSpec()
        .withUnschedulable(true)
        .endSpec()
        .withNewStatus()
        .withImages(
            IntStream.range(0, MANY)
                .mapToObj(
                    i ->
                        new ContainerImage(
                            List.of(
                                "registry.example/a/long/name/of/an/image:" + i,
                                "registry.example/a/long/name/of/an/image@sha256:"
                                    + "0123456789abcdef".repeat(4)),
                            1_000_000_000L))
                .toList())
        .endStatus()
        .build();
  }

  private static Pod agentOn(String node, String namespace) {
    return new PodBuilder()
        .withNewMetadata()
        .withName("agent")
        .withNamespace(namespace)
        .endMetadata()
        .withNewSpec()
        .withNodeName(node)
        .withServiceAccountName("gpu-exporter")
        .addNewContainer()
        .withName("agent")
        .withImage("none.example/agent")
        .endContainer()
        .endSpec()
        .build();
  }

  @AfterAll
  void close() {
    Stream.of(administrator, agent, unbound).forEach(ApiCaller::close);
  }

  private ApiAnswer merge(String path, String patch) {
    return agent.patch(path, patch.replace('\'', '"'));
  }

  /** The same fields, by server-side apply. */
  private ApiAnswer apply(String path, String name, String fields) throws IOException {
    var object = (ObjectNode) JSON.readTree(fields.replace('\'', '"'));
    object.put("apiVersion", "v1").put("kind", "Node");
    object.withObject("metadata").put("name", name);
    return agent.apply(path, object.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          metadata.labels.team | {'metadata':{'labels':{'team':'other'}}}
          metadata.labels.example.com/label-1 | {'metadata':{'labels':{'example.com/label-1':'other'}}}
          metadata.labels.nvidia.com/mig.config | {'metadata':{'labels':{'nvidia.com/mig.config':'all-1g.10gb'}}}
          metadata.annotations | {'metadata':{'annotations':{'team':'other'}}}
          metadata.finalizers | {'metadata':{'finalizers':['example.com/held']}}
          metadata.ownerReferences | {'metadata':{'ownerReferences':[{'apiVersion':'v1','kind':'Node','name':'n','uid':'u'}]}}
          spec.taints | {'spec':{'taints':[{'key':'example.com/t','effect':'NoExecute'}]}}
          spec.taints | {'spec':{'taints':[{'key':'nvidia.com/gpu-unhealthy','effect':'NoExecute'}]}}
          spec.unschedulable | {'spec':{'unschedulable':false}}
          """)
  void changesNothingElseOfItsNode_neitherAloneNorWithALabel(String path, String fields)
      throws IOException {
    var both = JSON.readerForUpdating(JSON.readTree(OURS.replace('\'', '"')));
    String with = both.readValue(fields.replace('\'', '"')).toString();

    for (String tried : List.of(fields, with)) {
      assertRefused(merge(NODES + OWN, tried), "the agent must not change " + path + " of a node");
      assertRefused(
          apply(NODES + OWN, OWN, tried), "the agent must not change " + path + " of a node");
    }
  }

  /** Metadata can be changed through the status, too. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          metadata.labels.team | {'metadata':{'labels':{'team':'other'}}}
          metadata.annotations | {'metadata':{'annotations':{'team':'other'}}}
          status.conditions | {'status':{'conditions':[{'type':'Ready','status':'True'}]}}
          status.conditions | {'status':{'conditions':[{'type':'GpuUnhealthy','status':'True'},{'type':'Ready','status':'True'}]}}
          status.allocatable | {'status':{'allocatable':{'nvidia.com/gpu':'1000'}}}
          status.images | {'status':{'images':[{'names':['one']}]}}
          """)
  void changesNothingElseThroughTheStatus(String path, String fields) throws IOException {
    String status = NODES + OWN + "/status";

    assertRefused(merge(status, fields), "the agent must not change " + path);
    assertRefused(apply(status, OWN, fields), "the agent must not change " + path);
  }

  @Test
  void labelsItsNode_andTakesTheLabelsBack() throws IOException {
    assertThat(apply(NODES + OWN, OWN, OURS).code()).isEqualTo(OK);
    assertThat(label("nvidia.com/gpu.count")).isEqualTo("8");
    assertThat(apply(NODES + OWN, OWN, "{}").code()).isEqualTo(OK);
    assertThat(label("nvidia.com/gpu.count")).isEmpty();
    assertThat(merge(NODES + OWN, OURS).code()).isEqualTo(OK);
  }

  /** What the agent's program writes: nothing of it is refused. */
  @Test
  void itsProgramReportsUnhealthyGpus_andThatTheyAreHealthyAgain() {
    var health = new NodeConditionWriter(agent.client(), OWN, true, Clock.systemUTC());

    publish(health, new NodeHealth(UnhealthyStatus.TRUE, "GpusUnhealthy", "GPU 3"));
    assertThat(condition()).isEqualTo("True");
    assertThat(taints()).contains("nvidia.com/gpu-unhealthy");

    publish(health, new NodeHealth(UnhealthyStatus.FALSE, "AllGpusHealthy", "8 of 8"));
    assertThat(condition()).isEqualTo("False");
    assertThat(taints()).doesNotContain("nvidia.com/gpu-unhealthy");
    assertThat(live().getSpec().getUnschedulable()).isTrue();
  }

  @Test
  void itsProgramWritesLabels_onTheNodeAndForNodeFeatureDiscovery() {
    var labels = new NodeLabels(Map.of("nvidia.com/gpu.family", "hopper"));

    publish(AppliedLabels.onNode(agent.client(), OWN, MANAGER, false), labels);
    publish(
        AppliedLabels.onNodeFeature(agent.client(), OWN, namespace, List.of(), MANAGER, false),
        labels);

    assertThat(live().getMetadata().getLabels()).containsAllEntriesOf(labels.byKey());
    assertThat(administrator.delete(features + "/" + FEATURE + OWN).code()).isEqualTo(OK);
  }

  @Test
  void itsProgramReportsThePodThatHoldsAGpu() {
    var holder = new ContainerDevice(namespace, "agent", "agent", "nvidia.com/gpu", "GPU-a::1");
    var events =
        new EventsOnHolders(
            agent.client(),
            OWN,
            "gpu-exporter",
            () -> new PodResourcesListing.Listed(List.of(holder)));
    var event =
        new NodeEvent("GpuUnhealthy", true, "XID 79", "1", Clock.systemUTC().instant(), "GPU-a");

    assertThat(events.write(event)).isEqualTo(new Delivery.Delivered());
    assertThat(events.write(event)).as("a second time").isEqualTo(new Delivery.Delivered());
    assertThat(cluster.client().v1().events().inNamespace(namespace).list().getItems())
        .filteredOn(written -> "GpuUnhealthy".equals(written.getReason()))
        .singleElement()
        .satisfies(
            written ->
                assertThat(written.getInvolvedObject().getUid())
                    .isEqualTo(pod.getMetadata().getUid()));
  }

  /** Another client may write the node at the same moment. */
  private static <T> void publish(PublicationSink<T> sink, T wanted) {
    await(sink.target())
        .atMost(EFFECTIVE)
        .untilAsserted(
            () -> assertThat(sink.publish(wanted)).isInstanceOf(Published.Written.class));
  }

  private Node live() {
    return cluster.client().nodes().withName(OWN).require();
  }

  private String condition() {
    return live().getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals("GpuUnhealthy"))
        .map(NodeCondition::getStatus)
        .findFirst()
        .orElseThrow();
  }

  private List<String> taints() {
    return live().getSpec().getTaints().stream().map(Taint::getKey).toList();
  }

  private String label(String key) throws IOException {
    return JSON.readTree(administrator.get(NODES + OWN).body())
        .path("metadata")
        .path("labels")
        .path(key)
        .asText();
  }

  @Test
  void labelsNoOtherNode_andNoneWithATokenThatNamesNone() throws IOException {
    String other = "the agent of node " + OWN + " must not change node " + OTHER;

    assertRefused(merge(NODES + OTHER, OURS), other);
    assertRefused(apply(NODES + OTHER, OTHER, OURS), other);
    assertRefused(merge(NODES + OTHER + "/status", OURS), other);
    assertRefused(
        unbound.patch(NODES + OWN, OURS.replace('\'', '"')), "the agent's token names no node");
  }

  @Test
  void neitherCreatesNorDeletesANode_andOthersChangeWhatTheyMay() {
    String node = "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"zz-new\"}}";

    assertThat(agent.post("/api/v1/nodes", node).code()).isEqualTo(REFUSED_BY_ROLES);
    assertThat(agent.apply(NODES + "zz-new", node).code()).isEqualTo(REFUSED_BY_ROLES);
    assertThat(agent.delete(NODES + OWN).code()).isEqualTo(REFUSED_BY_ROLES);
    assertThat(
            administrator
                .patch(NODES + OWN + "?dryRun=All", "{\"spec\":{\"unschedulable\":false}}")
                .code())
        .isEqualTo(OK);
  }

  @Test
  void writesTheNodeFeatureOfItsNode_andNoOther() {
    String own = feature(OWN, OWN, "{\"nvidia.com/gpu.count\":\"8\"}");

    assertThat(agent.post(features, own).code()).isEqualTo(CREATED);
    assertThat(agent.apply(features + "/" + FEATURE + OWN, own).code()).isEqualTo(OK);
    assertRefused(
        agent.post(features, feature(OTHER, OTHER, "{}")),
        "the agent of node " + OWN + " must not write the NodeFeature " + FEATURE + OTHER);
    assertRefused(
        agent.apply(features + "/" + FEATURE + OWN, feature(OWN, OTHER, "{}")),
        "the NodeFeature must be about the node of the agent");
    assertRefused(
        unbound.apply(features + "/" + FEATURE + OWN, own), "the agent's token names no node");
    assertThat(agent.delete(features + "/" + FEATURE + OWN).code()).isEqualTo(REFUSED_BY_ROLES);
    assertThat(administrator.delete(features + "/" + FEATURE + OWN).code()).isEqualTo(OK);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          spec.labels.team | {'spec':{'labels':{'team':'other'}}}
          spec.features.flags | {'spec':{'features':{'flags':{'a.b':{'elements':{'c':{}}}}}}}
          metadata.labels.team | {'metadata':{'labels':{'team':'other'}}}
          metadata.annotations | {'metadata':{'annotations':{'team':'other'}}}
          metadata.finalizers | {'metadata':{'finalizers':['example.com/held']}}
          metadata.ownerReferences | {'metadata':{'ownerReferences':[{'apiVersion':'v1','kind':'Pod','name':'n','uid':'u'}]}}
          """)
  void writesNothingElseIntoTheNodeFeature(String path, String fields) throws IOException {
    String written = features + "/" + FEATURE + OWN;
    String refusal = "the agent must not change " + path + " of a NodeFeature";
    String own = feature(OWN, OWN, "{}");
    String more = fields.replace('\'', '"');
    String with = JSON.readerForUpdating(JSON.readTree(own)).readValue(more).toString();

    assertRefused(agent.post(features, with), refusal);
    assertThat(agent.post(features, own).code()).isEqualTo(CREATED);
    assertRefused(agent.apply(written, with), refusal);
    assertRefused(agent.patch(written, more), refusal);
    assertThat(administrator.delete(written).code()).isEqualTo(OK);
  }

  private static String feature(String name, String node, String labels) {
    return """
        {"apiVersion": "nfd.k8s-sigs.io/v1alpha1", "kind": "NodeFeature",
         "metadata": {"name": "NAME", "labels": {"KEY": "NODE"}},
         "spec": {"features": {"flags": {}, "attributes": {}, "instances": {}}, "labels": LABELS}}
        """
        .replace("NAME", FEATURE + name)
        .replace("KEY", NODE_NAME)
        .replace("NODE", node)
        .replace("LABELS", labels);
  }

  private static void assertRefused(ApiAnswer answer, String why) {
    assertThat(answer.code()).as(answer.body()).isEqualTo(REFUSED_BY_POLICY);
    assertThat(answer.body()).contains(why);
  }
}
