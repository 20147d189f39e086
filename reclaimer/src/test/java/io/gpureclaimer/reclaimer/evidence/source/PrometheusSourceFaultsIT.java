package io.gpureclaimer.reclaimer.evidence.source;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.absent;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.http.Fault;
import io.gpureclaimer.reclaimer.evidence.ExposedSeries;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.ledger.LedgerFormat;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection.Credentials;
import io.gpureclaimer.reclaimer.evidence.source.PrometheusSource.EvidenceFetcher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the source makes of every way in which an answer can fail or be odd. */
class PrometheusSourceFaultsIT {
  private static final Instant NOW = Instant.parse("2026-11-21T06:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
  private static final String EMPTY =
      "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}}";
  private static final Seen NOTHING =
      reported("no gpu_pod_* series in the answer: no pod holds a GPU, or no agent is scraped");

  private static FakePrometheus prometheus;

  @BeforeAll
  static void start() {
    prometheus = new FakePrometheus();
  }

  @AfterAll
  static void stop() {
    prometheus.close();
  }

  @Test
  void seesNothing_whenTheVectorIsEmpty() {
    prometheus.answers(EMPTY);

    assertThat(look()).isEqualTo(NOTHING);
  }

  @Test
  void minds_neitherInfosNorMembersItDoesNotKnow() {
    prometheus.answers(
        "{\"infos\":[\"PromQL info: metric might not be a counter\"],\"isPartial\":false,"
            + "\"stats\":{\"seriesFetched\":\"7\",\"deep\":[[{}]]},\"warnings\":[],"
            + EMPTY.substring(1));

    assertThat(look()).isEqualTo(NOTHING);
  }

  @Test
  void minds_notTheOrderOfMembers() {
    prometheus.answers(
        """
        {"data":{"result":[{"value":[1795240800,"1795240000"],"metric":{"UUID":"GPU-1",
        "__name__":"gpu_pod_observed_until_timestamp_seconds","pod_uid":"u"}}],
        "resultType":"vector"},"status":"success"}\
        """);

    assertThat(look()).isEqualTo(reported("pod u, GPU GPU-1: no observed_since; GPU left out"));
  }

  @ParameterizedTest
  @CsvSource({
    "401, Unauthorized",
    "403, Forbidden",
    "404, 404 page not found",
    "405, Method Not Allowed",
    "500, boom",
    "502, <html><body><h1>502 Bad Gateway</h1></body></html>",
    "204, ''"
  })
  void isBlind_onAnyOtherStatus(int status, String body) {
    prometheus.answers(aResponse().withStatus(status).withBody(body + "\n"));

    assertThat(look())
        .isEqualTo(blind("HTTP 200, found HTTP " + status + (body.isEmpty() ? "" : ": " + body)));
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 422, 503, 200})
  void isBlind_withTheServersOwnWords(int status) {
    prometheus.answers(
        aResponse()
            .withStatus(status)
            .withBody(
                "{\"status\":\"error\",\"errorType\":\"execution\","
                    + "\"error\":\"query processing would load\\n too many samples\"}"));

    String expected =
        status == 200
            ? "status success, found status error: "
            : "HTTP 200, found HTTP " + status + ": ";
    assertThat(look())
        .isEqualTo(blind(expected + "execution: query processing would load too many samples"));
  }

  @Test
  void cutsALongError() {
    prometheus.answers(aResponse().withStatus(500).withBody("x".repeat(100_000)));

    assertThat(look()).isEqualTo(blind("HTTP 200, found HTTP 500: " + "x".repeat(300) + "…"));
  }

  @Test
  void isBlind_whenSentToALoginPage() {
    prometheus.answers(
        aResponse()
            .withStatus(302)
            .withHeader("Location", "https://me:secret@login.example/oauth?state=secret"));

    assertThat(look())
        .isEqualTo(blind("HTTP 200, found HTTP 302, sent on to https://login.example/oauth"));
  }

  @Test
  void isBlind_whenALoginPageAnswersInstead() {
    prometheus.answers(
        aResponse()
            .withHeader("Content-Type", "text/html")
            .withBody("<!DOCTYPE html>\n<title>Log in</title>"));

    assertThat(reason())
        .contains("expected JSON, found text/html that begins: <!DOCTYPE html> <ti");
  }

