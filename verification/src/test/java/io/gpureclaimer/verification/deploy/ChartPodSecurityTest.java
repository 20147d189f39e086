package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The notes say which pods Pod Security keeps from starting, and what allows them. */
class ChartPodSecurityTest {
  private static final String LOOKUP = "lookup \"v1\" \"Namespace\" \"\" .namespace";
  private static final String ENFORCES = "enforces the Pod Security level ";
  private static final String AGENTS = "no pod of the DaemonSet gpu-exporter can start there";
  private static final String RECLAIMER = "no pod of the Deployment gpu-reclaimer can start there";
  private static final Map<String, ?> APART = Map.of("exporter.namespaceOverride", "agents");

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"baseline", "restricted"})
  void namesTheCommand_whereTheAgentsCannotStart(String level) throws IOException {
    assertThat(notes(Map.of("gpu-reclaimer", level), Map.of()))
        .contains(
            "The namespace gpu-reclaimer " + ENFORCES + level,
            AGENTS,
            "kubectl label --overwrite namespace gpu-reclaimer"
                + " pod-security.kubernetes.io/enforce=privileged",
            "kubectl -n gpu-reclaimer rollout restart daemonset/gpu-exporter",
            "exporter.namespaceOverride=gpu-exporter,namespaces.create=exporter")
        .doesNotContain(RECLAIMER);
  }

  @Test
  void scrapesTheAgentsOwnNamespace_whereTheyHaveOne() throws IOException {
    assertThat(notes(Map.of("agents", "baseline"), APART))
        .contains("The namespace agents " + ENFORCES + "baseline", AGENTS)
        .doesNotContain("namespaces.create=exporter");
    assertThat(notes(Map.of("gpu-reclaimer", "restricted"), APART)).doesNotContain(ENFORCES);
  }

  @Test
  void saysNothing_whereNothingIsEnforcedOrKnown() throws IOException {
    assertThat(notes(Map.of("gpu-reclaimer", "privileged"), Map.of())).doesNotContain(ENFORCES);
    assertThat(notes(Map.of(), Map.of())).doesNotContain(ENFORCES);
    assertThat(Chart.notes(Map.of())).doesNotContain(ENFORCES);
  }

  /** An upgrade is rendered before it labels the namespace. */
  @Test
  void saysNothing_whereTheChartLabelsTheNamespace() throws IOException {
    var values = new HashMap<String, Object>(APART);
    values.put("namespaces.create", "exporter");

    assertThat(notes(Map.of("agents", "restricted"), values)).doesNotContain(ENFORCES);
  }

  @ParameterizedTest
  @CsvSource({
    "reclaimer.podSecurityContext.runAsNonRoot, false, restricted, baseline",
    "reclaimer.podSecurityContext.runAsUser, 0, restricted, baseline",
    "reclaimer.securityContext.allowPrivilegeEscalation, true, restricted, baseline",
    "reclaimer.securityContext.capabilities.add[0], SYS_PTRACE, baseline, privileged",
    "reclaimer.extraVolumes[0].hostPath.path, /etc/ssl, baseline, privileged"
  })
  void namesTheLevelThatIsEnough_whereTheReclaimerCannotStart(
      String key, String value, String enforced, String enough) throws IOException {
    Map<String, ?> values =
        Map.of("exporter.enabled", false, "reclaimer.extraVolumes[0].name", "volume", key, value);

    assertThat(notes(Map.of("gpu-reclaimer", enforced), values))
        .contains(
            "The namespace gpu-reclaimer " + ENFORCES + enforced,
            RECLAIMER,
            "namespace gpu-reclaimer pod-security.kubernetes.io/enforce=" + enough,
            "kubectl -n gpu-reclaimer rollout restart deployment/gpu-reclaimer");
    assertThat(notes(Map.of("gpu-reclaimer", enough), values)).doesNotContain(ENFORCES);
  }

  /** Nothing can be looked up without a cluster, so the chart is given what it would find. */
  private String notes(Map<String, String> levels, Map<String, ?> values) throws IOException {
    Path chart = Chart.copyTo(Files.createTempDirectory(folder, "").resolve("chart"));
    Path names = chart.resolve("templates/_names.tpl");
    String text = Files.readString(names);
    assertThat(text).contains(LOOKUP, "if .root.Values.lookAround }}\n{{- $namespace");
    var found = new StringBuilder("dict");
    levels.forEach(
        (namespace, level) ->
            found.append(
                " \"%s\" (dict \"metadata\" (dict \"labels\" (dict \"pod-security.kubernetes.io/enforce\" \"%s\")))"
                    .formatted(namespace, level)));
    Files.writeString(
        names,
        text.replace(LOOKUP, "get (" + found + ") .namespace | default dict")
            .replace(
                "if .root.Values.lookAround }}\n{{- $namespace", "if true }}\n{{- $namespace"));
    return Chart.notesFrom(chart, values);
  }
}
