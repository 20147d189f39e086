package io.gpureclaimer.reclaimer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Dependencies of the evidence packages, and what only one of them contains. */
@AnalyzeClasses(
    packages = "io.gpureclaimer.reclaimer",
    importOptions = ImportOption.DoNotIncludeTests.class)
class EvidenceArchitectureTest {
  private static final String ROOT = "io.gpureclaimer.reclaimer.";
  private static final Path SOURCES = Path.of("src/main/java");
  private static final Path EVIDENCE_SOURCES =
      SOURCES.resolve("io/gpureclaimer/reclaimer/evidence");
  private static final Pattern PROMQL =
      Pattern.compile("label_replace|_over_time\\(|by \\([a-zA-Z_, ]*\\) ?\\(|=~");

  private static final Pattern PATHS = Pattern.compile("/api/v1/query");

  @ArchTest
  static final ArchRule ONLY_THE_CLIENT_USES_LIBRARIES =
      classes()
          .that()
          .resideInAPackage(ROOT + "evidence..")
          .and()
          .resideOutsideOfPackage(ROOT + "evidence.prometheus")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.gpureclaimer..", "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule PROMETHEUS_CLIENT =
      classes()
          .that()
          .resideInAPackage(ROOT + "evidence.prometheus")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              ROOT + "evidence.prometheus",
              ROOT + "evidence",
              ROOT + "client",
              "tools.jackson.core..",
              "java..",
              "javax.net.ssl",
              "org.jspecify..");

  @ArchTest
  static final ArchRule ONLY_THE_REGISTRY_NAMES_THE_FORMATS =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              ROOT + "evidence.ledger",
              ROOT + "evidence.rules",
              ROOT + "evidence.series",
              ROOT + "evidence.direct")
          .and()
          .doNotHaveFullyQualifiedName(ROOT + "evidence.source.EvidenceFormats")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              ROOT + "evidence.ledger", ROOT + "evidence.rules", ROOT + "evidence.series");

  @Test
  void onlyTheEvidencePackagesContainPromQl() throws IOException {
    assertThat(packagesThatContain(PROMQL))
        .isNotEmpty()
        .allMatch(
            folder -> folder.startsWith(EVIDENCE_SOURCES) && !folder.equals(EVIDENCE_SOURCES));
  }

  @Test
  void onlyTheClientContainsThePathsOfTheApi() throws IOException {
    assertThat(packagesThatContain(PATHS)).containsExactly(EVIDENCE_SOURCES.resolve("prometheus"));
  }

  private static List<Path> packagesThatContain(Pattern words) throws IOException {
    try (Stream<Path> sources = Files.walk(SOURCES)) {
      return sources
          .filter(source -> source.toString().endsWith(".java"))
          .filter(source -> contains(words, source))
          .map(Path::getParent)
          .distinct()
          .toList();
    }
  }

  private static boolean contains(Pattern words, Path source) {
    try {
      return words.matcher(Files.readString(source)).find();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
