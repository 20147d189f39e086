package io.gpureclaimer.verification.scenario.deviceplugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.gpureclaimer.verification.deploy.Chart;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.OwnCluster;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A real kubelet gives the GPUs away that the agent offers, installed as the chart has it. */
@OnCluster
class DevicePluginE2E {
  private static final Manifest POD = Manifest.beside(DevicePluginE2E.class, "pod.yaml");
  private static final Manifest SCRIPT = Manifest.beside(DevicePluginE2E.class, "script.yaml");
  private static final Manifest DRIVER = Manifest.beside(DevicePluginE2E.class, "driver.yaml");
  private static final Manifest SEEING = Manifest.beside(DevicePluginE2E.class, "seeing.yaml");
  private static final Path VALUES =
      Path.of("src/test/java/io/gpureclaimer/verification/scenario/deviceplugin/values.yaml");
  private static final String GPU = "nvidia.com/gpu";
  private static final String CONFIG = "nvidia.com/device-plugin.config";
  private static final Map<String, String> AGENT = Map.of("app.kubernetes.io/name", "gpu-exporter");
  private static final String SAID = "got=";
  private static final String TAINT = "nvidia.com/gpu-unhealthy:NoSchedule";

  /** What containers with any GPU share. */
  private static final List<String> SHARED = List.of("nvidia-uvm", "nvidiactl");

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static TestCluster cluster;
  private static String agents;

  private String namespace = "";

  @BeforeAll
  static void install(TestCluster shared) {
    cluster = shared;
    agents = cluster.namespace("device-plugin", Map.of());
    script("[]");
    cluster.apply(DRIVER.with("namespace", agents));
    cluster.awaitReady(agents, "driver");
    Chart.objects(VALUES).forEach(object -> cluster.apply(inOurNamespace(object)));
  }

  @BeforeEach
  void offersEight() {
    namespace = cluster.namespace("research", Map.of());
    awaitOffered("8", "8");
  }

  @AfterEach
  void giveGpusBack() {
    var pods = cluster.client().pods().inNamespace(namespace);
    pods.withGracePeriod(0).delete();
    awaitThat(() -> assertThat(pods.list().getItems()).isEmpty());
    script("[]");
    label(null);
    awaitThat(() -> assertThat(configurationInUse()).isNotEmpty().doesNotContain("cdi", "sliced"));
  }

  @Test
  void eachPodGetsItsGpus_andWhoAsksForNoneGetsNone() {
    run("two", "{" + GPU + ": 2}");
    run("four", "{" + GPU + ": 4}");
    run("none", "{cpu: 10m}");

    Set<String> two = got("two");
    Set<String> four = got("four");
    assertThat(two).hasSize(2).allSatisfy(gpu -> assertThat(gpu).startsWith("GPU-"));
    assertThat(four).hasSize(4).doesNotContainAnyElementsOf(two);
    assertThat(got("none")).isEmpty();
  }

  @Test
  void theNodeIsLabeledWithWhatItHas() {
    awaitThat(
        () ->
            assertThat(node().getMetadata().getLabels())
                .containsEntry("nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3")
                .containsEntry("nvidia.com/gpu.count", "8")
                .containsEntry("nvidia.com/gpu.replicas", "1"));
  }

  @Test
  void aLostGpuLeavesSeven_isShownByNodeAndPod_andKeepsItsHolder() {
    run("one", "{" + GPU + ": 4}");
    run("two", "{" + GPU + ": 4}");
    Map<String, Set<String>> held = Map.of("one", got("one"), "two", got("two"));

    script("- {gpu: 7, fault: lost}");
    awaitOffered("8", "7");
    awaitThat(
        () -> {
          assertThat(gpuUnhealthy().getStatus()).isEqualTo("True");
          assertThat(gpuUnhealthy().getMessage()).startsWith("1 of 8 unhealthy: GPU 7");
          assertThat(taints()).contains(TAINT);
          assertThat(events("GpuUnhealthy")).hasSize(1);
        });
    Event event = events("GpuUnhealthy").getFirst();
    assertThat(event.getMessage()).startsWith("GPU 7").contains("of this pod is unhealthy");
    String holder = event.getInvolvedObject().getName();
    assertThat(held).containsKey(holder);

    String other = "one".equals(holder) ? "two" : "one";
    cluster.client().pods().inNamespace(namespace).withName(other).withGracePeriod(0).delete();
    run("after", "{" + GPU + ": 3}");
    assertThat(got("after")).hasSize(3).isSubsetOf(held.get(other));

    script("[]");
    awaitThat(
        () -> {
          assertThat(gpuUnhealthy().getStatus()).isEqualTo("False");
          assertThat(taints()).doesNotContain(TAINT);
          assertThat(events("GpuHealthy")).hasSize(1);
        });
    assertThat(pod(holder).getStatus().getPhase()).isEqualTo("Running");
  }

