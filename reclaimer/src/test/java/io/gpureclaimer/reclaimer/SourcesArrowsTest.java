package io.gpureclaimer.reclaimer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
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

/** Whom the activity sources may know, and what only one of them may. */
@AnalyzeClasses(
    packages = "io.gpureclaimer.reclaimer",
    importOptions = ImportOption.DoNotIncludeTests.class)
class SourcesArrowsTest {
  private static final String ROOM = "io.gpureclaimer.reclaimer.";
  private static final Path SOURCES = Path.of("src/main/java");
  private static final Pattern PROMQL =
      Pattern.compile("label_replace|_over_time\\(|by \\([a-zA-Z_, ]*\\) ?\\(|=~");

  private static final Pattern PATHS = Pattern.compile("/api/v1/query");

  @ArchTest
  static final ArchRule ACTIVITY =
      classes()
          .that()
          .resideInAPackage(ROOM + "evidence")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              ROOM + "evidence", "io.gpureclaimer.common.device", "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule PROMETHEUS =
      classes()
          .that()
          .resideInAPackage(ROOM + "evidence.source")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              ROOM + "evidence.source",
              ROOM + "evidence.prometheus",
              ROOM + "evidence",
              ROOM + "client",
              "io.gpureclaimer.common.vocabulary",
              "io.gpureclaimer.common.device",
              "java..",
              "org.jspecify..");

  @ArchTest
  static final ArchRule PROMETHEUS_API =
      classes()
          .that()
          .resideInAPackage(ROOM + "evidence.prometheus")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              ROOM + "evidence.prometheus",
              ROOM + "evidence",
              ROOM + "client",
              "tools.jackson.core..",
              "java..",
              "javax.net.ssl",
              "org.jspecify..");

  @ArchTest
  static final ArchRule DIRECT =
      classes()
          .that()
          .resideInAPackage(ROOM + "evidence.direct")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              ROOM + "evidence.direct",
              ROOM + "evidence",
              "io.gpureclaimer.common.vocabulary",
              "io.gpureclaimer.common.device",
              "java..",
              "org.jspecify..");

  @Test
  void onlyThePrometheusRoomKnowsPromQl() throws IOException {
    assertThat(roomsThatSay(PROMQL))
        .containsExactly(SOURCES.resolve("io/gpureclaimer/reclaimer/evidence/source"));
  }

  @Test
  void onlyItsApiKnowsWhereToAsk() throws IOException {
    assertThat(roomsThatSay(PATHS))
        .containsExactly(SOURCES.resolve("io/gpureclaimer/reclaimer/evidence/prometheus"));
  }

  private static List<Path> roomsThatSay(Pattern words) throws IOException {
    try (Stream<Path> sources = Files.walk(SOURCES)) {
      return sources
          .filter(source -> source.toString().endsWith(".java"))
          .filter(source -> says(words, source))
          .map(Path::getParent)
          .distinct()
          .toList();
    }
  }

  private static boolean says(Pattern words, Path source) {
    try {
      return words.matcher(Files.readString(source)).find();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
