package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.openshift.api.model.monitoring.v1.Endpoint;
import io.fabric8.openshift.api.model.monitoring.v1.RelabelConfig;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The steps of the migration guide, with values as users of dcgm-exporter's chart have them: its
 * values indented below {@code exporter}, and after them the file that the guide shows.
 */
class DcgmExporterValuesTest {
  private static final Path GUIDE =
      Chart.REPOSITORY.resolve("docs/guide/migrate-from-dcgm-exporter.md");
  private static final Path THEIRS = Path.of("src/test/resources/deploy/dcgm-exporter-values.yaml");

  @TempDir private Path folder;
  private List<HasMetadata> objects;

  @BeforeEach
  void followTheGuide() throws IOException {
    Path theirs =
        Files.writeString(
            folder.resolve("theirs.yaml"),
            "exporter:\n" + Files.readString(THEIRS).replaceAll("(?m)^", "  "));
    String ours =
        Files.readString(GUIDE).split("```yaml\n(?=# ours.yaml\n)", 2)[1].split("```", 2)[0];
    objects =
        StrictYaml.objects(
            Chart.render(theirs, Files.writeString(folder.resolve("ours.yaml"), ours)));
  }

  @Test
  void keepTheFlagsAndVariables_withoutTheImage() {
    Container agent = agents().getContainers().getFirst();

    assertThat(agent.getImage()).startsWith("REGISTRY/exporter:").doesNotContain("4.8.2");
    assertThat(agent.getArgs())
        .containsExactly("-f", "/etc/gpu-exporter/counters/counters.csv", "-c", "10000");
    assertThat(agent.getEnv())
        .extracting(EnvVar::getName, EnvVar::getValue)
        .contains(
            tuple("DCGM_EXPORTER_REPLACE_BLANKS_IN_MODEL_NAME", "true"),
            tuple("GPU_EXPORTER_COMPAT", "4.8.2"),
            tuple("DCGM_EXPORTER_WEB_READ_TIMEOUT", "5s"),
            tuple("DCGM_EXPORTER_WEB_WRITE_TIMEOUT", "20s"));
    assertThat(agent.getSecurityContext().getCapabilities().getAdd()).isEmpty();
  }

  @Test
  void keepThePort_andTheNamesOfTheService_whereTheyAreOverridden() throws IOException {
    Path names =
        Files.writeString(
            folder.resolve("names.yaml"),
            "exporter: {fullnameOverride: dcgm-exporter, nameOverride: dcgm-exporter}\n");
    Service service =
        StrictYaml.objects(
                Chart.render(folder.resolve("theirs.yaml"), folder.resolve("ours.yaml"), names))
            .stream()
            .filter(Service.class::isInstance)
            .map(Service.class::cast)
            .filter(it -> it.getMetadata().getName().equals("dcgm-exporter"))
            .findFirst()
            .orElseThrow();

    assertThat(service.getSpec().getPorts())
        .extracting(ServicePort::getName, ServicePort::getPort)
        .containsExactly(tuple("metrics", 9400));
    assertThat(service.getSpec().getSelector())
        .containsEntry("app.kubernetes.io/name", "dcgm-exporter");
    assertThat(service.getMetadata().getAnnotations())
        .isEqualTo(Map.of("prometheus.io/scrape", "true"));
  }

  @Test
  void keepTheNodes() {
    assertThat(agents().getNodeSelector()).isEqualTo(Map.of("nvidia.com/gpu.present", "true"));
    assertThat(agents().getTolerations())
        .extracting(Toleration::getKey)
        .containsExactly("nvidia.com/gpu", "dedicated");
  }

  @Test
  void keepTheRowsOfCustomMetrics_andMountNothingThatIsNotThere() {
    assertThat(objects)
        .filteredOn(ConfigMap.class::isInstance)
        .flatExtracting(object -> ((ConfigMap) object).getData().values())
        .anyMatch(text -> text.toString().contains("DCGM_FI_PROF_PIPE_TENSOR_ACTIVE"));
    assertThat(agents().getVolumes())
        .extracting(Volume::getName)
        .doesNotContain("exporter-metrics-volume");
  }

  @Test
  void keepTheScrape() {
    ServiceMonitor monitor =
        objects.stream()
            .filter(ServiceMonitor.class::isInstance)
            .map(ServiceMonitor.class::cast)
            .filter(it -> it.getMetadata().getName().equals("gpu-exporter"))
            .findFirst()
            .orElseThrow();
    Endpoint endpoint = monitor.getSpec().getEndpoints().getFirst();

    assertThat(monitor.getMetadata().getLabels()).containsEntry("release", "kube-prometheus-stack");
    assertThat(endpoint.getInterval()).isEqualTo("30s");
    assertThat(endpoint.getHonorLabels()).isFalse();
    assertThat(endpoint.getRelabelings())
        .extracting(RelabelConfig::getTargetLabel)
        .contains("nodename");
    assertThat(endpoint.getMetricRelabelings())
        .extracting(RelabelConfig::getAction, RelabelConfig::getRegex)
        .containsExactly(tuple("drop", "DCGM_FI_DEV_VGPU_.*"));
  }

  private PodSpec agents() {
    return objects.stream()
        .filter(DaemonSet.class::isInstance)
        .map(object -> ((DaemonSet) object).getSpec().getTemplate().getSpec())
        .findFirst()
        .orElseThrow();
  }
}