  @Test
  void isBlind_whenTheBodyIsEmpty() {
    prometheus.answers("");

    assertThat(look())
        .isEqualTo(
            blind("the JSON of an instant query, found expected START_OBJECT, found the end"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "\"success\"",
        "{}",
        "{\"status\":\"success\"}",
        "{\"status\":\"success\",\"data\":null}",
        "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\"}}",
        "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":null}}",
        "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[1]}}",
        "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{}]}}",
        "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":{},\"histogram\":[1,{}]}]}}",
        "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":{},\"value\":[1]}]}}",
        "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":{},\"value\":[1,\"x\"]}]}}",
        "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":{},\"value\":[1,2]}]}}",
        "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":{},\"value\":[1e300,\"1\"]}]}}",
        "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":{\"UUID\":1},\"value\":[1,\"1\"]}]}}",
        "{\"status\":\"success\",\"data\":{\"resultType\":\"scalar\",\"result\":[1795240800,\"1\"]}}",
        "{\"status\":\"success\",\"data\":{\"result\":[1795240800,\"1\"],\"resultType\":\"scalar\"}}",
        "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]}}",
        "{\"status\":\"success\",\"data\":{\"result\":[{\"metric\":{},\"values\":[[1,\"1\"]]}],\"resultType\":\"matrix\"}}",
        "{\"status\":\"success\",\"data\":{\"resultType\":\"string\",\"result\":[1795240800,\"x\"]}}",
        "{\"status\":1,\"data\":{\"resultType\":\"vector\",\"result\":[]}}",
        "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}} {}",
        "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}} x"
      })
  void isBlind_whenTheJsonIsNotThatOfAVector(String json) {
    prometheus.answers(json);

    assertThat(look()).isInstanceOf(Blind.class);
    assertThat(reason()).contains(": expected ").contains(", found ");
  }

  @Test
  void isBlind_whenTheAnswerHasWarnings() {
    prometheus.answers(
        "{\"warnings\":[\"store 10.0.0.7 is down\",\"no deduplication\"],\"infos\":[\"i\"],"
            + EMPTY.substring(1));

    assertThat(look())
        .isEqualTo(
            blind("a complete answer, found warnings: store 10.0.0.7 is down; no deduplication"));
  }

  @Test
  void isBlind_whenTheAnswerSaysItIsPartial() {
    prometheus.answers("{\"isPartial\":true," + EMPTY.substring(1));

    assertThat(look()).isEqualTo(blind("a complete answer, found isPartial"));
  }

  @Test
  void isBlind_whenAHeaderSaysItIsPartial() {
    prometheus.answers(aResponse().withHeader("X-Partial-Response", "true").withBody(EMPTY));

    assertThat(look()).isEqualTo(blind("a complete answer, found header x-partial-response: true"));
  }

  @Test
  void isNotBlind_whenAHeaderDeniesThatItIsPartial() {
    prometheus.answers(aResponse().withHeader("X-Partial-Response", "false").withBody(EMPTY));

    assertThat(look()).isEqualTo(NOTHING);
  }

  @Test
  void isBlind_whereverTheJsonIsCut() {
    for (int length = 0; length < EMPTY.length(); length++) {
      prometheus.answers(EMPTY.substring(0, length));

      assertThat(look()).as("cut after %s", length).isInstanceOf(Blind.class);
    }
  }

  @Test
  void isBlind_whenTheBodyIsShorterThanItsLength() throws IOException {
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual()
          .start(
              () -> {
                try (var socket = server.accept()) {
                  socket.getInputStream().readNBytes(1);
                  socket
                      .getOutputStream()
                      .write(
                          ("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" + EMPTY)
                              .getBytes(StandardCharsets.US_ASCII));
                  socket.shutdownOutput();
                  socket.getInputStream().readAllBytes();
                } catch (IOException _) {
                  // The client hung up first, which is its right.
                }
              });
      URI base = URI.create("http://127.0.0.1:" + server.getLocalPort());

      assertThat(look(PrometheusConnection.to(base, Duration.ofSeconds(10))))
          .isInstanceOf(Blind.class);
    }
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void isBlind_whenTheConnectionBreaks(Fault fault) {
    prometheus.answers(aResponse().withFault(fault));

    assertThat(reason()).startsWith("POST " + prometheus.base() + "/api/v1/query: expected ");
  }

