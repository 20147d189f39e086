package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The plain manifests are what the chart renders, file by file, and its CRD. Rewrite them with
 * {@code ./mvnw test -pl verification -am -Dtest=PlainManifestsGoldenTest -Dgolden.update=true},
 * then read the diff.
 */
class PlainManifestsGoldenTest {
  private static final Path MANIFESTS = Chart.REPOSITORY.resolve("deploy/manifests");
  private static final Path VALUES = Chart.REPOSITORY.resolve("deploy/helm/plain-values.yaml");
  private static final Pattern SOURCE =
      Pattern.compile("\\A\\s*# Source: gpu-reclaimer/templates/(\\S+)\\n+");

  @Test
  void areWhatTheChartRenders() throws IOException {
    Map<String, String> rendered = rendered();

    if (Boolean.getBoolean("golden.update")) {
      for (var file : rendered.entrySet()) {
        Files.writeString(MANIFESTS.resolve(file.getKey()), file.getValue());
      }
    }
    assertThat(rendered).isEqualTo(there());
  }

  @Test
  void areAllInTheKustomization() throws IOException {
    var kustomization =
        new YAMLMapper().readTree(Files.readString(MANIFESTS.resolve("Kustomization")));

    assertThat(kustomization.required("resources"))
        .map(resource -> resource.textValue())
        .containsExactlyInAnyOrderElementsOf(there().keySet());
  }

  @Test
  void areWhatKubernetesKnows() throws IOException {
    assertThat(there().values())
        .allSatisfy(text -> assertThat(StrictYaml.objects(text)).isNotEmpty());
  }

  private static Map<String, String> rendered() {
    var files = new TreeMap<String, String>();
    files.put("00-reclamations.yaml", read(Chart.FOLDER.resolve("crds/reclamations.yaml")));
    StrictYaml.documents(Chart.render(VALUES))
        .forEach(
            document -> {
              Matcher source = SOURCE.matcher(document);
              if (!source.find()) {
                throw new AssertionError("it says not where it is from:\n" + document);
              }
              String text = document.substring(source.end()).strip() + "\n";
              files.merge(file(source.group(1)), text, (before, more) -> before + "---\n" + more);
            });
    return files;
  }

  /** Which file a template's objects go to. */
  private static String file(String template) {
    return switch (template) {
      case "namespaces.yaml" -> "00-namespaces.yaml";
      case "reclaimer/serviceaccount.yaml", "reclaimer/rbac.yaml" -> "reclaimer-rbac.yaml";
      case "reclaimer/owners.yaml" -> "reclaimer-owners.yaml";
      case "reclaimer/verbs.yaml" -> "reclaimer-verbs.yaml";
      case "reclaimer/admission-writes.yaml" -> "reclaimer-admission-writes.yaml";
      case "reclaimer/admission.yaml" -> "reclaimer-admission.yaml";
      case "exporter/networkpolicy.yaml", "reclaimer/networkpolicy.yaml" -> "network-policies.yaml";
      case String other -> other.substring(0, other.indexOf('/')) + ".yaml";
    };
  }

  private static Map<String, String> there() throws IOException {
    try (Stream<Path> files = Files.list(MANIFESTS)) {
      var there = new TreeMap<String, String>();
      files
          .filter(file -> file.toString().endsWith(".yaml"))
          .forEach(file -> there.put(file.getFileName().toString(), read(file)));
      return there;
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
