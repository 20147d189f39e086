package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A value that is missing is its default. Of an older chart, {@code helm upgrade --reuse-values}
 * leaves those out that came since.
 */
class ChartDefaultsTest {
  private static final String FILL = "{{- include \"gpu-reclaimer.defaults\" . }}\n";

  /** What Kubernetes defines, and where dcgm-exporter's values take something away by null. */
  private static final Set<String> KEPT =
      Set.of(
          "podSecurityContext",
          "securityContext",
          "resources",
          "tolerations",
          "startupProbe",
          "livenessProbe",
          "readinessProbe",
          "serviceAccount");

  @TempDir private Path folder;

  static List<Path> valuesFiles() throws IOException {
    return ChartTest.valuesFiles();
  }

  @ParameterizedTest
  @MethodSource("valuesFiles")
  void standForWhatAnOlderChartDidNotHave(Path values) throws IOException {
    assertThat(withoutSecrets(Chart.renderFrom(ancientChart(), values)))
        .isEqualTo(withoutSecrets(Chart.render(values)));
  }

  @Test
  void standForKeysWithNothingBehindThem() throws IOException {
    Path nothing =
        Files.writeString(
            folder.resolve("nothing.yaml"),
            """
            imagePullSecrets:
            commonLabels:
            exporter:
              image:
              extraVolumes:
              devicePlugin:
            """);

    assertThat(Chart.render(nothing)).isEqualTo(Chart.render());
  }

  @ParameterizedTest
  @ValueSource(strings = {"startupProbe", "livenessProbe", "readinessProbe"})
  void butWhatKubernetesDefinesCanBeTakenAway(String key) throws IOException {
    String programs = "exporter: {%1$s: null}\nreclaimer: {%1$s: null}\n".replace("%1$s", key);
    Path without = Files.writeString(folder.resolve("without.yaml"), programs);

    assertThat(Chart.render()).containsPattern("\n *" + key + ":");
    assertThat(Chart.objects(without)).isNotEmpty();
    assertThat(Chart.render(without)).doesNotContainPattern("\n *" + key + ":");
  }

  /** The order of Helm's templates is not defined. */
  @Test
  void areGivenByEachTemplate() throws IOException {
    try (Stream<Path> templates = Files.walk(Chart.FOLDER.resolve("templates"))) {
      assertThat(templates.filter(Files::isRegularFile))
          .filteredOn(template -> !template.getFileName().toString().startsWith("_"))
          .hasSizeGreaterThan(20)
          .allSatisfy(template -> assertThat(Files.readString(template)).startsWith(FILL));
    }
  }

  private Path ancientChart() throws IOException {
    Path ancient = Chart.copyTo(folder.resolve("chart"));
    Path values = ancient.resolve("values.yaml");
    Map<String, Object> all =
        Serialization.unmarshal(Files.readString(values), new TypeReference<>() {});
    all.keySet().retainAll(Set.of("exporter", "reclaimer"));
    all.values().forEach(program -> ((Map<?, ?>) program).keySet().retainAll(KEPT));
    Files.writeString(values, Serialization.asYaml(all));
    return ancient;
  }

  /** Certificates and hashes of passwords are never the same twice. */
  private static List<String> withoutSecrets(String rendered) {
    return rendered.lines().filter(line -> !line.matches(".*(BEGIN|[$]2a[$]).*")).toList();
  }
}