  @Test
  void namesTheServersOwnLimit_whenThatWasReached() {
    prometheus.answers(
        aResponse()
            .withStatus(503)
            .withBody(
                "{\"status\":\"error\",\"errorType\":\"timeout\",\"error\":"
                    + "\"query timed out in expression evaluation\"}"));

    assertThat(look(prometheus.connection()))
        .isEqualTo(
            blind(
                "HTTP 200, found HTTP 503: timeout: query timed out in expression evaluation;"
                    + " that is a limit of the server's own, in a Prometheus --query.timeout"));
  }

  @Test
  void isBlind_whenTheAnswerIsTooSlow() {
    prometheus.answers(aResponse().withFixedDelay(60_000).withBody(EMPTY));

    assertThat(look(PrometheusConnection.to(prometheus.base(), Duration.ofMillis(300))))
        .isEqualTo(
            blind(
                "an answer within the 300ms of prometheus.timeout (--prometheus-timeout), found"
                    + " none"));
  }

  @Test
  void isBlind_whenTheBodyDrips() {
    prometheus.answers(aResponse().withBody(EMPTY).withChunkedDribbleDelay(20, 60_000));

    assertThat(look(PrometheusConnection.to(prometheus.base(), Duration.ofMillis(500))))
        .isEqualTo(
            blind(
                "an answer within the 500ms of prometheus.timeout (--prometheus-timeout), found"
                    + " none"));
  }

  @Test
  void isBlind_whenNothingListens() throws IOException {
    int port;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    URI base = URI.create("http://127.0.0.1:" + port);

    assertThat(look(PrometheusConnection.to(base, Duration.ofSeconds(10))))
        .isEqualTo(
            new Blind(
                "POST "
                    + base
                    + "/api/v1/query: expected an answer, found no process listening there"));
  }

  @Test
  void isBlind_whenTheNameDoesNotResolve() {
    URI base = URI.create("http://prometheus.invalid:9090");

    assertThat(look(PrometheusConnection.to(base, Duration.ofSeconds(10))))
        .isEqualTo(
            new Blind(
                "POST http://prometheus.invalid:9090/api/v1/query: expected an answer, found a host"
                    + " name that does not resolve"));
  }

  @Test
  void isBlind_whenTheAnswerIsTooLarge() {
    prometheus.answers(" ".repeat(2_000) + EMPTY);

    assertThat(new PrometheusSource(prometheus.connection(), CLOCK, 1_000).fetchAll())
        .isEqualTo(blind("an answer to its end, found more than 1000 bytes"));
  }

  @Test
  void isBlind_whenTheAnswerIsCompressedInAnUnknownWay() {
    prometheus.answers(aResponse().withHeader("Content-Encoding", "br").withBody(EMPTY));

    assertThat(look()).isEqualTo(blind("an answer, found content encoding br, not asked for"));
  }

  @Test
  void readsAnAnswer_compressedOrNot() {
    prometheus.answers(aResponse().withHeader("Content-Encoding", "gzip").withBody(gzipped(EMPTY)));
    Observation compressed = look();
    prometheus.answers(aResponse().withHeader("Content-Encoding", "identity").withBody(EMPTY));

    assertThat(List.of(compressed, look())).containsExactly(NOTHING, NOTHING);
  }

  @Test
  void isBlind_whenACompressedAnswerIsCut() {
    byte[] whole = gzipped(EMPTY);
    prometheus.answers(
        aResponse()
            .withHeader("Content-Encoding", "gzip")
            .withBody(Arrays.copyOf(whole, whole.length - 12)));

    assertThat(look()).isInstanceOf(Blind.class);
  }

  @Test
  void listsSeriesThatWereNotRequested() {
    prometheus.answers(
        FakePrometheus.vector(List.of(ExposedSeries.of("up", "u", "GPU-1", 1)), NOW));

    assertThat(((Seen) look()).oddities())
        .anyMatch(line -> line.startsWith("unexpected series: {"));
  }

