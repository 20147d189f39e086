package io.gpureclaimer.verification.scenario.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.marcnuri.helm.Helm;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.networking.v1.IPBlock;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.gpureclaimer.verification.deploy.Chart;
import io.gpureclaimer.verification.scenario.harness.Kubeconfig;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.NodeProcess;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.OwnCluster;
import io.gpureclaimer.verification.scenario.harness.RealController;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The chart's NetworkPolicies where kube-router enforces them. The machine of the test is a host
 * outside of the cluster. The API server runs on the only node, from which kube-router lets in
 * every connection: which of its addresses are let in is compared, and not tried.
 */
@OnCluster
@Tag("nightly")
class NetworkPolicyE2E {
  private static final String RELEASE = "gpu-reclaimer";
  private static final Duration SOON = Duration.ofMinutes(3);
  private static final int CONNECT_MILLIS = 2_000;

  private final TestCluster cluster;
  private final OwnCluster own = OwnCluster.orSkip();
  private final String namespace;

  NetworkPolicyE2E(TestCluster cluster) {
    this.cluster = cluster;
    this.namespace = cluster.namespace("network", Map.of());
  }

  /** What belongs to no namespace does not go with it. */
  @AfterEach
  void remove() {
    Helm.uninstall(RELEASE)
        .withNamespace(namespace)
        .withKubeConfig(Kubeconfig.required())
        .ignoreNotFound()
        .call();
  }

  @Test
  void podsOfTheClusterAreLetIn_hostsOutsideOfItAreNot_untilTheyAreNamed() throws IOException {
    install();
    List<Pod> pods = cluster.awaitReady(namespace, 2, SOON);
    List<InetSocketAddress> targets = pods.stream().map(NetworkPolicyE2E::listener).toList();
    String client = client(targets);

    assertThat(targets).as("without enforcement").allMatch(NetworkPolicyE2E::connects);
    assertThat(addressesInThePolicy()).containsExactlyElementsOf(apiServers());

    try (NodeProcess enforcer = RealController.start(cluster, "kube-router")) {
      await("the host outside is refused")
          .atMost(SOON)
          .failFast(enforcer::requireRunning)
          .until(() -> targets.stream().noneMatch(NetworkPolicyE2E::connects));
      awaitSeenBy(client, targets, "up");
      assertThat(kubectlGpu()).isEqualTo("No pod has GPUs.\n");

      String host = hostAddressTowards(targets.getFirst());
      upgrade("exporter.networkPolicy.from[0].ipBlock.cidr", host);
      upgrade("reclaimer.networkPolicy.from[0].ipBlock.cidr", host);

      await("the named host connects")
          .atMost(SOON)
          .until(() -> targets.stream().allMatch(NetworkPolicyE2E::connects));
      awaitSeenBy(client, targets, "down");
      assertThat(kubectlGpu()).isEqualTo("No pod has GPUs.\n");
      assertThat(cluster.pods(namespace)).as("probes").hasSize(2).allMatch(Readiness::isPodReady);
    }
  }

  private void install() {
    new Helm(Chart.FOLDER)
        .install()
        .withName(RELEASE)
        .withNamespace(namespace)
        .withKubeConfig(Kubeconfig.required())
        .withValuesFile(
            Path.of("src/test/java/io/gpureclaimer/verification/scenario/install/values.yaml"))
        .set("reclaimer.replicas", 1)
        .set("exporter.serviceMonitor.enabled", false)
        .set("reclaimer.serviceMonitor.enabled", false)
        .set("prometheusRule.enabled", false)
        .call();
  }

  private void upgrade(String key, String value) {
    new Helm(Chart.FOLDER)
        .upgrade()
        .withName(RELEASE)
        .withNamespace(namespace)
        .withKubeConfig(Kubeconfig.required())
        .reuseValues()
        .set(key, value)
        .call();
  }

  /** A pod of another namespace that connects to the targets again and again. */
  private String client(List<InetSocketAddress> targets) {
    String other = cluster.namespace("client", Map.of());
    cluster.apply(
        Manifest.beside(NetworkPolicyE2E.class, "client.yaml")
            .with("namespace", other)
            .with("urls", String.join(" ", targets.stream().map(NetworkPolicyE2E::url).toList())));
    cluster.awaitReady(other, "client");
    return other;
  }

  private void awaitSeenBy(String client, List<InetSocketAddress> targets, String state) {
    String[] expected =
        targets.stream().map(target -> url(target) + ' ' + state).toArray(String[]::new);
    await("the pod of another namespace finds all " + state)
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(
                        cluster
                            .client()
                            .pods()
                            .inNamespace(client)
                            .withName("client")
                            .tailingLines(targets.size())
                            .getLog()
                            .lines())
                    .containsExactlyInAnyOrder(expected));
  }

  private String kubectlGpu() {
    return own.kubectlGpu(namespace, "who", "--namespace", namespace);
  }

  private List<String> addressesInThePolicy() {
    return cluster
        .client()
        .network()
        .v1()
        .networkPolicies()
        .inNamespace(namespace)
        .withName("gpu-reclaimer")
        .require()
        .getSpec()
        .getIngress()
        .stream()
        .flatMap(rule -> rule.getFrom().stream())
        .map(NetworkPolicyPeer::getIpBlock)
        .filter(Objects::nonNull)
        .map(IPBlock::getCidr)
        .toList();
  }

  private List<String> apiServers() {
    return cluster
        .client()
        .discovery()
        .v1()
        .endpointSlices()
        .inNamespace("default")
        .withName("kubernetes")
        .require()
        .getEndpoints()
        .stream()
        .map(Endpoint::getAddresses)
        .flatMap(List::stream)
        .map(address -> address + "/32")
        .sorted()
        .toList();
  }

  private static InetSocketAddress listener(Pod pod) {
    int port = pod.getSpec().getContainers().getFirst().getPorts().getFirst().getContainerPort();
    return new InetSocketAddress(pod.getStatus().getPodIP(), port);
  }

  private static String url(InetSocketAddress target) {
    return "http://" + target.getHostString() + ':' + target.getPort() + "/metrics";
  }

  private static boolean connects(InetSocketAddress target) {
    try (var socket = new Socket()) {
      socket.connect(target, CONNECT_MILLIS);
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  private static String hostAddressTowards(InetSocketAddress target) throws IOException {
    try (var socket = new DatagramSocket()) {
      socket.connect(target);
      return socket.getLocalAddress().getHostAddress() + "/32";
    }
  }
}
