package io.gpureclaimer.verification.scenario.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.marcnuri.helm.DryRun;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.InstallCommand;
import com.marcnuri.helm.Release;
import com.marcnuri.helm.UpgradeCommand;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpureclaimer.verification.deploy.Chart;
import io.gpureclaimer.verification.deploy.Examples;
import io.gpureclaimer.verification.scenario.harness.Kubeconfig;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.OwnCluster;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A real API server takes all that the chart renders, and Helm installs, upgrades and removes it.
 */
@OnCluster
class ChartE2E {
  private static final String RELEASE = "gpu-reclaimer";
  private static final String INSTANCE = "app.kubernetes.io/instance";
  private static final String PRODUCT = "nvidia.com/gpu.product";
  private static final Duration START = Duration.ofMinutes(3);

  private final TestCluster cluster;
  private final String namespace;

  ChartE2E(TestCluster cluster) {
    this.cluster = cluster;
    this.namespace = cluster.namespace("chart", Map.of());
    cluster.apply(Manifest.beside(ChartE2E.class, "operator-crds.yaml"));
    // A kind that is only just known is not found for a moment.
    await("the operator's kinds")
        .atMost(START)
        .ignoreExceptionsInstanceOf(KubernetesClientException.class)
        .until(
            () ->
                Stream.of("ServiceMonitor", "PodMonitor", "PrometheusRule")
                    .allMatch(kind -> named(kind).isEmpty()));
  }

  /** What belongs to no namespace does not go with it. */
  @AfterEach
  void remove() {
    Helm.uninstall(RELEASE)
        .withNamespace(namespace)
        .withKubeConfig(kubeconfig())
        .ignoreNotFound()
        .call();
  }

