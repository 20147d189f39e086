package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An upgrade with which the agents no longer label nodes removes the labels that they wrote. */
class ChartLabelsRemovalTest {
  private static final String NAME = "gpu-exporter-labels-removal";
  private static final String LABELED = "--node-labels=node";
  private static final String ON =
      "exporter: {devicePlugin: {enabled: true, nodeLabels: {enabled: true}}}\n";
  private static final String TO_A_FILE =
      "exporter: {devicePlugin: {enabled: true, nodeLabels: {enabled: true, to: nfd-file}}}\n";
  private static final String OFF = "exporter: {devicePlugin: {enabled: true}}\n";
  private static final String NO_AGENTS = "exporter: {enabled: false}\n";

  @TempDir private Path folder;

  @Test
  void aJobRemovesThem_withAnAccountOfItsOwn() throws IOException {
    List<HasMetadata> hooks = upgrade(LABELED, OFF);

    assertThat(hooks)
        .extracting(HasMetadata::getKind)
        .containsExactlyInAnyOrder("ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Job");
    assertThat(hooks)
        .allSatisfy(
            hook ->
                assertThat(hook.getMetadata().getAnnotations())
                    .containsEntry(
                        "helm.sh/hook-delete-policy", "before-hook-creation,hook-succeeded"));
    assertThat(only(hooks, ClusterRole.class).getRules())
        .singleElement()
        .extracting(PolicyRule::getResources, PolicyRule::getVerbs)
        .containsExactly(List.of("nodes"), List.of("get", "list", "patch"));
    PodSpec pod = only(hooks, Job.class).getSpec().getTemplate().getSpec();
    assertThat(pod.getServiceAccountName()).isEqualTo(NAME);
    assertThat(pod.getContainers().getFirst().getArgs()).containsExactly("remove-labels");
    assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
  }

  @Test
  void aJobRemovesThem_whereTheAgentsGoOrWriteElsewhere() throws IOException {
    assertThat(upgrade(LABELED, NO_AGENTS)).hasSize(4);
    assertThat(upgrade(LABELED, TO_A_FILE)).hasSize(4);
  }

  @Test
  void nothingIsRemoved_whereLabelsAreStillWrittenOrNeverWere() throws IOException {
    assertThat(upgrade(LABELED, ON)).isEmpty();
    assertThat(upgrade("--device-plugin", OFF)).isEmpty();
    assertThat(upgrade("--node-labels=nfd-file", OFF)).isEmpty();
  }

  @Test
  void nothingIsRendered_withoutACluster() {
    assertThat(Chart.render()).doesNotContain(NAME);
  }

  /** The notes are those of an upgrade of agents that labeled nodes. */
  @Test
  void theNotesNameTheJob() throws IOException {
    assertThat(Chart.notesFrom(found(LABELED), Map.of()))
        .contains("The Job " + NAME, "removes the labels that they wrote");
  }

  private List<HasMetadata> upgrade(String argument, String values) throws IOException {
    Path file = Files.writeString(Files.createTempFile(folder, "", ".yaml"), values);
    return StrictYaml.objects(Chart.renderFrom(found(argument), file)).stream()
        .filter(object -> object.getMetadata().getName().equals(NAME))
        .toList();
  }

  /**
   * The chart, as if a DaemonSet with this argument were there. Nothing can be looked up without a
   * cluster, and hooks are not rendered, so they are no hooks here.
   */
  private Path found(String argument) throws IOException {
    Path chart = Chart.copyTo(Files.createTempDirectory(folder, "").resolve("chart"));
    String daemonSet =
        """
        dict "spec" (dict "template" (dict "spec" (dict "containers" (list (dict "args" (list "%s"))))))"""
            .formatted(argument);
    replace(
        chart.resolve("templates/_names.tpl"),
        "lookup \"apps/v1\" \"DaemonSet\" (include \"gpu-reclaimer.exporter.namespace\" .)"
            + " (include \"gpu-reclaimer.exporter.fullname\" .)",
        daemonSet);
    replace(
        chart.resolve("templates/_names.tpl"),
        "if and .Values.lookAround (not (and",
        "if and true (not (and");
    replace(
        chart.resolve("templates/exporter/labels.yaml"),
        "helm.sh/hook: post-upgrade",
        "hook: none");
    return chart;
  }

  private static void replace(Path file, String text, String by) throws IOException {
    String all = Files.readString(file);
    assertThat(all).contains(text);
    Files.writeString(file, all.replace(text, by));
  }

  private static <T> T only(List<HasMetadata> objects, Class<T> kind) {
    return objects.stream().filter(kind::isInstance).map(kind::cast).findFirst().orElseThrow();
  }
}
