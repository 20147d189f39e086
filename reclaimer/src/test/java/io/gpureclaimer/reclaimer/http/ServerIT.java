package io.gpureclaimer.reclaimer.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpureclaimer.common.program.Service;
import io.gpureclaimer.reclaimer.audit.Auditor;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.audit.CycleReport.LatestReport;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedLeadership;
import io.gpureclaimer.reclaimer.evidence.source.DebianTool;
import io.gpureclaimer.reclaimer.show.AnsweringReplica;
import io.gpureclaimer.reclaimer.show.ExplainJson;
import io.gpureclaimer.reclaimer.show.ExplainText;
import io.gpureclaimer.reclaimer.show.ExplainedObject;
import io.gpureclaimer.reclaimer.show.PlanJson;
import io.gpureclaimer.reclaimer.show.PlanText;
import io.gpureclaimer.reclaimer.show.Reports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the running program answers over HTTP. */
class ServerIT {
  private static final Clock CLOCK = Clock.systemUTC();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final SimulatedLeadership leadership = SimulatedLeadership.alone("test");
  private final Service.Running service = start();

  /** One answer, as far as it matters. */
  private record HttpReply(int code, String type, String body) {}

  @AfterEach
  void stop() {
    service.close();
  }

  @Test
  void isAlive() {
    assertThat(get("/health")).isEqualTo(text(200, "OK\n"));
  }

  @Test
  void isReady_onceThereIsAReport() {
    assertThat(get("/ready")).isEqualTo(text(503, "no cycle has finished yet\n"));

    publish(now(Reports.empty()));

    assertThat(get("/ready")).isEqualTo(text(200, "ready\n"));
  }

  @Test
  void isNotReady_whenTheReportIsOld() {
    publish(Reports.empty());

    HttpReply reply = get("/ready");

    assertThat(reply.code()).isEqualTo(503);
    assertThat(reply.body()).matches("the last cycle that finished began [0-9]+ s ago\n");
  }

  @Test
  void showsTheNewestReport() {
    assertThat(get("/plan")).isEqualTo(text(404, "No cycle has finished yet.\n"));

    publish(Reports.full());

    assertThat(get("/plan"))
        .isEqualTo(
            text(
                200,
                "As of 2026-03-02T12:00:00Z, by replica test, the leader\n\n"
                    + PlanText.of(Reports.full())));
  }

  @Test
  void showsOneNamespace() {
    publish(Reports.full());

    assertThat(get("/plan?namespace=nowhere").body())
        .contains("No workload requests a GPU.\n", "Nothing to do now.\n")
        .doesNotContain("Pod/");
    assertThat(get("/plan?namespace=ml")).isEqualTo(get("/plan"));
  }

  /** {@code kubectl get --raw} accepts JSON first, and people read text. */
  @Test
  void writesText_whenTheQueryAsksForIt() {
    publish(Reports.acted());

    assertThat(getJson("/plan?format=text")).isEqualTo(get("/plan"));
    assertThat(getJson("/explain/ml/due?format=text")).isEqualTo(get("/explain/ml/due"));
  }

  @Test
  void saysWhoLeads() {
    publish(Reports.empty());
    leadership.loseTo("other");

    assertThat(get("/plan").body())
        .startsWith(
            "As of 2026-03-02T12:00:00Z, by replica test, which does not act; the leader is other\n");
    assertThat(getJson("/plan").body())
        .contains("\"name\" : \"test\"", "\"leads\" : false", "\"leader\" : \"other\"");
  }

  @Test
  void explainsAnOwner() {
    publish(Reports.acted());

    assertThat(get("/explain/ml/Pod/due")).isEqualTo(get("/explain/ml/due"));
    assertThat(get("/explain/ml/deployment/web"))
        .isEqualTo(text(404, "deployment ml/web requests no GPU or does not exist.\n"));
  }

  @Test
  void explainsAPod() {
    assertThat(get("/explain/ml/due")).isEqualTo(text(404, "No cycle has finished yet.\n"));

    publish(Reports.acted());

    assertThat(get("/explain/ml/due"))
        .isEqualTo(
            text(
                200,
                ExplainText.of(Reports.acted(), ExplainedObject.pod("ml", "due")).orElseThrow()));
    assertThat(get("/explain/ml/missing"))
        .isEqualTo(text(404, "pod ml/missing requests no GPU or does not exist.\n"));
  }

  @Test
  void answersInJson_whenAskedTo() {
    publish(Reports.acted());

    assertThat(getJson("/plan"))
        .isEqualTo(
            json(
                PlanJson.of(
                    Reports.acted(), Optional.of(new AnsweringReplica("test", true, "test")))));
    assertThat(getJson("/explain/ml/due"))
        .isEqualTo(
            json(ExplainJson.of(Reports.acted(), ExplainedObject.pod("ml", "due")).orElseThrow()));
  }