  @Test
  void everythingRenderedIsTaken() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("src/test/chart"))) {
      Stream.concat(files.sorted(), Examples.values().stream())
          .forEach(values -> Chart.objects(values).forEach(object -> take(values, object)));
    }
  }

  private void take(Path values, HasMetadata object) {
    if (object.getMetadata().getNamespace() != null) {
      object.getMetadata().setNamespace(namespace);
    }
    assertThat(cluster.client().resource(object).dryRun().create())
        .as("%s of %s", object.getMetadata().getName(), values)
        .isNotNull();
  }

  @Test
  void isInstalled_upgraded_andRemovedWithoutATrace() {
    Release installed = install().call();

    assertThat(installed.getStatus()).isEqualTo("deployed");
    assertThat(installed.getOutput())
        .contains("FOUND IN THE CLUSTER", "API available", "NEXT STEPS");
    assertThat(monitors()).containsExactly("gpu-exporter", "gpu-reclaimer");
    await("all pods are ready").atMost(START).until(() -> ready() == 1 + 2);
    await("the plugin has the reclaimer's verdicts")
        .atMost(START)
        .untilAsserted(
            () ->
                assertThat(
                        OwnCluster.orSkip().kubectlGpu(namespace, "who", "--namespace", namespace))
                    .isEqualTo("No pod has GPUs.\n"));

    Release upgraded =
        upgrade()
            .set("exporter.virtualGPUs", true)
            .set("reclaimer.replicas", 1)
            .set("exporter.config.sampling.interval", "2s")
            .set("reclaimer.config.plan.nomination", "9m")
            .call();
    assertThat(upgraded.getRevision()).isEqualTo("2");
    await("one reclaimer, and all pods with their configuration")
        .atMost(START)
        .until(() -> ready() == 1 + 1 && configured() == 1 + 1);
    assertThat(agents().getSpec().getTemplate().getSpec().getContainers().getFirst().getEnv())
        .extracting(variable -> variable.getName())
        .contains("KUBERNETES_VIRTUAL_GPUS");

    remove();
    await("nothing is left").atMost(START).untilAsserted(() -> assertThat(left()).isEmpty());
  }

  @Test
  void labelsOfTheNodeGo_withTheUpgradeThatSwitchesThemOff() {
    install()
        .set("exporter.devicePlugin.enabled", true)
        .set("exporter.devicePlugin.nodeLabels.enabled", true)
        .set("reclaimer.enabled", false)
        .call();
    await("the agent's labels")
        .atMost(START)
        .untilAsserted(() -> assertThat(gpuLabels()).contains(PRODUCT));

    Release upgraded = upgrade().set("exporter.devicePlugin.nodeLabels.enabled", false).call();

    assertThat(upgraded.getStatus()).isEqualTo("deployed");
    assertThat(gpuLabels()).isEmpty();
    await("the account of the removal is gone")
        .atMost(START)
        .untilAsserted(
            () -> assertThat(left()).noneMatch(thing -> thing.contains("labels-removal")));
    await("the agent without labels")
        .atMost(START)
        .untilAsserted(
            () -> {
              assertThat(ready()).isEqualTo(1);
              assertThat(gpuLabels()).isEmpty();
            });
  }

  @Test
  void isNotInstalledBesideNvidiasDevicePlugin() {
    cluster.apply(
        new DaemonSetBuilder(agentsOf(Chart.objects(Map.of())))
            .withNewMetadata()
            .withName("nvidia-device-plugin-daemonset")
            .withNamespace(namespace)
            .endMetadata()
            .editSpec()
            .editTemplate()
            .editSpec()
            .addToNodeSelector("on", "no-node")
            .endSpec()
            .endTemplate()
            .endSpec()
            .build());

    assertThatThrownBy(
            () ->
                install()
                    .set("exporter.devicePlugin.enabled", true)
                    .withDryRunOption(DryRun.SERVER)
                    .call())
        .hasMessageContaining(
            "NVIDIA's device plugin runs already: "
                + namespace
                + "/nvidia-device-plugin-daemonset.");
  }

  /** Who keeps the name keeps {@code job}, too. */
  @Test
  void takesNoAgentOfOursForDcgmExporter_whateverItIsCalled() {
    DaemonSet agents =
        agentsOf(Chart.objects(Map.of("exporter.fullnameOverride", "dcgm-exporter")));
    cluster.apply(
        new DaemonSetBuilder(agents)
            .editMetadata()
            .withNamespace(namespace)
            .endMetadata()
            .editSpec()
            .editTemplate()
            .editSpec()
            .addToNodeSelector("on", "no-node")
            .endSpec()
            .endTemplate()
            .endSpec()
            .build());

    assertThat(install().withDryRunOption(DryRun.SERVER).call().getOutput())
        .contains("dcgm-exporter        none");
  }

  @Test
  void theKustomizationHoldsAllManifests() {
    String built = OwnCluster.orSkip().kubectl("kustomize", Chart.REPOSITORY + "/deploy/manifests");

    assertThat(built.split("(?m)^---$"))
        .hasSize(
            Manifest.shipped().stream()
                .mapToInt(name -> Manifest.shipped(name).text().split("(?m)^---$").length)
                .sum());
  }

  private InstallCommand install() {
    return new Helm(Chart.FOLDER)
        .install()
        .withName(RELEASE)
        .withNamespace(namespace)
        .withKubeConfig(kubeconfig())
        .withValuesFile(
            Path.of("src/test/java/io/gpureclaimer/verification/scenario/install/values.yaml"));
  }

  private UpgradeCommand upgrade() {
    return new Helm(Chart.FOLDER)
        .upgrade()
        .withName(RELEASE)
        .withNamespace(namespace)
        .withKubeConfig(kubeconfig())
        .reuseValues();
  }

  private static Path kubeconfig() {
    return Kubeconfig.required();
  }

  private List<String> monitors() {
    return named("ServiceMonitor");
  }

  private List<String> named(String kind) {
    return cluster
        .client()
        .genericKubernetesResources("monitoring.coreos.com/v1", kind)
        .inNamespace(namespace)
        .list()
        .getItems()
        .stream()
        .map(object -> object.getMetadata().getName())
        .sorted()
        .toList();
  }

  private long ready() {
    return readyPods().count();
  }

  private long configured() {
    return readyPods()
        .filter(pod -> pod.getMetadata().getAnnotations().containsKey("checksum/config"))
        .count();
  }

  private Stream<Pod> readyPods() {
    return cluster
        .client()
        .pods()
        .inNamespace(namespace)
        .withLabel(INSTANCE, RELEASE)
        .list()
        .getItems()
        .stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .filter(ChartE2E::isReady);
  }

  private static boolean isReady(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .anyMatch(
            condition ->
                "Ready".equals(condition.getType()) && "True".equals(condition.getStatus()));
  }

  private DaemonSet agents() {
    return cluster
        .client()
        .apps()
        .daemonSets()
        .inNamespace(namespace)
        .withName("gpu-exporter")
        .require();
  }

  /** What the agents write, and not the labels of administrators. */
  private List<String> gpuLabels() {
    return cluster
        .client()
        .nodes()
        .withName(cluster.node())
        .require()
        .getMetadata()
        .getLabels()
        .keySet()
        .stream()
        .filter(label -> label.startsWith("nvidia.com/"))
        .toList();
  }

  private static DaemonSet agentsOf(List<HasMetadata> objects) {
    return objects.stream()
        .filter(DaemonSet.class::isInstance)
        .map(DaemonSet.class::cast)
        .findFirst()
        .orElseThrow();
  }

  private List<String> left() {
    var client = cluster.client();
    return Stream.of(
            client.pods().inNamespace(namespace).withLabel(INSTANCE, RELEASE).list().getItems(),
            client.services().inNamespace(namespace).withLabel(INSTANCE).list().getItems(),
            client.configMaps().inNamespace(namespace).withLabel(INSTANCE).list().getItems(),
            client.serviceAccounts().inNamespace(namespace).withLabel(INSTANCE).list().getItems(),
            client.rbac().clusterRoles().withLabel(INSTANCE).list().getItems(),
            client.rbac().clusterRoleBindings().withLabel(INSTANCE).list().getItems(),
            client.scheduling().v1().priorityClasses().withLabel(INSTANCE).list().getItems(),
            client
                .admissionRegistration()
                .v1()
                .validatingAdmissionPolicies()
                .withLabel(INSTANCE)
                .list()
                .getItems())
        .flatMap(List::stream)
        .map(thing -> thing.getKind() + ' ' + thing.getMetadata().getName())
        .toList();
  }
}
