package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.gpureclaimer.common.vocabulary.Annotations;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples say what Kubernetes and the chart understand. */
class ExamplesTest {

  static List<Path> manifests() {
    return Examples.manifests();
  }

  static List<Path> values() {
    return Examples.values();
  }

  @ParameterizedTest
  @MethodSource("manifests")
  void areWhatKubernetesKnows(Path file) {
    assertThat(Examples.objects(file)).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("manifests")
  void sayWhatTheyAreAbout(Path file) {
    assertThat(Examples.text(file)).startsWith("# ");
  }

  @ParameterizedTest
  @MethodSource("values")
  void areValuesOfTheChart(Path file) {
    assertThat(StrictYaml.objects(Chart.render(file))).isNotEmpty();
  }

  @Test
  void showEveryMode() {
    assertThat(
            manifests().stream()
                .flatMap(file -> Examples.objects(file).stream())
                .flatMap(object -> mode(object).stream()))
        .containsExactly("off", "report", "notify", "on-demand", "always");
  }

  @Test
  void areAllInTheReadme() {
    String readme = Examples.text(Chart.REPOSITORY.resolve("deploy/examples/README.md"));

    assertThat(Stream.concat(manifests().stream(), Stream.of(Path.of("prometheus.yaml"))))
        .allSatisfy(file -> assertThat(readme).contains("(" + file.getFileName() + ")"));
  }

  private static Optional<String> mode(HasMetadata object) {
    return Optional.ofNullable(
        Objects.requireNonNullElse(object.getMetadata().getAnnotations(), Map.<String, String>of())
            .get(Annotations.MODE));
  }
}
