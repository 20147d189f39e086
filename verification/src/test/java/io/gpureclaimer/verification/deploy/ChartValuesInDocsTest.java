package io.gpureclaimer.verification.deploy;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Chart values that the documentation names exist. */
class ChartValuesInDocsTest {
  private static final Pattern VALUE =
      Pattern.compile(
          "`((?:exporter|reclaimer|prometheusRule|dashboards|namespaces|admissionPolicy|priorityClass)"
              + "\\.[A-Za-z.]*[A-Za-z])(?=[`:= ,])");

  private static final Pattern INSTALLATION =
      Pattern.compile("helm install \\S+ deploy/helm/gpu-reclaimer.*");
  private static final Pattern FILE = Pattern.compile("-f (\\S+\\.yaml)");

  @Test
  void areValues() throws IOException {
    JsonNode schema =
        new ObjectMapper().readTree(Chart.FOLDER.resolve("values.schema.json").toFile());
    var named = new TreeSet<String>();
    for (Path page : pages()) {
      VALUE.matcher(Files.readString(page)).results().map(it -> it.group(1)).forEach(named::add);
    }

    assertThat(named)
        .hasSizeGreaterThan(100)
        .allSatisfy(value -> assertThat(knows(schema, value)).as(value).isTrue());
  }

  /** There is no public registry: without an image of one's own nothing would start. */
  @Test
  void areAllThatIsNeeded_whereAnInstallationIsShown() throws IOException {
    var shown = new TreeMap<String, String>();
    for (Path page : Stream.concat(pages().stream(), Examples.values().stream()).toList()) {
      String text = Files.readString(page).replaceAll("\\\\\n#? *", "");
      INSTALLATION
          .matcher(text)
          .results()
          .forEach(it -> shown.put(page.getFileName() + ": " + it.group(), valuesOf(it, text)));
    }

    assertThat(shown)
        .hasSizeGreaterThan(4)
        .allSatisfy((command, values) -> assertThat(values).as(command).contains("image"));
  }

  /**
   * kubectl 1.30 takes input that begins with a brace for JSON, and {@code sh} has no {@code <<<}.
   */
  @Test
  void commandsAreForAnyShell_andForOlderVersionsOfKubectl() throws IOException {
    for (Path page : pages()) {
      assertThat(Files.readString(page))
          .as(page.getFileName().toString())
          .doesNotContain("<<<", "{apiVersion: ");
    }
  }

  /** Those of the command, and of the files that the page has shown before. */
  private static String valuesOf(MatchResult command, String page) {
    return FILE.matcher(command.group())
        .results()
        .map(file -> "# " + file.group(1) + "\n")
        .filter(page::contains)
        .map(heading -> page.substring(page.indexOf(heading)).split("```", 2)[0])
        .collect(joining("", command.group(), ""));
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> guide = Files.walk(Chart.REPOSITORY.resolve("docs/guide"));
        Stream<Path> deploy = Files.walk(Chart.REPOSITORY.resolve("deploy"))) {
      return Stream.of(guide, deploy, Stream.of(Chart.REPOSITORY.resolve("README.md")))
          .flatMap(files -> files)
          .filter(file -> file.toString().endsWith(".md"))
          .toList();
    }
  }

  /** Below an object that takes any key, everything is known. */
  private static boolean knows(JsonNode schema, String value) {
    JsonNode at = schema;
    for (String key : Arrays.asList(value.split("\\.", -1))) {
      if (!at.has("properties")) {
        return true;
      }
      at = at.path("properties").path(key);
      if (at.isMissingNode()) {
        return false;
      }
    }
    return true;
  }
}
