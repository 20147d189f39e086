package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Policies limit the agents' account wherever its roles let it write nodes. */
class ChartAdmissionTest {
  private static final Path LABELS =
      Chart.REPOSITORY.resolve("plugin-core/deviceplugin/src/test/resources/golden/labels");
  private static final Pattern KEYS = Pattern.compile("labels\\[\\.](nvidia.+)\\$'\\)");

  @Test
  void agentsThatWriteNodesAreLimited_andOthersNeedNoPolicy() {
    assertThat(policies(Map.of())).isEmpty();
    assertThat(policies(labels("nfd-file"))).isEmpty();
    assertThat(policies(labels("node"))).containsExactly("gpu-exporter-nodes");
    assertThat(policies(labels("node-feature"))).containsExactly("gpu-exporter-nodefeatures");
    assertThat(policies(health(labels("node-feature"))))
        .containsExactly("gpu-exporter-nodes", "gpu-exporter-nodefeatures");
  }

  @Test
  void areInstalledByTheSwitchOfTheReclaimers() {
    var without = new HashMap<String, Object>(labels("node"));
    without.put("admissionPolicy.enabled", false);

    assertThat(policies(without)).isEmpty();
    assertThat(Chart.render("1.29.0", labels("node"))).doesNotContain("ValidatingAdmissionPolicy");
  }

  /** Each only with its value: labels, the condition, the taint. */
  @Test
  void allowOnlyWhatTheValuesAskFor() {
    String labels = "!path.matches(";
    String condition = "'GpuUnhealthy'";
    String taint = "'nvidia.com/gpu-unhealthy'";
    var onlyHealth = new HashMap<>(health(labels("nfd-file")));
    var withTaint = new HashMap<>(onlyHealth);
    withTaint.put("exporter.devicePlugin.nodeHealth.taint", true);

    assertThat(Chart.render(labels("node"))).contains(labels).doesNotContain(condition, taint);
    assertThat(Chart.render(onlyHealth)).contains(condition).doesNotContain(labels, taint);
    assertThat(Chart.render(withTaint)).contains(condition, taint).doesNotContain(labels);
  }

  private static Map<String, Object> health(Map<String, Object> values) {
    var more = new HashMap<>(values);
    more.put("exporter.devicePlugin.nodeHealth.condition", true);
    return more;
  }

  /** Whether or not the reclaimer is installed with them, and under which names. */
  @Test
  void limitTheAccountOfTheAgents() {
    var values = new HashMap<String, Object>(labels("node"));
    values.put("exporter.namespaceOverride", "gpus");
    values.put("exporter.serviceAccount.name", "agent");
    values.put("admissionPolicy.validationActions[0]", "Warn");

    assertThat(Chart.objects(values))
        .filteredOn(ValidatingAdmissionPolicy.class::isInstance)
        .map(object -> ((ValidatingAdmissionPolicy) object).getSpec())
        .flatExtracting(policy -> policy.getMatchConditions())
        .extracting(condition -> condition.getExpression())
        .containsExactly("request.userInfo.username == 'system:serviceaccount:gpus:agent'");
    assertThat(Chart.objects(values))
        .filteredOn(ValidatingAdmissionPolicyBinding.class::isInstance)
        .map(object -> ((ValidatingAdmissionPolicyBinding) object).getSpec())
        .allSatisfy(binding -> assertThat(binding.getValidationActions()).containsExactly("Deny"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"node", "node-feature"})
  void allowEveryLabelThatAgentsWrite(String to) throws IOException {
    assertThat(written()).hasSizeGreaterThan(80).allMatch(keys(to).asMatchPredicate());
  }

  /** Others act on these, or wrote them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "nvidia.com/mig.config",
        "nvidia.com/mig.config.state",
        "nvidia.com/device-plugin.config",
        "nvidia.com/gpu.deploy.driver",
        "nvidia.com/gpu.present",
        "nvidia.com/gpu-driver-upgrade-state",
        "xnvidia.com/gpu.count",
        "nvidia.com/gpu.count.more",
        "node-role.kubernetes.io/control-plane",
        "team"
      })
  void allowNoOtherLabel(String key) {
    assertThat(key).doesNotMatch(keys("node"));
  }

  private static List<String> written() throws IOException {
    try (Stream<Path> files = Files.list(LABELS)) {
      return files
          .flatMap(file -> lines(file).stream())
          .map(line -> line.substring(0, line.indexOf('=')))
          .distinct()
          .toList();
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new AssertionError(file.toString(), e);
    }
  }

  private static Pattern keys(String to) {
    Matcher keys = KEYS.matcher(Chart.render(labels(to)));
    assertThat(keys.find()).isTrue();
    return Pattern.compile(keys.group(1));
  }

  private static List<String> policies(Map<String, ?> values) {
    var alone = new HashMap<String, Object>(values);
    alone.put("reclaimer.enabled", false);
    return Chart.objects(alone).stream()
        .filter(ValidatingAdmissionPolicy.class::isInstance)
        .map(policy -> policy.getMetadata().getName())
        .toList();
  }

  private static Map<String, Object> labels(String to) {
    return Map.of(
        "reclaimer.enabled",
        false,
        "exporter.devicePlugin.enabled",
        true,
        "exporter.devicePlugin.nodeLabels.enabled",
        true,
        "exporter.devicePlugin.nodeLabels.to",
        to);
  }
}
