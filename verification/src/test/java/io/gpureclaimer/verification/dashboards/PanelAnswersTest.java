package io.gpureclaimer.verification.dashboards;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.gpureclaimer.verification.dashboards.PanelSource.Query;
import io.gpureclaimer.verification.rules.Promtool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What panels answer over made-up series, where it is easily counted twice or not at all. */
class PanelAnswersTest {
  private static final Path CASES = Path.of("src/test/resources/dashboards/panels.yaml");
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final DashboardVariables CHOICES =
      new DashboardVariables(
          Map.of(
              "$node_label", "hostname",
              "$node", "n",
              "$namespace", "research",
              "$idle", "900",
              "$price", "2",
              "$team_label", "team",
              "$__range", "1h",
              "$__range_s", "3600"));

  @TempDir @Nullable Path folder;

  @Test
  void areRight() throws IOException, InterruptedException {
    Optional<Promtool> promtool = Promtool.find();
    assumeTrue(promtool.isPresent(), "promtool is not on the PATH, nor where ./test unpacks it");
    JsonNode cases = YAML.readTree(CASES.toFile());
    for (JsonNode test : cases.path("tests")) {
      for (JsonNode asked : test.path("promql_expr_test")) {
        ((ObjectNode) asked)
            .put("expr", choices(asked.path("expr")).fillIn(expression(asked.path("expr"))));
      }
    }
    Path tests = requireNonNull(folder).resolve("tests.yaml");
    YAML.writeValue(tests.toFile(), cases);
    Promtool.PromtoolResult outcome = promtool.get().test(tests);

    assertThat(outcome.status()).as(outcome.said()).isZero();
  }

  /** The team label that a case chooses, or the default. */
  private static DashboardVariables choices(JsonNode named) {
    var chosen = new HashMap<>(CHOICES.chosen());
    chosen.put("$team_label", named.path("team-label").asText("team"));
    return new DashboardVariables(chosen);
  }

  /** Of the panel that is named, and its column or legend if it has several. */
  private static String expression(JsonNode named) throws IOException {
    String title = named.path("panel").asText();
    List<Query> queries =
        DashboardSource.read(named.path("dashboard").asText()).panels().stream()
            .filter(panel -> panel.title().equals(title))
            .flatMap(panel -> panel.queries().stream())
            .filter(query -> !named.has("query") || isCalled(query, named.path("query").asText()))
            .toList();
    assertThat(queries).as(named.toString()).hasSize(1);
    return DashboardSource.common().expand(queries.getFirst().expr());
  }

  private static boolean isCalled(Query query, String name) {
    return Stream.of(Optional.ofNullable(query.column()), Optional.ofNullable(query.legend()))
        .flatMap(Optional::stream)
        .anyMatch(name::equals);
  }
}
