package io.gpureclaimer.reclaimer.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpureclaimer.common.program.Service;
import io.gpureclaimer.reclaimer.access.FakeReviews;
import io.gpureclaimer.reclaimer.api.OpenApi;
import io.gpureclaimer.reclaimer.audit.CycleReport.LatestReport;
import io.gpureclaimer.reclaimer.cluster.UserRequests;
import io.gpureclaimer.reclaimer.cluster.UserRequests.UserReply;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedLeadership;
import io.gpureclaimer.reclaimer.show.Reports;
import io.micronaut.web.router.Router;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The interface for programs, as a client gets it. */
class ApiIT {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final ObjectMapper JSON = new ObjectMapper();

  private static Service.Running service;

  @BeforeAll
  static void start() {
    UserRequests personal = (_, _, _) -> new UserReply(403, "no");
    service =
        switch (Service.start(
            "gpu-reclaimer",
            Map.of(
                "micronaut.server.host",
                "127.0.0.1",
                "micronaut.server.port",
                0,
                "reclaimer.cluster",
                "embedded",
                "direct.agents",
                List.of("http://127.0.0.1:9/metrics")),
            new SimulatedCluster(Clock.systemUTC()),
            SimulatedLeadership.alone("test"),
            new FakeReviews(),
            personal)) {
          case Service.Running running -> running;
          case Service.Misconfigured(String problem) -> throw new AssertionError(problem);
          case Service.NotListening(String problem) -> throw new AssertionError(problem);
        };
    service.part(LatestReport.class).publish(Reports.acted());
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"workloads", "pending", "steps", "namespaces"})
  void servesEachTable_asJsonAndCsv(String table) throws IOException {
    JsonNode rows = JSON.readTree(get("/api/v1/" + table).body()).get(table);
    String[] lines = get("/api/v1/" + table, "Accept", "text/csv").body().split("\r\n", -1);

    assertThat(rows).isNotEmpty();
    assertThat(lines).hasSize(rows.size() + 2);
    assertThat(lines[0]).contains("namespace");
  }

  @Test
  void filtersByAnyColumnOfText() throws IOException {
    JsonNode due = JSON.readTree(get("/api/v1/workloads?namespace=ml&verdict=due").body());

    assertThat(due.get("workloads"))
        .isNotEmpty()
        .allSatisfy(row -> assertThat(row.get("verdict").asText()).isEqualTo("due"));
    assertThat(JSON.readTree(get("/api/v1/workloads?namespace=nowhere").body()).get("workloads"))
        .isEmpty();
  }

  @Test
  void explainsAWorkload() throws IOException {
    assertThat(JSON.readTree(get("/api/v1/workloads/ml/pod/due").body()).has("verdict")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "/api/v1/nothing, 404, 'Expected one of workloads, pending, steps, namespaces, models, actions, found nothing.'",
    "/api/v1/workloads?owner=x, 400, 'Expected as parameters format, namespace, kind, name, model, activity, verdict, reason, found owner.'",
    "/api/v1/workloads?format=xml, 400, 'Expected json or csv as format, found xml.'",
    "/api/v1/workloads/ml/pod/nope, 404, pod ml/nope requests no GPU or does not exist.",
    "/api/v2/workloads, 404, Page Not Found"
  })
  void describesProblems(String path, int status, String detail) throws IOException {
    HttpResponse<String> response = get(path);

    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type"))
        .hasValueSatisfying(type -> assertThat(type).startsWith("application/problem+json"));
    JsonNode problem = JSON.readTree(response.body());
    assertThat(problem.get("type").asText()).isEqualTo("about:blank");
    assertThat(problem.get("status").asInt()).isEqualTo(status);
    assertThat(problem.get("detail").asText()).isEqualTo(detail);
  }

  @Test
  void passesOnTheRefusalOfTheApiServer() throws IOException {
    HttpResponse<String> response =
        send(
            HttpRequest.newBuilder()
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer theirs")
                .POST(BodyPublishers.ofString("{}")),
            "/api/v1/reclamations/ml/deployment-web-1/restore");

    assertThat(response.statusCode()).isEqualTo(403);
    assertThat(JSON.readTree(response.body()).get("detail").asText()).isEqualTo("no");
  }

  @Test
  void changesNothing_whereNoIdentityIsAskedFor() throws IOException {
    HttpResponse<String> response =
        send(
            HttpRequest.newBuilder()
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer theirs")
                .POST(BodyPublishers.ofString("{\"for\":\"4h\"}")),
            "/api/v1/workloads/ml/pod/due/keep");

    assertThat(response.statusCode()).isEqualTo(403);
    assertThat(JSON.readTree(response.body()).get("detail").asText())
        .startsWith("No changes are possible here, because users are not identified");
  }

  /** A route that is added without its description, or described and not there, fails here. */
  @Test
  void describesExactlyTheRoutesThatExist() throws IOException {
    var described = new TreeSet<String>();
    JsonNode paths = JSON.readTree(OpenApi.document()).get("paths");
    paths
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(
                        verb -> {
                          if (!verb.equals("parameters")) {
                            described.add(verb.toUpperCase(Locale.ROOT) + " " + path.getKey());
                          }
                        }));
    var routes = new TreeSet<String>();
    service
        .part(Router.class)
        .uriRoutes()
        .filter(route -> route.getUriMatchTemplate().toString().startsWith("/api/v1/"))
        .filter(route -> !route.getHttpMethodName().equals("HEAD"))
        .map(route -> route.getHttpMethodName() + " " + route.getUriMatchTemplate())
        .filter(route -> !route.equals("GET /api/v1/{table}"))
        .forEach(routes::add);
    for (String table :
        List.of("workloads", "pending", "steps", "namespaces", "models", "actions")) {
      routes.add("GET /api/v1/" + table);
    }

    assertThat(described).isEqualTo(routes);
    assertThat(get("/api/v1/openapi.json").body()).isEqualTo(OpenApi.document());
  }

  private static HttpResponse<String> get(String path, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder().GET();
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return send(request, path);
  }

  private static HttpResponse<String> send(HttpRequest.Builder request, String path) {
    try {
      return HTTP.send(
          request.uri(URI.create("http://127.0.0.1:" + service.port() + path)).build(),
          BodyHandlers.ofString());
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