  @Test
  void sendsSecurityHeaders() throws IOException, InterruptedException {
    for (String path : List.of("/health", "/metrics", "/plan", "/nope")) {
      URI uri = URI.create("http://127.0.0.1:" + service.port() + path);
      HttpResponse<String> response =
          HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());

      assertThat(response.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
      assertThat(response.headers().firstValue("X-Frame-Options")).hasValue("DENY");
      assertThat(response.headers().firstValue("Content-Security-Policy"))
          .hasValue("default-src 'none'; frame-ancestors 'none'");
    }
  }

  @Test
  void servesPages_toABrowserOnThisMachine() {
    assertThat(get("/").code()).isEqualTo(307);
    assertThat(get("/ui"))
        .matches(reply -> reply.code() == 503 && reply.body().contains("No data yet"));

    publish(Reports.acted());

    for (String path :
        List.of("/ui", "/ui/workloads?namespace=ml&verdict=due", "/ui/workloads/ml/pod/due")) {
      assertThat(get(path))
          .as(path)
          .matches(reply -> reply.code() == 200 && reply.type().equals("text/html; charset=utf-8"))
          .extracting(HttpReply::body)
          .asString()
          .contains("ml", "replica test, the leader");
    }
    assertThat(get("/ui/workloads/ml/pod/nope"))
        .matches(reply -> reply.code() == 404 && reply.body().contains("No such workload"));
    for (String file : List.of("page.css", "page.js", "htmx.min.js")) {
      assertThat(get("/ui/static/" + file)).as(file).extracting(HttpReply::code).isEqualTo(200);
    }
    assertThat(get("/ui/static/other").code()).isEqualTo(404);
  }

  /** Most updates come between two cycles, and find nothing new. */
  @Test
  void sendsAPageOnce_whileNothingChanges() {
    publish(Reports.acted());
    String body = get("/ui").body();
    String version = body.replaceAll("(?s).*X-Shown\":\"([^\"]+).*", "$1");
    HttpRequest.Builder update = HttpRequest.newBuilder().GET().header("X-Shown", version);

    assertThat(send(update, "/ui").code()).isEqualTo(204);
    leadership.loseTo("other");
    assertThat(send(update, "/ui").code()).isEqualTo(200);
  }

  @Test
  void pagesRunNoScriptOfOthers_andNothingInline() throws IOException, InterruptedException {
    publish(Reports.acted());

    URI uri = URI.create("http://127.0.0.1:" + service.port() + "/ui");
    HttpResponse<String> response =
        HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());

