package io.gpureclaimer.verification.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpureclaimer.verification.dashboards.DashboardVariables;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No panel without data: each of their questions, asked of two real Prometheus servers, of which
 * one honors the labels of the agents and one does not. The agents serve the default counters, but
 * for the dashboard that is about more.
 */
@Tag("nightly")
class PanelsIT {
  private static final Path DASHBOARDS = Path.of("../grafana/dashboards");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** What people choose at the top; of the rest, all. */
  private static DashboardVariables choices(String node) {
    return new DashboardVariables(
        Map.of(
            "$node_label", "hostname",
            "$node", node,
            "$namespace", DashboardTestCluster.NAMESPACE,
            "$idle", "3",
            "$price", "2.50",
            "$team_label", "team",
            "$__rate_interval", "10s",
            "$__range", "5m",
            "$__range_s", "300"));
  }

  /** The nodes on which a dashboard has to be complete. */
  private static List<String> nodesOf(String dashboard) {
    return switch (dashboard) {
      // T4s, which report the least, are on the kubelet's node.
      case "GPU / Node" ->
          List.of(DashboardTestCluster.FAULTY_NODE, DashboardTestCluster.KUBELET_NODE);
      case "GPU / Node, details" -> List.of(DashboardTestCluster.DETAILED_NODE);
      default -> List.of(DashboardTestCluster.FAULTY_NODE);
    };
  }

  @TempDir @Nullable Path folder;

