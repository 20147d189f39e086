package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever values people set, what the chart renders is what Kubernetes understands. */
class ChartTest {
  private static final Path VALUES = Path.of("src/test/chart");

  @Test
  void passesTheLinter() {
    assertThat(Chart.lint().isFailed()).isFalse();
  }

  static List<Path> valuesFiles() throws IOException {
    try (Stream<Path> files = Files.list(VALUES)) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("valuesFiles")
  void rendersOnlyWhatKubernetesKnows(Path values) {
    List<HasMetadata> objects = StrictYaml.objects(Chart.render(values));

    assertThat(objects).isNotEmpty().extracting(ChartTest::identity).doesNotHaveDuplicates();
    assertThat(templates(objects).map(PodTemplateSpec::getSpec))
        .allSatisfy(ChartTest::mountsWhatItHas);
  }

  /** The admission policy would refuse it, and with it each new pod of ours. */
  @ParameterizedTest
  @MethodSource("valuesFiles")
  void annotatesNothingAsIfItWereAPolicy(Path values) {
    List<HasMetadata> objects = StrictYaml.objects(Chart.render(values));

    assertThat(
            Stream.concat(
                    objects.stream().map(HasMetadata::getMetadata),
                    templates(objects).map(PodTemplateSpec::getMetadata))
                .flatMap(metadata -> metadata.getAnnotations().keySet().stream()))
        .noneMatch(key -> key.startsWith("gpu-reclaimer.io/"));
  }

  private static String identity(HasMetadata object) {
    return object.getKind()
        + ' '
        + object.getMetadata().getNamespace()
        + '/'
        + object.getMetadata().getName();
  }

  private static Stream<PodTemplateSpec> templates(List<HasMetadata> objects) {
    return objects.stream()
        .flatMap(
            object ->
                switch (object) {
                  case DaemonSet agents -> Stream.of(agents.getSpec().getTemplate());
                  case Deployment reclaimer -> Stream.of(reclaimer.getSpec().getTemplate());
                  default -> Stream.empty();
                });
  }

  private static void mountsWhatItHas(PodSpec spec) {
    Container container = spec.getContainers().getFirst();
    var volumes = spec.getVolumes().stream().map(volume -> volume.getName()).toList();
    assertThat(volumes).doesNotHaveDuplicates();
    assertThat(container.getVolumeMounts())
        .extracting(mount -> mount.getName())
        .doesNotHaveDuplicates()
        .isSubsetOf(volumes);
    assertThat(container.getEnv()).extracting(EnvVar::getName).doesNotHaveDuplicates();
  }

  @Test
  void setsOnlyVariablesThatTheProgramsOrTheRuntimeKnow() throws IOException {
    String known =
        Files.readString(Chart.REPOSITORY.resolve("docs/reference/exporter-flags.md"))
            + Files.readString(Chart.REPOSITORY.resolve("docs/reference/reclaimer-settings.md"))
            + Files.readString(Chart.REPOSITORY.resolve("exporter/README.md"));
    var set = new TreeSet<String>();
    for (Path values : valuesFiles()) {
      templates(StrictYaml.objects(Chart.render(values)))
          .map(PodTemplateSpec::getSpec)
          .flatMap(spec -> spec.getContainers().getFirst().getEnv().stream())
          .map(EnvVar::getName)
          .filter(name -> !name.startsWith("NVIDIA_") && !name.startsWith("MY_"))
          .forEach(set::add);
    }

    assertThat(set)
        .hasSizeGreaterThan(30)
        .allSatisfy(name -> assertThat(known).containsPattern(spellings(name)));
  }

  /** Helm's upgrade keeps either of two that have the same name, or none. */
  @Test
  void takesVariablesOfPeopleInPlaceOfItsOwn() {
    List<EnvVar> variables =
        templates(
                Chart.objects(
                    Map.of(
                        "exporter.extraEnv[0].name", "NVIDIA_VISIBLE_DEVICES",
                        "exporter.extraEnv[0].value", "none",
                        "reclaimer.extraEnv[0].name", "GPU_RECLAIMER_PROMETHEUS_URL",
                        "reclaimer.extraEnv[0].value", "http://mine")))
            .flatMap(pods -> pods.getSpec().getContainers().getFirst().getEnv().stream())
            .toList();

    assertThat(variables)
        .extracting(EnvVar::getName, EnvVar::getValue)
        .contains(
            tuple("NVIDIA_VISIBLE_DEVICES", "none"),
            tuple("NVIDIA_DRIVER_CAPABILITIES", "utility"),
            tuple("GPU_RECLAIMER_PROMETHEUS_URL", "http://mine"));
    assertThat(variables).extracting(EnvVar::getName).doesNotHaveDuplicates();
  }

  /** What {@code git describe} says looks a little like it. */
  @ParameterizedTest
  @ValueSource(strings = {"0.1.0", "0.1.0-14-g2414721", "v1.2.3-1.2.3-rc"})
  void takesATagOfOurs_forNoneOfDcgmExporters(String tag) {
    assertThat(Chart.render(Map.of("exporter.image.tag", tag))).contains("/exporter:" + tag);
  }

  @Test
  void passesOnHowManyEvictionsAreAllowed_asANumberOrAShare() {
    assertThat(
            templates(
                    Chart.objects(
                        Map.of(
                            "reclaimer.budgets.maxEvictions",
                            3,
                            "reclaimer.budgets.maxEvictionsPerHour",
                            "12.5%")))
                .flatMap(pods -> pods.getSpec().getContainers().getFirst().getEnv().stream())
                .filter(variable -> variable.getName().contains("_MAX_EVICTIONS"))
                .map(variable -> variable.getName() + "=" + variable.getValue()))
        .containsExactly(
            "GPU_RECLAIMER_MAX_EVICTIONS=3", "GPU_RECLAIMER_MAX_EVICTIONS_PER_HOUR=12.5%");
  }

  @Test
  void takesWhatWasTakenOutOfASecurityContext_forNoOtherUserThanRoot() {
    assertThat(
            Chart.render(
                Map.of(
                    "exporter.devicePlugin.enabled",
                    true,
                    "exporter.podSecurityContext.runAsNonRoot",
                    "null")))
        .contains("--device-plugin");
  }

  /** The second of two variables that differ at the end is written with three dots. */
  private static Pattern spellings(String name) {
    String[] words = name.split("_", -1);
    var spellings = new StringBuilder("`" + name + "`");
    for (int from = 1; from < words.length; from++) {
      spellings
          .append("|`…_")
          .append(String.join("_", List.of(words).subList(from, words.length)))
          .append('`');
    }
    return Pattern.compile(spellings.toString());
  }

  @Test
  void usesTheImagesOfThisVersion() throws IOException {
    String version =
        Pattern.compile("<version>([^<]+)</version>")
            .matcher(Files.readString(Chart.REPOSITORY.resolve("pom.xml")))
            .results()
            .findFirst()
            .orElseThrow()
            .group(1);

    assertThat(templates(Chart.objects(Map.of())).map(PodTemplateSpec::getSpec))
        .extracting(spec -> spec.getContainers().getFirst().getImage())
        .containsExactlyInAnyOrder(
            "gpu-reclaimer.io/exporter:" + version, "gpu-reclaimer.io/reclaimer:" + version);
  }

  /** A node offers no GPU while the agent that is its device plugin is replaced. */
  @Test
  void replacesATenthOfTheAgentsAtATime_whereTheyOfferTheGpus_andElseAll() {
    assertThat(downAtOnce(Map.of())).isEqualTo("100%");
    assertThat(downAtOnce(Map.of("exporter.devicePlugin.enabled", true))).isEqualTo("10%");
    assertThat(
            downAtOnce(
                Map.of(
                    "exporter.devicePlugin.enabled", true,
                    "exporter.rollingUpdate.maxUnavailable", 0,
                    "exporter.rollingUpdate.maxSurge", 1)))
        .isEqualTo("0");
  }

  /** Kubernetes accepts only one of the two, whatever the default of the other is. */
  @ParameterizedTest
  @ValueSource(strings = {"1", "25%"})
  void hasNoAgentDown_whereOthersMayStartBefore(String more) {
    assertThat(
            downAtOnce(
                Map.of(
                    "exporter.devicePlugin.enabled",
                    true,
                    "exporter.rollingUpdate.maxSurge",
                    more)))
        .isEqualTo("0");
  }

  private static String downAtOnce(Map<String, ?> values) {
    return Chart.objects(values).stream()
        .filter(DaemonSet.class::isInstance)
        .map(agents -> ((DaemonSet) agents).getSpec().getUpdateStrategy().getRollingUpdate())
        .map(update -> String.valueOf(update.getMaxUnavailable().getValue()))
        .findFirst()
        .orElseThrow();
  }

  /** Helm takes names of releases of up to 53 characters, with dots. */
  @ParameterizedTest
  @ValueSource(strings = {"team.gpus", "a-release-with-a-name-of-just-fifty-characters-abc", "g"})
  void hasNamesForEverything_thatServicesMayHave(String release) {
    List<HasMetadata> objects = StrictYaml.objects(Chart.renderAs(release));

    assertThat(objects).extracting(ChartTest::identity).doesNotHaveDuplicates();
    assertThat(objects.stream().filter(Service.class::isInstance))
        .hasSize(2)
        .extracting(service -> service.getMetadata().getName())
        .allSatisfy(name -> assertThat(name).matches("[a-z][-a-z0-9]{0,61}[a-z0-9]"));
  }

  @Test
  void isNotForClustersThatAreTooOld() {
    assertThatThrownBy(() -> Chart.render("1.24.0", Map.of()))
        .hasMessageContaining("chart requires kubeVersion: >=1.25.0-0");
    assertThat(Chart.render("1.25.0", Map.of())).doesNotContain("ValidatingAdmissionPolicy");
    assertThat(Chart.render("1.30.0", Map.of())).contains("ValidatingAdmissionPolicy");
  }
}
