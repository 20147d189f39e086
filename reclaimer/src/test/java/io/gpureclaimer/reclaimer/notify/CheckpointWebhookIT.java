package io.gpureclaimer.reclaimer.notify;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.equalToJson;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import io.gpureclaimer.reclaimer.cycle.VirtualClock;
import io.gpureclaimer.reclaimer.execution.Checkpoints.HookReply;
import io.gpureclaimer.reclaimer.execution.Checkpoints.HookRequest;
import io.gpureclaimer.reclaimer.policy.CheckpointUrl;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What counts as a confirmed checkpoint, whatever the hook does. */
class CheckpointWebhookIT {
  /** However slow the machine is, a hook that answers does so in time. */
  private static final HookRequest REQUEST = request(Duration.ofSeconds(60));

  private static final HookRequest HASTY = request(Duration.ofSeconds(2));

  private final WireMockServer server =
      new WireMockServer(options().dynamicPort().dynamicHttpsPort());
  private final VirtualClock clock = new VirtualClock(JudgeScenario.NOW);

  @BeforeEach
  void start() {
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop();
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 202, 204})
  void isConfirmed_whenTheHookAccepts(int code) throws Exception {
    answers(aResponse().withStatus(code));

    assertThat(call("http", server.port(), REQUEST))
        .isEqualTo(new HookReply(JudgeScenario.NOW, Optional.empty()));

    server.verify(
        1,
        postRequestedFor(urlEqualTo("/save"))
            .withHeader("Content-Type", equalTo("application/json"))
            .withoutHeader("Authorization")
            .withoutHeader("Cookie")
            .withRequestBody(
                equalToJson(
                    """
                    {"schema": 1, "actionId": "7dc879a9", "action": "scale", "namespace": "ml",
                     "kind": "Deployment", "name": "web", "pods": ["web-a", "web-b"],
                     "actNotBefore": "2026-03-02T12:15:00Z", "gracePeriodSeconds": 300,
                     "answerWithinSeconds": 60}
                    """)));
  }

  @ParameterizedTest
  @CsvSource({
    "409, 'it answered 409, which means not now'",
    "423, 'it answered 423, which means not now'",
    "401, it answered 401",
    "500, it answered 500"
  })
  void isNotConfirmed_whenTheHookRefuses(int code, String problem) throws Exception {
    answers(aResponse().withStatus(code));

    assertThat(call("http", server.port(), REQUEST).problem()).contains(problem);
  }

  @Test
  void followsNoRedirect() throws Exception {
    answers(aResponse().withStatus(307).withHeader("Location", server.baseUrl() + "/other"));

    assertThat(call("http", server.port(), REQUEST).problem())
        .contains("it answered 307, a redirect, which is not followed");
    server.verify(0, postRequestedFor(urlEqualTo("/other")));
  }

  @Test
  void isNotConfirmed_whenTheAnswerIsTooLong() throws Exception {
    answers(aResponse().withBody("x".repeat((int) CheckpointWebhook.LONGEST_ANSWER_BYTES + 1)));

    assertThat(call("http", server.port(), REQUEST).problem()).isPresent();
  }

  @Test
  void isNotConfirmed_whenNoAnswerComesInTime() throws Exception {
    answers(aResponse().withFixedDelay(3_000));

    assertThat(call("http", server.port(), HASTY).problem()).contains("no answer within 2 s");
  }

  @Test
  void isNotConfirmed_whenTheAnswerDoesNotEndInTime() throws Exception {
    answers(aResponse().withBody("x".repeat(1_000)).withChunkedDribbleDelay(10, 20_000));

    assertThat(call("http", server.port(), HASTY).problem()).contains("no answer within 2 s");
  }

  @Test
  void isNotConfirmed_whenTheConnectionBreaks() throws Exception {
    answers(aResponse().withFault(Fault.EMPTY_RESPONSE));

    assertThat(call("http", server.port(), REQUEST).problem()).isPresent();
  }

  @Test
  void isNotConfirmed_whenNothingListens() throws Exception {
    int port = server.port();
    server.stop();

    assertThat(call("http", port, REQUEST).problem()).isPresent();
  }

  @Test
  void isNotConfirmed_whenTheCertificateIsNotTrusted() throws Exception {
    answers(aResponse());

    assertThat(call("https", server.httpsPort(), REQUEST).problem().orElseThrow())
        .startsWith("a TLS failure: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "169.254.169.254",
        "0.0.0.0",
        "100.100.100.200",
        "::1",
        "fe80::1",
        "fd00:ec2::254"
      })
  void callsNoInternalAddress_whereANameLeadsToIt(String address) throws Exception {
    answers(aResponse());
    var webhook =
        new CheckpointWebhook(
            Optional.empty(),
            _ ->
                new InetAddress[] {
                  InetAddress.ofLiteral("10.0.0.1"), InetAddress.ofLiteral(address)
                },
            clock);

    HookReply reply = answerOf(webhook, url("http", "metadata.ml.svc", server.port()), REQUEST);

    assertThat(reply.problem().orElseThrow())
        .startsWith("its host has the address ")
        .endsWith(", which is called only if checkpoint.allowed names the address");
    server.verify(0, postRequestedFor(urlEqualTo("/save")));
  }

  @Test
  void isNotConfirmed_whenTheHostIsUnknown() throws Exception {
    var webhook =
        new CheckpointWebhook(
            Optional.empty(),
            host -> {
              throw new UnknownHostException(host);
            },
            clock);

    assertThat(answerOf(webhook, url("http", "nowhere", server.port()), REQUEST).problem())
        .contains("a host name that does not resolve");
  }

  @Test
  void isNotConfirmed_whenTheCertificatesCannotBeRead() throws Exception {
    var webhook = new CheckpointWebhook(Optional.of(Path.of("/no/such/ca.pem")), clock);

    assertThat(answerOf(webhook, url("https", "127.0.0.1", server.httpsPort()), REQUEST).problem())
        .isPresent();
  }

  private void answers(ResponseDefinitionBuilder answer) {
    server.stubFor(any(anyUrl()).willReturn(answer));
  }

  private HookReply call(String scheme, int port, HookRequest request)
      throws InterruptedException, ExecutionException, TimeoutException {
    return answerOf(
        new CheckpointWebhook(Optional.empty(), clock), url(scheme, "127.0.0.1", port), request);
  }

  private static HookReply answerOf(
      CheckpointWebhook webhook, CheckpointUrl url, HookRequest request)
      throws InterruptedException, ExecutionException, TimeoutException {
    return webhook.call(url, request).get(80, TimeUnit.SECONDS);
  }

  private static CheckpointUrl url(String scheme, String host, int port) {
    return new CheckpointUrl(scheme, host, port, "/save");
  }

  private static HookRequest request(Duration timeout) {
    return new HookRequest(
        "7dc879a9",
        "scale",
        "ml",
        "Deployment",
        "web",
        List.of("web-a", "web-b"),
        "2026-03-02T12:15:00Z",
        Optional.of(Duration.ofMinutes(5)),
        timeout);
  }
}
