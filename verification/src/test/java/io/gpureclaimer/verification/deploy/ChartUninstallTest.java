package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Before an uninstall, a hook restores what is reclaimed. */
class ChartUninstallTest {
  private static final String HOOK = "helm.sh/hook: pre-delete";
  private static final String NOT_WANTED = "reclaimer: {restoreOnUninstall: false}\n";
  private static final String EVICT_ONLY =
      "reclaimer: {verbs: {scale: false, suspend: false, stop: false}}\n";

  @TempDir private Path folder;

  /** Helm uninstalls the account and its roles after the hook. */
  @Test
  void workloadsAreRestoredBefore_byTheReclaimersAccount() throws IOException {
    Job restore = hooks("").getFirst();
    PodSpec pod = restore.getSpec().getTemplate().getSpec();

    assertThat(restore.getMetadata().getAnnotations())
        .containsEntry("helm.sh/hook-delete-policy", "before-hook-creation,hook-succeeded");
    assertThat(pod.getServiceAccountName()).isEqualTo("gpu-reclaimer");
    assertThat(pod.getContainers().getFirst().getArgs()).containsExactly("restore", "--all");
    assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
    assertThat(restore.getSpec().getTemplate().getMetadata().getLabels())
        .doesNotContainEntry("app.kubernetes.io/name", "gpu-reclaimer");
    assertThat(Chart.notes(Map.of()))
        .contains("helm uninstall first restores all reclaimed workloads", "The CRD");
  }

  @Test
  void nothingIsRestored_whenThatIsNotWanted() throws IOException {
    assertThat(hooks(NOT_WANTED)).isEmpty();
    assertThat(Chart.notes(Map.of("reclaimer.restoreOnUninstall", false)))
        .contains("reclaimed workloads stay as they are");
  }

  @Test
  void nothingIsRestored_whenOwnersAreNeverChanged() throws IOException {
    assertThat(hooks(EVICT_ONLY)).isEmpty();
    assertThat(
            Chart.notes(
                Map.of(
                    "reclaimer.verbs.scale", false,
                    "reclaimer.verbs.suspend", false,
                    "reclaimer.verbs.stop", false)))
        .doesNotContain("AT UNINSTALL");
  }

  /** Only what is no hook is rendered, so the chart is rendered as if it were none. */
  private List<Job> hooks(String values) throws IOException {
    Path chart = Chart.copyTo(folder.resolve("chart"));
    Path template = chart.resolve("templates/reclaimer/restore.yaml");
    String text = Files.readString(template);
    assertThat(text).contains(HOOK);
    Files.writeString(template, text.replace(HOOK, ""));
    Path file = Files.writeString(folder.resolve("values.yaml"), values);
    return StrictYaml.objects(Chart.renderFrom(chart, file)).stream()
        .filter(Job.class::isInstance)
        .map(Job.class::cast)
        .toList();
  }
}