  @Test
  void nothingIsLost_whenTheAgentIsReplaced_andThenTheKubelet() {
    var own = OwnCluster.orSkip();
    run("holder", "{" + GPU + ": 3}");
    Set<String> held = got("holder");
    String uid = pod("holder").getMetadata().getUid();

    var plugins = agentPods();
    List<String> old =
        plugins.list().getItems().stream().map(it -> it.getMetadata().getUid()).toList();
    plugins.delete();
    awaitThat(
        () ->
            assertThat(plugins.list().getItems())
                .isNotEmpty()
                .allSatisfy(it -> assertThat(it.getMetadata().getUid()).isNotIn(old)));
    awaitOffered("8", "8");
    run("second", "{" + GPU + ": 3}");
    Set<String> second = got("second");
    assertThat(second).hasSize(3).doesNotContainAnyElementsOf(held);

    double before = registrations();
    own.restartKubelet();
    awaitThat(() -> assertThat(registrations()).isGreaterThan(before));
    awaitOffered("8", "8");
    run("third", "{" + GPU + ": 2}");
    assertThat(got("third"))
        .hasSize(2)
        .doesNotContainAnyElementsOf(held)
        .doesNotContainAnyElementsOf(second);
    assertThat(pod("holder").getMetadata().getUid()).isEqualTo(uid);
    assertThat(pod("holder").getStatus().getPhase()).isEqualTo("Running");
  }

  @Test
  void aLabelOfTheNodeNamesItsConfiguration() {
    label("sliced");
    awaitOffered("32", "32");
    run("share", "{" + GPU + ": 1}");
    assertThat(got("share")).hasSize(1);
    cluster.client().pods().inNamespace(namespace).withGracePeriod(0).delete();

    label(null);
    awaitOffered("8", "8");
  }

  @Test
  void containersGetTheirDevicesAgain_afterTheFolderOfSpecificationsWasDeletedOnTheNode() {
    var own = OwnCluster.orSkip();
    handOutByCdi();

    own.deleteOnNode("/run/cdi");
    awaitOffered("8", "0"); // the kubelet does not see the agent's mount
    awaitOffered("8", "8"); // its container was restarted
    run(SEEING, "one", "{" + GPU + ": 1}");

    assertThat(got("one")).hasSize(1 + SHARED.size()).containsAll(SHARED);
  }

  @Test
  void aRuntimeThatKnowsCdi_givesAContainerItsDevicesAndTheDriver_andNothingElse() {
    handOutByCdi();

    run(SEEING, "two", "{" + GPU + ": 2}");
    run(SEEING, "three", "{" + GPU + ": 3}");
    run(SEEING, "none", "{cpu: 10m}");

    Set<String> two = got("two");
    Set<String> three = got("three");
    assertThat(two).hasSize(2 + SHARED.size()).containsAll(SHARED);
    assertThat(three).hasSize(3 + SHARED.size()).containsAll(SHARED);
    assertThat(two.stream().filter(three::contains)).containsExactlyElementsOf(SHARED);
    assertThat(said("two")).endsWith("variable=void library=libcuda_of_550.54.15");
    assertThat(said("none")).isEqualTo("got=nvidia* variable= library=");
  }

  private static void handOutByCdi() {
    double before = Instant.now().getEpochSecond();
    label("cdi");
    awaitThat(
        () ->
            assertThat(metric("gpu_device_plugin_cdi_last_success_timestamp_seconds", ""))
                .isGreaterThan(before));
  }

  private static HasMetadata inOurNamespace(HasMetadata object) {
    if (object.getMetadata().getNamespace() != null) {
      object.getMetadata().setNamespace(agents);
    }
    if (object instanceof ClusterRoleBinding binding) {
      binding.getSubjects().forEach(subject -> subject.setNamespace(agents));
    }
    return object;
  }

