package io.gpureclaimer.verification.deploy;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeerBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Network policies let in the pods of the cluster and the API servers, or the peers of the values.
 */
class ChartNetworkPolicyTest {
  private static final Pattern SHOWN =
      Pattern.compile("```yaml\\n(exporter:\\n  networkPolicy:.*?)```", Pattern.DOTALL);
  private static final String LOOKUP =
      "lookup \"discovery.k8s.io/v1\" \"EndpointSlice\" \"default\" \"kubernetes\"";
  private static final String ASKED = "if and .Values.lookAround (not $addresses)";
  private static final String EXPORTER = "gpu-exporter";
  private static final String RECLAIMER = "gpu-reclaimer";
  private static final NetworkPolicyPeer PODS =
      new NetworkPolicyPeerBuilder().withNamespaceSelector(new LabelSelector()).build();
  private static final NetworkPolicyPeer MONITORING = namespace("monitoring").build();

  @TempDir private Path folder;

  @Test
  void letInThePodsOfAllNamespaces_andLimitNoEgress_byDefault() {
    NetworkPolicy exporter = policy(EXPORTER, Map.of());
    NetworkPolicy reclaimer = policy(RECLAIMER, Map.of());

    assertThat(peers(exporter)).containsExactly(PODS);
    assertThat(peers(reclaimer)).containsExactly(PODS);
    assertThat(List.of(exporter, reclaimer))
        .allSatisfy(
            policy -> assertThat(policy.getSpec().getPolicyTypes()).containsExactly("Ingress"));
  }

  /** Each program has one listener. Its metrics and probes are on the same port. */
  @Test
  void coverEveryPortOfThePods() {
    assertThat(Chart.objects(Map.of()).stream().flatMap(ChartNetworkPolicyTest::containers))
        .flatExtracting(Container::getPorts)
        .extracting(ContainerPort::getName)
        .containsExactlyInAnyOrder("metrics", "http");
    assertThat(policies(Map.of()))
        .flatExtracting(policy -> policy.getSpec().getIngress())
        .flatExtracting(NetworkPolicyIngressRule::getPorts)
        .extracting(port -> port.getPort().getStrVal())
        .containsExactlyInAnyOrder("metrics", "http");
  }

  @Test
  void letInTheApiServersThatTheClusterReports() throws IOException {
    List<NetworkPolicy> policies =
        policiesOf(Chart.objectsFrom(chartThatFinds("10.0.0.9", "fd00::9"), Map.of()));

    assertThat(peers(named(RECLAIMER, policies)))
        .containsExactly(PODS, block("10.0.0.9/32"), block("fd00::9/128"));
    assertThat(peers(named(EXPORTER, policies))).containsExactly(PODS);
  }

  @Test
  void letInTheApiServersOfTheValues_andThePeers() {
    Map<String, ?> values =
        Map.of(
            "reclaimer.networkPolicy.apiServers[0]", "10.0.0.10/32",
            "reclaimer.networkPolicy.from[0].ipBlock.cidr", "192.0.2.0/24");

    assertThat(peers(policy(RECLAIMER, values)))
        .containsExactly(block("192.0.2.0/24"), block("10.0.0.10/32"));
  }

  /** Otherwise a named Prometheus would make every GPU unknown to it. */
  @Test
  void letInTheReclaimer_whereItScrapesTheAgentsItself() {
    Map<String, ?> direct =
        Map.of(
            "reclaimer.agents[0]", "http://10.0.0.5:9400",
            "exporter.networkPolicy.from[0].ipBlock.cidr", "192.0.2.0/24");

    assertThat(peers(policy(EXPORTER, direct)))
        .containsExactly(
            block("192.0.2.0/24"),
            namespace("gpu-reclaimer")
                .withNewPodSelector()
                .addToMatchLabels("app.kubernetes.io/name", "gpu-reclaimer")
                .addToMatchLabels("app.kubernetes.io/instance", "gpu-reclaimer")
                .endPodSelector()
                .build());
  }

  @ParameterizedTest
  @CsvSource({
    "exporter.networkPolicy.enabled, false, gpu-reclaimer",
    "reclaimer.networkPolicy.enabled, false, gpu-exporter",
    "exporter.hostNetwork, true, gpu-reclaimer"
  })
  void areAbsent_whereSwitchedOffOrWithoutEffect(String key, boolean value, String remains) {
    assertThat(policies(Map.of(key, value, "exporter.rollingUpdate.maxSurge", 0)))
        .extracting(policy -> policy.getMetadata().getName())
        .containsExactly(remains);
  }