  @Test
  void listsOnlyTheFirstOfManyOddities() {
    prometheus.answers(
        FakePrometheus.vector(
            java.util.stream.IntStream.range(0, 1_000)
                .mapToObj(i -> ExposedSeries.of(ExposedSeries.LAST_ACTIVE, "u", "GPU-" + i, -1))
                .toList(),
            NOW));

    List<String> oddities = ((Seen) look()).oddities();

    assertThat(oddities).hasSize(101);
    assertThat(oddities.getLast()).isEqualTo("only the first 100 of 1000 oddities are listed");
  }

  @Test
  void sendsTheCredentials_asTheFileHoldsThemNow(@TempDir Path directory) throws IOException {
    prometheus.answers(EMPTY);
    Path token = Files.writeString(directory.resolve("token"), "first\n");
    var source = new PrometheusSource(with(new Credentials.BearerTokenFile(token)), CLOCK);

    source.fetchAll();
    Files.writeString(token, "second\n");
    source.fetchAll();

    verifyAuthorization("Bearer first");
    verifyAuthorization("Bearer second");
  }

  @Test
  void sendsUserAndPassword(@TempDir Path directory) throws IOException {
    prometheus.answers(EMPTY);
    Path password = Files.writeString(directory.resolve("password"), "päss\n");

    look(with(new Credentials.BasicAuth("me", password)));

    verifyAuthorization("Basic bWU6cMOkc3M=");
  }

  @Test
  void sendsTokenAndTenant_andAsksByForm() {
    prometheus.answers(EMPTY);

    look(
        new PrometheusConnection(
            prometheus.base(),
            new Credentials.BearerToken("t"),
            Optional.empty(),
            Duration.ofSeconds(10),
            Optional.of("team-a|team-b")));

    prometheus
        .server()
        .verify(
            postRequestedFor(urlEqualTo("/api/v1/query"))
                .withHeader("Authorization", equalTo("Bearer t"))
                .withHeader("X-Scope-OrgID", equalTo("team-a|team-b"))
                .withHeader("Content-Type", equalTo("application/x-www-form-urlencoded"))
                .withFormParam("query", equalTo(EvidenceFetcher.allPods(new LedgerFormat()))));
  }

  @Test
  void sendsNoCredentials_whenItHasNone() {
    prometheus.answers(EMPTY);

    look();

    prometheus
        .server()
        .verify(
            postRequestedFor(urlEqualTo("/api/v1/query"))
                .withHeader("Authorization", absent())
                .withHeader("X-Scope-OrgID", absent()));
  }

  @Test
  void isBlind_whenTheTokenFileIsMissingOrUseless(@TempDir Path directory) throws IOException {
    Path missing = directory.resolve("missing");
    Path empty = Files.writeString(directory.resolve("empty"), "\n");
    Path strange = Files.writeString(directory.resolve("strange"), "s3cr3t\r\ns3cr3t");

    assertThat(List.of(missing, empty, strange))
        .extracting(file -> look(with(new Credentials.BearerTokenFile(file))))
        .containsExactly(
            blind("a bearer token in " + missing + ", found no such file"),
            blind("a bearer token in " + empty + ", found nothing"),
            blind("a bearer token in " + strange + ", found a character that no header may carry"));
  }

  private static PrometheusConnection with(Credentials credentials) {
    return new PrometheusConnection(
        prometheus.base(), credentials, Optional.empty(), Duration.ofSeconds(10), Optional.empty());
  }

  private static void verifyAuthorization(String value) {
    prometheus
        .server()
        .verify(
            1,
            postRequestedFor(urlEqualTo("/api/v1/query"))
                .withHeader("Authorization", equalTo(value)));
  }

  private static Seen reported(String oddity) {
    return new Seen(NOW, Map.of(), List.of(oddity))
        .from(new FormatName("ledger", "what the agents recorded"), Optional.empty());
  }

  private static Observation look() {
    return look(prometheus.connection());
  }

  private static Observation look(PrometheusConnection connection) {
    return new PrometheusSource(connection, CLOCK).fetchAll();
  }

  private static String reason() {
    return ((Blind) look()).reason();
  }

  private static Blind blind(String rest) {
    return new Blind("POST " + prometheus.base() + "/api/v1/query: expected " + rest);
  }

  private static byte[] gzipped(String text) {
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return bytes.toByteArray();
  }
}