  /**
   * The kubelet writes a ConfigMap that has changed into a pod at the pod's next change, or up to
   * 90 s later.
   */
  private static void script(String script) {
    cluster.apply(SCRIPT.with("namespace", agents).with("script", script));
    agentPods()
        .resources()
        .forEach(
            pod ->
                TestCluster.merge(
                    pod,
                    "{\"metadata\": {\"annotations\": {\"script\": \"" + Instant.now() + "\"}}}"));
  }

  private static FilterWatchListDeletable<Pod, PodList, PodResource> agentPods() {
    return cluster.client().pods().inNamespace(agents).withLabels(AGENT);
  }

  private static void label(@Nullable String config) {
    String value = config == null ? "null" : '"' + config + '"';
    TestCluster.merge(
        cluster.client().nodes().withName(cluster.node()),
        "{\"metadata\": {\"labels\": {\"" + CONFIG + "\": " + value + "}}}");
  }

  private void run(String name, String limits) {
    run(POD, name, limits);
  }

  private void run(Manifest pod, String name, String limits) {
    cluster.apply(pod.with("name", name).with("namespace", namespace).with("limits", limits));
  }

  private Pod pod(String name) {
    return cluster.client().pods().inNamespace(namespace).withName(name).require();
  }

  /** Devices that the container may see, or sees. */
  private Set<String> got(String name) {
    String gpus = said(name).substring(SAID.length()).split(" ", -1)[0];
    return new TreeSet<>(Stream.of(gpus.split(",", -1)).filter(gpu -> !gpu.isEmpty()).toList());
  }

  private String said(String name) {
    cluster.awaitReady(namespace, name);
    return await("the log of " + name)
        .ignoreExceptionsInstanceOf(KubernetesClientException.class)
        .until(
            () -> cluster.client().pods().inNamespace(namespace).withName(name).getLog(),
            log -> log.contains(SAID))
        .strip();
  }

  /** How often the kubelet accepted the agent, by its own word. */
  private static double registrations() {
    return metric("gpu_device_plugin_registrations_total", "outcome=\"watched\"");
  }

  /**
   * What the agent logged last about it; the number of devices may be the same with another one.
   */
  private static String configurationInUse() {
    return cluster
        .client()
        .pods()
        .inNamespace(agents)
        .withName(agent())
        .getLog()
        .lines()
        .filter(line -> line.contains("configuration in use: "))
        .reduce("", (_, later) -> later);
  }

  private static String agent() {
    return agentPods().list().getItems().stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .map(pod -> pod.getMetadata().getName())
        .findFirst()
        .orElseThrow();
  }

  private static double metric(String name, String label) {
    String metrics =
        cluster
            .client()
            .raw("/api/v1/namespaces/" + agents + "/pods/" + agent() + ":9400/proxy/metrics");
    return metrics
        .lines()
        .filter(line -> line.startsWith(name) && line.contains(label))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  private static Node node() {
    return cluster.client().nodes().withName(cluster.node()).require();
  }

  private static NodeCondition gpuUnhealthy() {
    return node().getStatus().getConditions().stream()
        .filter(condition -> "GpuUnhealthy".equals(condition.getType()))
        .findFirst()
        .orElseThrow(() -> new AssertionError("the Node has no condition GpuUnhealthy"));
  }

  private static List<String> taints() {
    return node().getSpec().getTaints().stream()
        .map(taint -> taint.getKey() + ':' + taint.getEffect())
        .toList();
  }

  /** Those on pods of this test. */
  private List<Event> events(String reason) {
    return cluster.client().v1().events().inNamespace(namespace).list().getItems().stream()
        .filter(event -> reason.equals(event.getReason()))
        .toList();
  }

  private static void awaitOffered(String capacity, String allocatable) {
    awaitThat(
        () -> {
          var status = node().getStatus();
          assertThat(
                  List.of(
                      status.getCapacity().getOrDefault(GPU, new Quantity("0")),
                      status.getAllocatable().getOrDefault(GPU, new Quantity("0"))))
              .containsExactly(new Quantity(capacity), new Quantity(allocatable));
        });
  }

  private static void awaitThat(ThrowingRunnable assertion) {
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(KubernetesClientException.class)
        .untilAsserted(assertion);
  }
}
