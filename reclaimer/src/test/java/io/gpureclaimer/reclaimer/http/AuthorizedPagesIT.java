package io.gpureclaimer.reclaimer.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.program.Service;
import io.gpureclaimer.reclaimer.access.FakeReviews;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.audit.CycleReport.LatestReport;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedLeadership;
import io.gpureclaimer.reclaimer.show.Reports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who sees and changes what, where pages are for people whom the API server knows. */
class AuthorizedPagesIT {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final String SECRET = "a-secret-of-the-proxy";
  private static final String DUE = "/ui/workloads/ml/pod/due";

  @TempDir private Path folder;

  private final FakeReviews reviews =
      new FakeReviews().token("alices", "alice").token("bobs", "bob");
  private final SimulatedCluster cluster = new SimulatedCluster(Clock.systemUTC());
  private Service.Running service;

  @BeforeEach
  void start() throws IOException {
    Files.writeString(folder.resolve("secret"), SECRET + "\n");
    service = started(Map.of());
    service.part(LatestReport.class).publish(Reports.acted());
  }

  @AfterEach
  void stop() {
    service.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/ui",
        "/ui/workloads",
        DUE,
        "/plan",
        "/explain/ml/due",
        "/api/v1/reclamations",
        "/api/v1/workloads"
      })
  void showsNothing_withoutAnIdentity(String path) {
    HttpResponse<String> response = get(path);

    assertThat(response.statusCode()).isEqualTo(401);
    assertThat(response.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
    assertThat(response.body()).doesNotContain("due", "ml/");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/ui", "/ui/workloads", DUE, "/plan", "/explain/ml/due"})
  void showsANamespace_toWhoMayGetItsPods(String path) {
    reviews.allow("alice", "get", "Pod", "ml");

    HttpResponse<String> response = get(path, "Authorization", "Bearer alices");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).contains("due");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/ui", "/ui/workloads", DUE, "/plan", "/explain/ml/due"})
  void leaksNothingOfOtherNamespaces(String path) {
    reviews.allow("bob", "get", "Pod", "other");

    HttpResponse<String> response = get(path, "Authorization", "Bearer bobs");

    assertThat(response.statusCode()).isIn(200, 404);
    assertThat(response.body().replace("pod ml/due requests no GPU", ""))
        .doesNotContain("ml/", ">ml<", "train-0")
        .doesNotContain("<span class=\"number\">1");
  }

  @Test
  void anotherNamespaceAndNoNamespace_lookTheSame() {
    HttpResponse<String> hidden = get(DUE, "Authorization", "Bearer bobs");
    HttpResponse<String> absent =
        get("/ui/workloads/nowhere/pod/due", "Authorization", "Bearer bobs");

    assertThat(hidden.statusCode()).isEqualTo(404);
    assertThat(hidden.body()).isEqualTo(absent.body());
  }

  /** How many GPUs the cluster has is a matter of all namespaces. */
  @Test
  void showsTheModelsOfTheCluster_onlyToReadersOfAllNamespaces() {
    reviews.allow("alice", "get", "Pod", "ml").allow("bob", "get", "Pod", "");

    assertThat(get("/api/v1/models", "Authorization", "Bearer alices").statusCode()).isEqualTo(403);
    assertThat(get("/ui", "Authorization", "Bearer alices").body())
        .doesNotContain("Models of GPUs");
    assertThat(get("/api/v1/models", "Authorization", "Bearer bobs").statusCode()).isEqualTo(200);
  }

  @Test
  void healthAndMetricsNeedNoIdentity() {
    assertThat(get("/health").statusCode()).isEqualTo(200);
    assertThat(get("/metrics").statusCode()).isEqualTo(200);
  }

  @Test
  void believesTheHeaders_ofAProxyThatKnowsTheSecret() {
    reviews.allow("alice", "get", "Pod", "ml");

    assertThat(get(DUE, "X-Forwarded-User", "alice", "X-Proxy-Secret", SECRET).statusCode())
        .isEqualTo(200);
    assertThat(
            get(DUE, "X-Forwarded-User", "alice", "Authorization", basic("alice", SECRET)).body())
        .contains("<span class=\"person\">alice</span>");
  }

  @ParameterizedTest
  @CsvSource({
    "X-Proxy-Secret, a-secret-of-another",
    "X-Proxy-Secret, ''",
    "X-Forwarded-Email, alice@example.com",
    "X-Proxy-Secre, " + SECRET
  })
  void believesNoHeaders_withoutTheSecret(String header, String value) {
    reviews.allow("alice", "get", "Pod", "ml");

    assertThat(get(DUE, "X-Forwarded-User", "alice", header, value).statusCode()).isEqualTo(401);
  }

  @Test
  void believesNoProxy_fromAnAddressThatIsNotConfigured() {
    reviews.allow("alice", "get", "Pod", "ml");
    service.close();
    service = started(Map.of("web.identity.proxy-peers", List.of("10.1.2.0/24")));
    service.part(LatestReport.class).publish(Reports.acted());

    assertThat(get(DUE, "X-Forwarded-User", "alice", "X-Proxy-Secret", SECRET).statusCode())
        .isEqualTo(401);
  }

  @Test
  void refusesTwoUsersInOneRequest() {
    reviews.allow("alice", "get", "Pod", "ml");

    assertThat(
            get(
                    DUE,
                    "X-Forwarded-User",
                    "bob",
                    "X-Forwarded-User",
                    "alice",
                    "X-Proxy-Secret",
                    SECRET)
                .statusCode())
        .isEqualTo(401);
  }

  @Test
  void letsNoPersonBeAUserOfTheSystem() {
    reviews.allow("system:admin", "get", "Pod", "");

    assertThat(get(DUE, "X-Forwarded-User", "system:admin", "X-Proxy-Secret", SECRET).statusCode())
        .isEqualTo(403);
  }

  @Test
  void saysThatItIsUnknown_whileTheApiServerDoesNotRespond() {
    reviews.allow("alice", "get", "Pod", "ml").down(true);

    HttpResponse<String> response = get("/ui", "Authorization", "Bearer alices");

    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.body())
        .isEqualTo("The API server does not respond, so it is unknown what you may see and do.\n");
  }

  @Test
  void readsTheSecretAgain_whenItChanges() throws IOException {
    reviews.allow("alice", "get", "Pod", "ml");
    Files.writeString(folder.resolve("secret"), "another-secret-of-it");

    assertThat(get(DUE, "X-Forwarded-User", "alice", "X-Proxy-Secret", SECRET).statusCode())
        .isEqualTo(401);
    assertThat(
            get(DUE, "X-Forwarded-User", "alice", "X-Proxy-Secret", "another-secret-of-it")
                .statusCode())
        .isEqualTo(200);
  }

  @Test
  void keepsAPod_forWhoMayChangeIt() {
    reviews.allow("alice", "get", "Pod", "ml").allow("alice", "patch", "Pod", "ml");

    service.part(LatestReport.class).publish(ofNow(Reports.acted()));

    HttpResponse<String> response = post(DUE + "/keep", "for=4h", FROM_OUR_PAGE);

    // The pods of this report are in no cluster, so the write finds none.
    assertThat(response.statusCode()).isEqualTo(409);
    assertThat(response.body()).contains("Pod ml/due was not changed: the pod is gone");
  }

  /** A button sends the headers of the content around it. */
  @Test
  void repliesAlsoIfNothingElseHasChanged() {
    reviews.allow("alice", "get", "Pod", "ml");
    String page = get(DUE, "Authorization", "Bearer alices").body();
    String version = page.replaceAll("(?s).*X-Shown\":\"([^\"]+).*", "$1");

    HttpResponse<String> response =
        send(
            form("for=4h"),
            DUE + "/keep",
            "Authorization",
            "Bearer alices",
            "Sec-Fetch-Site",
            "same-origin",
            "X-Shown",
            version);

    assertThat(response.body()).contains("alice may not change Pod ml/due.");
  }

  @Test
  void changesNothing_forWhoMayNot() {
    reviews.allow("alice", "get", "Pod", "ml");

    HttpResponse<String> response = post(DUE + "/keep", "for=4h", FROM_OUR_PAGE);

    assertThat(response.statusCode()).isEqualTo(403);
    assertThat(response.body()).contains("alice may not change Pod ml/due.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
        "Sec-Fetch-Site: none",
        "Origin: https://attacker.example",
        "Origin: null",
        "X-Nothing: 1"
      })
  void changesNothing_forAnotherSite(String header) {
    reviews.allow("alice", "get", "Pod", "ml").allow("alice", "patch", "Pod", "ml");
    String[] parts = header.split(": ", 2);

    HttpResponse<String> response =
        send(
            form("for=4h"),
            DUE + "/keep",
            "X-Forwarded-User",
            "alice",
            "X-Proxy-Secret",
            SECRET,
            parts[0],
            parts[1]);

    assertThat(response.statusCode()).isEqualTo(403);
    assertThat(reviews.reviewed()).doesNotContain("alice patch Pod ml");
  }

  @ParameterizedTest
  @ValueSource(strings = {"for=", "for=0s", "for=8d", "for=-4h", "for=x", "other=4h"})
  void refusesADuration_thatIsNone(String form) {
    reviews.allow("alice", "get", "Pod", "ml").allow("alice", "patch", "Pod", "ml");

    HttpResponse<String> response = post(DUE + "/keep", form, FROM_OUR_PAGE);

    assertThat(response.statusCode()).isEqualTo(422);
    assertThat(response.body()).contains("with a duration of at most 7d");
  }

  @Test
  void programsSendJson() {
    reviews.allow("alice", "get", "Pod", "ml");

    HttpResponse<String> response =
        send(
            HttpRequest.newBuilder()
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"for\":\"4h\"}")),
            "/api/v1/workloads/ml/pod/due/keep",
            "Authorization",
            "Bearer alices");

    assertThat(response.statusCode()).isEqualTo(403);
    assertThat(response.body()).contains("\"detail\" : \"alice may not change Pod ml/due.\"");
    assertThat(get("/metrics").body())
        .contains("gpu_reclaimer_user_requests_total{request=\"keep\",outcome=\"forbidden\",} 1.0");
  }

  @Test
  void restoresNothing_thatIsNotReclaimed() {
    reviews.allow("alice", "get", "Pod", "ml").allow("alice", "patch", "Pod", "ml");

    assertThat(post(DUE + "/restore", "request=restore", FROM_OUR_PAGE).body())
        .contains("pod ml/due is not reclaimed.");
  }

  @Test
  void doesNotStart_withAShortSecret() throws IOException {
    Files.writeString(folder.resolve("secret"), "short");

    assertThat(start(Map.of()))
        .isInstanceOfSatisfying(
            Service.Misconfigured.class,
            wrong ->
                assertThat(wrong.problem()).contains("must have at least 16 characters, has 5"));
  }

  private static final String[] FROM_OUR_PAGE = {
    "Authorization", "Bearer alices", "Sec-Fetch-Site", "same-origin"
  };

  private Service.Running started(Map<String, Object> more) {
    return switch (start(more)) {
      case Service.Running running -> running;
      case Service.Misconfigured(String problem) -> throw new AssertionError(problem);
      case Service.NotListening(String problem) -> throw new AssertionError(problem);
    };
  }

  private Service start(Map<String, Object> more) {
    Map<String, Object> properties = new HashMap<>(more);
    properties.put("micronaut.server.host", "127.0.0.1");
    properties.put("micronaut.server.port", 0);
    properties.put("reclaimer.cluster", "embedded");
    properties.put("direct.agents", List.of("http://127.0.0.1:9/metrics"));
    properties.put("web.pages", "authorized");
    properties.put("web.identity.proxy-secret-file", folder.resolve("secret").toString());
    return Service.start(
        "gpu-reclaimer", properties, cluster, SimulatedLeadership.alone("test"), reviews);
  }

  private static CycleReport ofNow(CycleReport report) {
    return new CycleReport(
        Clock.systemUTC().instant(),
        report.cluster(),
        report.observation(),
        report.judgments(),
        report.postponed(),
        report.plan(),
        report.results());
  }

  private static String basic(String user, String password) {
    return "Basic "
        + Base64.getEncoder()
            .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
  }

  private HttpResponse<String> get(String path, String... headers) {
    return send(HttpRequest.newBuilder().GET(), path, headers);
  }

  private HttpResponse<String> post(String path, String body, String... headers) {
    return send(form(body), path, headers);
  }

  private static HttpRequest.Builder form(String body) {
    return HttpRequest.newBuilder()
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(BodyPublishers.ofString(body));
  }

  private HttpResponse<String> send(HttpRequest.Builder request, String path, String... headers) {
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
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