  @Test
  void theExampleLetsInPrometheusAlone_andOutToWhatTheReclaimerNeeds() throws IOException {
    var shown =
        SHOWN.matcher(Files.readString(Chart.REPOSITORY.resolve("docs/guide/network-policies.md")));
    assertThat(shown.find()).isTrue();
    Path values = Files.writeString(folder.resolve("values.yaml"), shown.group(1));

    List<NetworkPolicy> policies =
        Chart.objects(values).stream()
            .filter(NetworkPolicy.class::isInstance)
            .map(NetworkPolicy.class::cast)
            .toList();

    assertThat(peers(named(EXPORTER, policies))).containsExactly(MONITORING);
    NetworkPolicy reclaimer = named(RECLAIMER, policies);
    assertThat(peers(reclaimer)).containsExactly(MONITORING, block("10.0.0.10/32"));
    assertThat(reclaimer.getSpec().getPolicyTypes()).containsExactly("Ingress", "Egress");
    assertThat(reclaimer.getSpec().getEgress()).hasSize(3);
  }

  @Test
  void theNotesSayWhoIsLetIn_andHowToLetInOthers() throws IOException {
    assertThat(Chart.notes(Map.of()))
        .contains(
            "allows the pods of all namespaces. For a Prometheus elsewhere:"
                + " exporter.networkPolicy.from=",
            "but not the API servers, so kubectl gpu reads no reports",
            "kubectl get endpointslices -n default kubernetes");
    assertThat(Chart.notesFrom(chartThatFinds("10.0.0.9"), Map.of()))
        .contains("and the API servers 10.0.0.9/32")
        .doesNotContain("reads no reports");
    assertThat(
            Chart.notes(
                Map.of(
                    "exporter.networkPolicy.enabled",
                    false,
                    "reclaimer.networkPolicy.enabled",
                    false)))
        .doesNotContain("NetworkPolicy allows");
  }

  @Test
  void theNotesWarn_whereAServiceIsForClientsThatAreNotLetIn() {
    Map<String, ?> nodePort =
        Map.of(
            "exporter.service.type", "NodePort",
            "reclaimer.service.type", "LoadBalancer",
            "reclaimer.service.allowUnauthenticated", true);

    assertThat(Chart.notes(nodePort))
        .contains(
            "exporter.service is a NodePort, but exporter.networkPolicy",
            "reclaimer.service is a LoadBalancer, but reclaimer.networkPolicy");
    assertThat(
            Chart.notes(
                Map.of(
                    "exporter.service.type",
                    "NodePort",
                    "exporter.networkPolicy.from[0].ipBlock.cidr",
                    "192.0.2.0/24")))
        .doesNotContain("exporter.service is a NodePort");
  }

  private static NetworkPolicy policy(String name, Map<String, ?> values) {
    return named(name, policies(values));
  }

  private static Stream<Container> containers(HasMetadata object) {
    return switch (object) {
      case DaemonSet agents -> agents.getSpec().getTemplate().getSpec().getContainers().stream();
      case Deployment reclaimer ->
          reclaimer.getSpec().getTemplate().getSpec().getContainers().stream();
      default -> Stream.of();
    };
  }

  private static NetworkPolicy named(String name, List<NetworkPolicy> policies) {
    return policies.stream()
        .filter(policy -> policy.getMetadata().getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<NetworkPolicy> policies(Map<String, ?> values) {
    return policiesOf(Chart.objects(values));
  }

  private static List<NetworkPolicy> policiesOf(List<HasMetadata> objects) {
    return objects.stream()
        .filter(NetworkPolicy.class::isInstance)
        .map(NetworkPolicy.class::cast)
        .toList();
  }

  private static List<NetworkPolicyPeer> peers(NetworkPolicy policy) {
    return policy.getSpec().getIngress().stream().flatMap(rule -> rule.getFrom().stream()).toList();
  }

  private static NetworkPolicyPeerBuilder namespace(String name) {
    return new NetworkPolicyPeerBuilder()
        .withNewNamespaceSelector()
        .addToMatchLabels("kubernetes.io/metadata.name", name)
        .endNamespaceSelector();
  }

  private static NetworkPolicyPeer block(String addresses) {
    return new NetworkPolicyPeerBuilder().withNewIpBlock().withCidr(addresses).endIpBlock().build();
  }

  /** Nothing can be looked up without a cluster, so the chart is given what it would find. */
  private Path chartThatFinds(String... addresses) throws IOException {
    Path chart = Chart.copyTo(Files.createTempDirectory(folder, "").resolve("chart"));
    Path names = chart.resolve("templates/_names.tpl");
    String text = Files.readString(names);
    assertThat(text).contains(LOOKUP, ASKED);
    String found = Stream.of(addresses).map(address -> '"' + address + '"').collect(joining(" "));
    Files.writeString(
        names,
        text.replace(LOOKUP, "dict \"endpoints\" (list (dict \"addresses\" (list " + found + ")))")
            .replace(ASKED, "if not $addresses"));
    return chart;
  }
}