    assertThat(response.headers().allValues("Content-Security-Policy"))
        .containsExactly(
            "default-src 'self'; img-src data:; base-uri 'none'; form-action 'self';"
                + " frame-ancestors 'none'");
    assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-store");
    assertThat(response.body())
        .doesNotContain("style=", "<style", "onclick", "javascript:")
        .doesNotContainPattern("<script(?! src=\"/ui/static/)");
  }

  /** A site can let its own name stand for 127.0.0.1, and read what a browser then gets. */
  @Test
  void servesNoPage_underANameThatIsNotOfThisMachine() throws IOException {
    publish(Reports.acted());

    assertThat(askedAs("attacker.example", "/ui"))
        .startsWith("HTTP/1.1 403")
        .doesNotContain("ml/due");
    assertThat(askedAs("localhost:" + service.port(), "/ui")).startsWith("HTTP/1.1 200");
  }

  private String askedAs(String host, String path) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
      socket
          .getOutputStream()
          .write(
              ("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH"})
  void writesNothing_whateverIsAsked(String method) {
    for (String path : List.of("/plan", "/explain/ml/due", "/metrics", "/health", "/ready")) {
      assertThat(
              send(HttpRequest.newBuilder().method(method, BodyPublishers.ofString("{}")), path)
                  .code())
          .isEqualTo(405);
    }
  }

  @Test
  void saysInOneLineThatSomethingIsNotThere() {
    assertThat(get("/nope")).isEqualTo(new HttpReply(404, "text/plain", "404 Not Found\n"));
    assertThat(send(HttpRequest.newBuilder().POST(BodyPublishers.noBody()), "/plan"))
        .isEqualTo(new HttpReply(405, "text/plain", "405 Method Not Allowed\n"));
  }

  @Test
  void measuresItself() {
    audit(Reports.acted());

    HttpReply reply = get("/metrics");

    assertThat(reply.code()).isEqualTo(200);
    assertThat(reply.type()).isEqualTo("text/plain; version=0.0.4; charset=utf-8");
    assertThat(families(reply.body()))
        .containsExactly(
            "gpu_cluster_free_gpus",
            "gpu_cluster_stranded_gpus",
            "gpu_reclaimer_action_not_before_timestamp_seconds",
            "gpu_reclaimer_actions_total",
            "gpu_reclaimer_activity_source_up",
            "gpu_reclaimer_breaker_open",
            "gpu_reclaimer_cluster_up",
            "gpu_reclaimer_contested_actions_total",
            "gpu_reclaimer_cycle_seconds",
            "gpu_reclaimer_decisions_total",
            "gpu_reclaimer_dropped_series",
            "gpu_reclaimer_expected_regrets_total",
            "gpu_reclaimer_freed_in_vain_total",
            "gpu_reclaimer_http_connections",
            "gpu_reclaimer_http_connections_closed_total",
            "gpu_reclaimer_idle_gpus",
            "gpu_reclaimer_last_cycle_timestamp_seconds",
            "gpu_reclaimer_leader",
            "gpu_reclaimer_observed_devices",
            "gpu_reclaimer_observed_regrets_total",
            "gpu_reclaimer_pending_devices",
            "gpu_reclaimer_pending_longest_wait_seconds",
            "gpu_reclaimer_pending_overtaken_total",
            "gpu_reclaimer_pending_pods",
            "gpu_reclaimer_pending_since_timestamp_seconds",
            "gpu_reclaimer_pending_unblocked_total",
            "gpu_reclaimer_pending_units",
            "gpu_reclaimer_pending_wait_seconds",
            "gpu_reclaimer_reclaimed_gpus_total",
            "gpu_reclaimer_regrets_total",
            "gpu_reclaimer_steps_total",
            "gpu_reclaimer_warned_devices",
            "gpu_reclaimer_warned_timestamp_seconds",
            "gpu_reclaimer_warnings_total",
            "gpu_reclaimer_workloads");
    assertThat(reply.body())
        .contains(
            "gpu_reclaimer_workloads{verdict=\"due\",} 4.0\n",
            "gpu_reclaimer_steps_total{step=\"evict\",outcome=\"spared\",} 1.0\n",
            "gpu_reclaimer_steps_total{step=\"warn\",outcome=\"failed\",} 1.0\n",
            "gpu_reclaimer_reclaimed_gpus_total 1.0\n",
            "gpu_reclaimer_idle_gpus 11.0\n");
  }

  /** These are few, and end with what they name; others would grow without end. */
  @Test
  void namesPodsAndWorkloadsOnlyWherePeopleLookForThem() {
    audit(Reports.acted());

    assertThat(found(get("/metrics").body(), "(?m)^(\\w+)\\{(?:.*,)?(?:name|pod)="))
        .containsExactly(
            "gpu_reclaimer_action_not_before_timestamp_seconds",
            "gpu_reclaimer_pending_devices",
            "gpu_reclaimer_pending_since_timestamp_seconds",
            "gpu_reclaimer_warned_devices",
            "gpu_reclaimer_warned_timestamp_seconds");
  }

  @Test
  void pleasesPromtool() throws IOException, InterruptedException {
    Optional<Path> tool = DebianTool.of("prometheus", "promtool");
    assumeTrue(tool.isPresent(), "promtool is not on the PATH, nor where ./test unpacks it");
    audit(Reports.acted());

    Process promtool =
        new ProcessBuilder(tool.get().toString(), "check", "metrics")
            .redirectErrorStream(true)
            .start();
    try (var input = promtool.getOutputStream()) {
      input.write(get("/metrics").body().getBytes(StandardCharsets.UTF_8));
    }
    String complaints =
        new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(promtool.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(complaints).isEmpty();
    assertThat(promtool.exitValue()).isZero();
  }

  private Service.Running start() {
    Service service =
        Service.start(
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
            new SimulatedCluster(CLOCK),
            leadership);
    return switch (service) {
      case Service.Running running -> running;
      case Service.Misconfigured(String problem) -> throw new AssertionError(problem);
      case Service.NotListening(String problem) -> throw new AssertionError(problem);
    };
  }

  private static CycleReport now(CycleReport report) {
    return new CycleReport(
        CLOCK.instant(),
        report.cluster(),
        report.observation(),
        report.judgments(),
        report.postponed(),
        report.plan(),
        report.results());
  }

  private void publish(CycleReport report) {
    service.part(LatestReport.class).publish(report);
  }

  /** Writes the metrics of a whole cycle. */
  private void audit(CycleReport report) {
    Auditor auditor = service.part(Auditor.class);
    auditor.planned(report);
    report.results().forEach(auditor::onResult);
    auditor.finished();
  }

  private HttpReply get(String path) {
    return send(HttpRequest.newBuilder().GET(), path);
  }

  private HttpReply getJson(String path) {
    return send(HttpRequest.newBuilder().GET().header("Accept", "application/json"), path);
  }

  private static HttpReply json(String body) {
    return new HttpReply(200, "application/json", body);
  }

  private HttpReply send(HttpRequest.Builder request, String path) {
    URI uri = URI.create("http://127.0.0.1:" + service.port() + path);
    try {
      HttpResponse<String> response =
          HTTP.send(request.uri(uri).build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
      String type = response.headers().firstValue("Content-Type").orElse("");
      return new HttpReply(response.statusCode(), type, response.body());
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static HttpReply text(int code, String body) {
    return new HttpReply(code, "text/plain; charset=utf-8", body);
  }

  private static Set<String> families(String metrics) {
    return found(metrics, "# TYPE (\\S+) ");
  }

  private static Set<String> found(String text, String pattern) {
    var found = new TreeSet<String>();
    Pattern.compile(pattern).matcher(text).results().map(r -> r.group(1)).forEach(found::add);
    return found;
  }
}