  @Test
  void haveData_everyOne() throws Exception {
    Optional<Path> binary = PrometheusServer.binary();
    assumeTrue(binary.isPresent(), "no prometheus on PATH");
    Map<String, String> questions = questions();
    assertThat(questions).hasSizeGreaterThan(100);
    var unanswered = new TreeMap<>(questions);
    var unansweredIfRenamed = new TreeMap<>(questions);

    try (DashboardTestCluster exhibition =
        DashboardTestCluster.open(requireNonNull(folder), binary.get())) {
      await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofSeconds(1))
          .untilAsserted(
              () -> {
                exhibition.moveOn();
                removeAnswered(unanswered, exhibition.prometheus(), exhibition);
                removeAnswered(unansweredIfRenamed, exhibition.renaming(), exhibition);
                assertThat(unanswered).isEmpty();
                assertThat(unansweredIfRenamed).as("without honor_labels").isEmpty();
                assertThat(namespaces(exhibition.renaming(), exhibition))
                    .contains(DashboardTestCluster.NAMESPACE)
                    .doesNotContain("gpu-exporter");
              });
      // Seven of eight GPUs answer; eight others are divided by seven; four and eight are whole.
      assertThat(value(questions.get("GPU / Fleet / Devices #2A"), exhibition))
          .isEqualTo(7 + 8 * 7 + 4 + 8);
      assertThat(value(questions.get("GPU / Node / GPUs lost #4A"), exhibition)).isEqualTo(1);
      assertHoldersAreNotTheAgents(questions, exhibition);
    }
  }

  /**
   * Neither where the target's pod fills the series of free GPUs, nor where it renames the others.
   */
  private static void assertHoldersAreNotTheAgents(
      Map<String, String> questions, DashboardTestCluster exhibition)
      throws IOException, InterruptedException {
    String held = question(questions, "GPU / Fleet / Nodes #", "A");
    String free = question(questions, "GPU / Fleet / Nodes #", "B");
    assertThat(values(held, "hostname", exhibition))
        .containsEntry(DashboardTestCluster.DIVIDED_NODE, 1.0)
        .containsEntry(DashboardTestCluster.KUBELET_NODE, 1.0);
    assertThat(values(free, "hostname", exhibition))
        .containsEntry(DashboardTestCluster.DIVIDED_NODE, 8 * 7 - 1.0)
        .containsEntry(DashboardTestCluster.KUBELET_NODE, 3.0);

    String lines = question(questions, "GPU / Node / GPUs and their pods #", "B");
    for (String node :
        List.of(DashboardTestCluster.DIVIDED_NODE, DashboardTestCluster.KUBELET_NODE)) {
      String ofTheNode = lines.replace(DashboardTestCluster.FAULTY_NODE, node);
      assertThat(values(ofTheNode, "pod", exhibition).keySet())
          .containsExactlyInAnyOrder(
              "", node.equals(DashboardTestCluster.DIVIDED_NODE) ? "small-0" : "chat-0");
      assertThat(answer(ofTheNode, exhibition))
          .hasSize(node.equals(DashboardTestCluster.DIVIDED_NODE) ? 8 * 7 : 4);
    }
  }

  private static String question(Map<String, String> questions, String panel, String query) {
    return questions.entrySet().stream()
        .filter(it -> it.getKey().startsWith(panel) && it.getKey().endsWith(query))
        .findFirst()
        .orElseThrow()
        .getValue();
  }

  /** The values by a label; empty for series that do not have it. */
  private static Map<String, Double> values(
      String expression, String label, DashboardTestCluster exhibition)
      throws IOException, InterruptedException {
    var values = new TreeMap<String, Double>();
    for (JsonNode series : answer(expression, exhibition)) {
      values.put(
          series.path("metric").path(label).asText(), series.path("value").path(1).asDouble());
    }
    return values;
  }

  /** By the panel that asks. */
  private static Map<String, String> questions() throws IOException {
    var questions = new TreeMap<String, String>();
    try (Stream<Path> files = Files.list(DASHBOARDS)) {
      for (Path file : files.toList()) {
        JsonNode dashboard = JSON.readTree(file.toFile());
        for (String node : nodesOf(dashboard.path("title").asText())) {
          addQuestions(dashboard, node, questions);
        }
      }
    }
    return questions;
  }

  private static void addQuestions(JsonNode dashboard, String node, Map<String, String> questions) {
    for (JsonNode panel : dashboard.path("panels")) {
      for (JsonNode target : panel.path("targets")) {
        questions.put(
            dashboard.path("title").asText()
                + " / "
                + panel.path("title").asText()
                + " #"
                + panel.path("id").asText()
                + target.path("refId").asText()
                + (node.equals(DashboardTestCluster.KUBELET_NODE) ? " of T4s" : ""),
            choices(node).fillIn(target.path("expr").asText()));
      }
    }
  }

  /** What the variable of the namespace offers. */
  private static List<String> namespaces(URI prometheus, DashboardTestCluster exhibition)
      throws IOException, InterruptedException {
    JsonNode dashboard = JSON.readTree(DASHBOARDS.resolve("namespace.json").toFile());
    for (JsonNode variable : dashboard.path("templating").path("list")) {
      if (variable.path("name").asText().equals("namespace")) {
        String query = variable.path("query").path("query").asText();
        String expression = query.substring("query_result(".length(), query.length() - 1);
        var found = new ArrayList<String>();
        answer(choices(DashboardTestCluster.FAULTY_NODE).fillIn(expression), prometheus, exhibition)
            .forEach(series -> found.add(series.path("metric").path("namespace").asText()));
        return found;
      }
    }
    throw new AssertionError("there is no variable of the namespace");
  }

  private static void removeAnswered(
      Map<String, String> questions, URI prometheus, DashboardTestCluster exhibition)
      throws IOException, InterruptedException {
    var answered = new ArrayList<String>();
    for (Map.Entry<String, String> question : questions.entrySet()) {
      if (hasData(question.getValue(), prometheus, exhibition)) {
        answered.add(question.getKey());
      }
    }
    answered.forEach(questions::remove);
  }

  private static boolean hasData(String expression, URI prometheus, DashboardTestCluster exhibition)
      throws IOException, InterruptedException {
    for (JsonNode series : answer(expression, prometheus, exhibition)) {
      if (!series.path("value").path(1).asText().equals("NaN")) {
        return true;
      }
    }
    return false;
  }

  private static double value(@Nullable String expression, DashboardTestCluster exhibition)
      throws IOException, InterruptedException {
    return answer(requireNonNull(expression), exhibition).path(0).path("value").path(1).asDouble();
  }

  private static JsonNode answer(String expression, DashboardTestCluster exhibition)
      throws IOException, InterruptedException {
    return answer(expression, exhibition.prometheus(), exhibition);
  }

  private static JsonNode answer(String expression, URI prometheus, DashboardTestCluster exhibition)
      throws IOException, InterruptedException {
    URI address = prometheus.resolve("/api/v1/query?query=" + URLEncoder.encode(expression, UTF_8));
    JsonNode answer = JSON.readTree(exhibition.get(address));
    assertThat(answer.path("status").asText()).as(expression + "\n" + answer).isEqualTo("success");
    return answer.path("data").path("result");
  }
}
