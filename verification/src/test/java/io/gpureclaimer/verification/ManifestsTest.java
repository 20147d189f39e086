package io.gpureclaimer.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The manifests that people apply. */
class ManifestsTest {
  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern IMAGE = Pattern.compile("image: (\\S+)");
  private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");

  @Test
  void useTheImagesOfThisVersion() throws IOException {
    String version =
        VERSION
            .matcher(Files.readString(REPOSITORY.resolve("pom.xml")))
            .results()
            .map(found -> found.group(1))
            .findFirst()
            .orElseThrow();

    assertThat(images())
        .containsExactlyInAnyOrder(
            "gpu-reclaimer.io/exporter:" + version, "gpu-reclaimer.io/reclaimer:" + version);
  }

  /** An option is a line of YAML behind the hash, prose is not. */
  private static final Pattern OPTION = Pattern.compile("(?m)^( *)# ( *(?:- )?\\w+:(?: .*)?)$");

  @Test
  void whatIsCommentedOutCanBeSwitchedOn() throws IOException {
    var agent = agentWithEverything();

    assertThat(agent.getSpec().getTemplate().getSpec().getHostPID()).isTrue();
    assertThat(variablesOf(agent))
        .contains(
            "DCGM_EXPORTER_KUBERNETES_ENABLE_POD_LABELS",
            "DCGM_EXPORTER_KUBERNETES_POD_LABEL_ALLOWLIST_REGEX",
            "KUBERNETES_VIRTUAL_GPUS",
            "KUBERNETES_ENABLE_DRA");
    assertThat(everything(ClusterRole.class).getRules())
        .flatExtracting(PolicyRule::getResources)
        .containsExactly("pods", "resourceslices");
  }

  @Test
  void setOnlyVariablesThatTheAgentOrTheRuntimeKnows() throws IOException {
    String readme = Files.readString(REPOSITORY.resolve("exporter/README.md"));

    assertThat(variablesOf(agentWithEverything()))
        .filteredOn(name -> !name.startsWith("NVIDIA_"))
        .allSatisfy(name -> assertThat(readme).contains("`" + name + "`"));
  }

  @Test
  void giveTheAgentNoMoreThanItNeeds() throws IOException {
    var agent = agentWithEverything().getSpec().getTemplate().getSpec();

    assertThat(agent.getContainers()).hasSize(1);
    var rights = agent.getContainers().getFirst().getSecurityContext();
    assertThat(rights.getAllowPrivilegeEscalation()).isFalse();
    assertThat(rights.getReadOnlyRootFilesystem()).isTrue();
    assertThat(rights.getPrivileged()).isNull();
    assertThat(rights.getCapabilities().getDrop()).containsExactly("ALL");
    assertThat(rights.getCapabilities().getAdd()).isNullOrEmpty();
    assertThat(agent.getHostNetwork()).isNull();
    assertThat(agent.getVolumes())
        .filteredOn(volume -> volume.getHostPath() != null)
        .extracting(volume -> volume.getHostPath().getPath())
        .containsExactly("/var/lib/kubelet/pod-resources");
  }

  @Test
  void letTheReclaimerWriteNothingButEventsAndItsLease_withoutTheRoleToEvict() throws IOException {
    assertThat(writes("gpu-reclaimer")).containsExactly("create events");
    assertThat(writes("gpu-reclaimer-evict")).containsExactly("patch pods", "create pods/eviction");
  }

  /** What a role of the reclaimer allows beyond reading. */
  private static List<String> writes(String role) throws IOException {
    String text = Files.readString(REPOSITORY.resolve("deploy/manifests/reclaimer-rbac.yaml"));
    return Arrays.stream(text.split("(?m)^---$", -1))
        .map(document -> Serialization.unmarshal(document, HasMetadata.class))
        .filter(
            object -> object instanceof ClusterRole && object.getMetadata().getName().equals(role))
        .flatMap(object -> ((ClusterRole) object).getRules().stream())
        .flatMap(ManifestsTest::deeds)
        .filter(deed -> !deed.matches("(get|list|watch) .*"))
        .toList();
  }

  private static Stream<String> deeds(PolicyRule rule) {
    return rule.getResources().stream()
        .flatMap(resource -> rule.getVerbs().stream().map(verb -> verb + " " + resource));
  }

  @Test
  void letTheReclaimerLookAtOwners_andDoNothingToThem() throws IOException {
    String text = Files.readString(REPOSITORY.resolve("deploy/manifests/reclaimer-owners.yaml"));
    ClusterRole role =
        Arrays.stream(text.split("\n---\n", -1))
            .map(document -> Serialization.unmarshal(document, HasMetadata.class))
            .filter(ClusterRole.class::isInstance)
            .map(ClusterRole.class::cast)
            .findFirst()
            .orElseThrow();

    assertThat(role.getRules())
        .allSatisfy(rule -> assertThat(rule.getVerbs()).containsExactly("list", "watch"))
        .flatExtracting(PolicyRule::getResources)
        .doesNotContain("*", "pods", "secrets", "configmaps", "serviceaccounts")
        .noneMatch(resource -> resource.contains("/"));
    assertThat(role.getRules()).flatExtracting(PolicyRule::getApiGroups).doesNotContain("*");
  }

  private static List<String> variablesOf(DaemonSet agent) {
    return agent.getSpec().getTemplate().getSpec().getContainers().getFirst().getEnv().stream()
        .map(EnvVar::getName)
        .toList();
  }

  private static DaemonSet agentWithEverything() throws IOException {
    return everything(DaemonSet.class);
  }

  /** The one thing of this kind in exporter.yaml, with all options on. */
  private static <T extends HasMetadata> T everything(Class<T> kind) throws IOException {
    String text = Files.readString(REPOSITORY.resolve("deploy/manifests/exporter.yaml"));
    String allOn = OPTION.matcher(text).replaceAll("$1$2");
    List<T> found =
        Arrays.stream(allOn.split("\n---\n", -1))
            .map(document -> Serialization.unmarshal(document, HasMetadata.class))
            .filter(kind::isInstance)
            .map(kind::cast)
            .toList();
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  private static List<String> images() throws IOException {
    try (Stream<Path> files = Files.list(REPOSITORY.resolve("deploy/manifests"))) {
      return files.flatMap(file -> found(file).map(match -> match.group(1))).toList();
    }
  }

  private static Stream<MatchResult> found(Path file) {
    try {
      return IMAGE.matcher(Files.readString(file)).results();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
