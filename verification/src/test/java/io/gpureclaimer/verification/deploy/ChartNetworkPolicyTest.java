package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicySpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Network policies let in the peers that are named, and there is none where no peer is known. */
class ChartNetworkPolicyTest {
  private static final Pattern SHOWN =
      Pattern.compile("```yaml\\n(exporter:\\n  networkPolicy:.*?)```", Pattern.DOTALL);
  private static final String NAMESPACE = "kubernetes.io/metadata.name";

  @Test
  void thereIsNone_whereNoPeerIsNamed() {
    assertThat(Chart.render()).doesNotContain("kind: NetworkPolicy");
  }

  @Test
  void theExampleLetsInPrometheusAlone_andOutToWhatTheReclaimerNeeds(@TempDir Path folder)
      throws IOException {
    var shown = SHOWN.matcher(Files.readString(Chart.REPOSITORY.resolve("docs/guide/security.md")));
    assertThat(shown.find()).isTrue();
    Path values = Files.writeString(folder.resolve("values.yaml"), shown.group(1));

    List<NetworkPolicy> policies =
        Chart.objects(values).stream()
            .filter(NetworkPolicy.class::isInstance)
            .map(NetworkPolicy.class::cast)
            .toList();

    assertThat(policies)
        .extracting(policy -> policy.getMetadata().getName())
        .containsExactlyInAnyOrder("gpu-exporter", "gpu-reclaimer");
    assertThat(policies)
        .allSatisfy(
            policy ->
                assertThat(letIn(policy.getSpec()))
                    .containsExactly(Map.of(NAMESPACE, "monitoring")));
    NetworkPolicySpec reclaimer =
        policies.stream()
            .filter(policy -> policy.getMetadata().getName().equals("gpu-reclaimer"))
            .findFirst()
            .orElseThrow()
            .getSpec();
    assertThat(reclaimer.getPolicyTypes()).containsExactly("Ingress", "Egress");
    assertThat(reclaimer.getEgress()).hasSize(3);
  }

  private static List<Map<String, String>> letIn(NetworkPolicySpec spec) {
    return spec.getIngress().stream()
        .flatMap(rule -> rule.getFrom().stream())
        .map(peer -> peer.getNamespaceSelector().getMatchLabels())
        .toList();
  }
}
