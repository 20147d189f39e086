package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.gpureclaimer.common.vocabulary.Annotations;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples say what Kubernetes and the chart understand. */
class ExamplesTest {

  static List<Path> manifests() {
    return Examples.manifests();
  }

  static List<Path> all() {
    return Stream.concat(manifests().stream(), Examples.trial().stream()).toList();
  }

  static List<Path> values() {
    return Examples.values();
  }

  @ParameterizedTest
  @MethodSource("all")
  void areWhatKubernetesKnows(Path file) {
    assertThat(Examples.objects(file)).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("all")
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
        .containsExactlyInAnyOrder("off", "report", "notify", "on-demand", "always");
  }

  @ParameterizedTest
  @MethodSource("manifests")
  void canBeAppliedAlone(Path file) {
    List<HasMetadata> objects = Examples.objects(file);

    assertThat(objects.stream().map(object -> object.getMetadata().getNamespace()))
        .containsOnlyNulls();
    for (HasMetadata object : objects) {
      assertThat(objects.subList(0, objects.indexOf(object)))
          .extracting(HasMetadata::getFullResourceName, named -> named.getMetadata().getName())
          .containsAll(needed(object, "priorityClassName", "priorityclasses.scheduling.k8s.io"));
      assertThat(objects)
          .extracting(HasMetadata::getFullResourceName, named -> named.getMetadata().getName())
          .containsAll(needed(object, "claimName", "persistentvolumeclaims"));
      for (String elsewhere : List.of("serviceAccountName", "configMap", "secret", "envFrom")) {
        assertThat(json(object).findValues(elsewhere)).as(elsewhere).isEmpty();
      }
    }
  }

  /** Otherwise the example that is applied last would change what the others need. */
  @Test
  void agreeOnWhatSeveralOfThemHave() {
    assertThat(
            manifests().stream()
                .flatMap(file -> Examples.objects(file).stream())
                .collect(
                    Collectors.groupingBy(
                        object ->
                            object.getFullResourceName() + "/" + object.getMetadata().getName(),
                        Collectors.toSet())))
        .allSatisfy((_, objects) -> assertThat(objects).hasSize(1));
  }

  /** Agents and pods that use GPUs are not in the same namespace, and one policy is tried first. */
  @ParameterizedTest
  @MethodSource("manifests")
  void areOfOneNamespace(Path file) {
    List<HasMetadata> objects = Examples.objects(file);
    if (objects.stream().anyMatch(ConfigMap.class::isInstance)) {
      assertThat(objects).allMatch(ConfigMap.class::isInstance);
    }
    assertThat(objects.stream().filter(Namespace.class::isInstance)).hasSizeLessThan(2);
  }

  @Test
  void areAllInTheReadme() {
    String readme = Examples.text(Chart.REPOSITORY.resolve("deploy/examples/README.md"));

    assertThat(Stream.concat(manifests().stream(), Stream.of(Path.of("prometheus.yaml"))))
        .allSatisfy(file -> assertThat(readme).contains("(" + file.getFileName() + ")"));
  }

  /** Objects that a field of this one names, by resource and name. */
  private static List<Tuple> needed(HasMetadata object, String field, String resource) {
    return json(object).findValuesAsText(field).stream()
        .map(name -> tuple(resource, name))
        .toList();
  }

  private static JsonNode json(HasMetadata object) {
    return Serialization.unmarshal(Serialization.asJson(object), JsonNode.class);
  }

  private static Optional<String> mode(HasMetadata object) {
    return Optional.ofNullable(
        Objects.requireNonNullElse(object.getMetadata().getAnnotations(), Map.<String, String>of())
            .get(Annotations.MODE));
  }
}
