package io.gpureclaimer.verification.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The alerts: each with tests of when it fires and when not, and with a page for people. */
class AlertsTest {
  private static final Path RULES = Path.of("../deploy/rules/alerts.yaml");
  private static final Path RUNBOOKS = Path.of("../docs/runbooks");
  private static final Path TESTS = Path.of("src/test/resources/rules/alerts.yaml");
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  @Test
  void fireWhenTheyShould_andOnlyThen() throws IOException, InterruptedException {
    Optional<Promtool> promtool = Promtool.find();
    assumeTrue(promtool.isPresent(), "promtool is not on the PATH, nor where ./test unpacks it");
    Promtool.PromtoolResult outcome = promtool.get().test(TESTS);

    assertThat(outcome.status()).as(outcome.said()).isZero();
  }

  @Test
  void areTestedInBothDirections() throws IOException {
    List<String> tests =
        each(YAML.readTree(TESTS.toFile()).path("tests"))
            .map(test -> test.path("name").asText())
            .toList();

    assertThat(names())
        .allSatisfy(
            alert ->
                assertThat(tests)
                    .anyMatch(test -> test.startsWith(alert + " fires"))
                    .anyMatch(test -> test.startsWith(alert + " is silent")));
  }

  @Test
  void sayWhatIsWrong_howBadItIs_andWhereToReadOn() throws IOException {
    assertThat(alerts())
        .allSatisfy(
            alert -> {
              JsonNode notes = alert.path("annotations");
              assertThat(notes.path("summary").asText()).isNotBlank();
              assertThat(notes.path("description").asText()).endsWith(".");
              assertThat(alert.path("labels").path("severity").asText())
                  .isIn("critical", "warning", "info");
              assertThat(notes.path("runbook_url").asText())
                  .isEqualTo("docs/runbooks/" + alert.path("alert").asText() + ".md");
            });
  }

  @Test
  void haveOnePageEach_whichSaysWhatToDo() throws IOException {
    try (Stream<Path> pages = Files.list(RUNBOOKS)) {
      assertThat(pages)
          .extracting(page -> page.getFileName().toString())
          .containsExactlyInAnyOrderElementsOf(names().map(name -> name + ".md").toList());
    }
    for (String name : names().toList()) {
      assertThat(Files.readString(RUNBOOKS.resolve(name + ".md")))
          .startsWith("# " + name + "\n")
          .contains("\n## What it means\n", "\n## What to look at\n", "\n## What to do\n");
    }
  }

  private static Stream<String> names() throws IOException {
    return alerts().map(alert -> alert.path("alert").asText());
  }

  private static Stream<JsonNode> alerts() throws IOException {
    return each(YAML.readTree(RULES.toFile()).path("groups"))
        .flatMap(group -> each(group.path("rules")));
  }

  private static Stream<JsonNode> each(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false);
  }
}
