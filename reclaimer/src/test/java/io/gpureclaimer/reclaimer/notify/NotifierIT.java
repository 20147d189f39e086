package io.gpureclaimer.reclaimer.notify;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.matchingJsonPath;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.audit.CapturedLog;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cycle.VirtualClock;
import io.gpureclaimer.reclaimer.plan.BreakerReason;
import io.gpureclaimer.reclaimer.plan.CircuitBreaker;
import io.gpureclaimer.reclaimer.plan.Planner.Plan;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.show.Reports;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.prometheus.client.CollectorRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether a warning counts as delivered, whatever the receiver does. */
class NotifierIT {
  private static final Duration SHORT = Duration.ofMillis(500);
  private static final String SECRET = "xoxb-very-secret";

  private final WireMockServer server =
      new WireMockServer(options().dynamicPort().dynamicHttpsPort());
  private final VirtualClock clock = new VirtualClock(JudgeScenario.NOW);
  private final CollectorRegistry registry = new CollectorRegistry();
  private final CapturedLog logged = new CapturedLog(Notifier.class);

  @TempDir Path folder;

  private @Nullable Notifier notifier;

  @BeforeEach
  void start() {
    server.start();
    answers(aResponse().withStatus(204));
  }

  @AfterEach
  void stop() {
    if (notifier != null) {
      notifier.close();
    }
    server.stop();
    logged.close();
  }

  @Test
  void isDelivered_whenNoReceiverIsRequired() {
    assertThat(warn(notifier(List.of()), "train-0")).isEmpty();
  }

  @Test
  void isDelivered_whenTheReceiverAccepts() {
    assertThat(warn(notifier(receiver()), "train-0")).isEmpty();

    server.verify(
        1,
        postRequestedFor(urlEqualTo("/hook/" + SECRET))
            .withHeader("Content-Type", equalTo("application/json"))
            .withRequestBody(matchingJsonPath("$.topic", equalTo("warning")))
            .withRequestBody(matchingJsonPath("$.workload.name", equalTo("train-0"))));
    assertThat(count("accepted")).isEqualTo(1);
  }

  @Test
  void isNotDelivered_whenTheReceiverAnswersAnythingElse() {
    for (int code : new int[] {301, 302, 307, 400, 401, 403, 404, 410, 500, 502, 503}) {
      answers(aResponse().withStatus(code).withHeader("Location", base() + "/other"));

      Optional<String> why = warn(notifier(receiver()), "train-0");

      assertThat(why.orElseThrow())
          .startsWith("receiver platform did not take it: it answered " + code)
          .doesNotContain(SECRET);
      server.verify(0, postRequestedFor(urlEqualTo("/other")));
    }
  }

  @Test
  void isNotDelivered_whenTheConnectionBreaks() {
    for (Fault fault : Fault.values()) {
      answers(aResponse().withFault(fault));

      assertThat(warn(notifier(receiver()), "train-0").orElseThrow())
          .startsWith("receiver platform did not take it: ")
          .doesNotContain(SECRET);
    }
  }

  @Test
  void isNotDelivered_whenNothingListens() {
    Notifier notifier = notifier(receiver());
    server.stop();

    assertThat(warn(notifier, "train-0").orElseThrow())
        .startsWith("receiver platform did not take it: ")
        .doesNotContain(SECRET);
    assertThat(logged.take())
        .singleElement()
        .asString()
        .startsWith("ERROR receiver platform does not accept messages: ")
        .doesNotContain(SECRET);
  }

  @Test
  void isNotDelivered_whenTheAnswerComesTooLate() {
    answers(aResponse().withStatus(200).withFixedDelay(3_000));

    assertThat(warn(notifier(receiver(), SHORT, SHORT), "train-0"))
        .hasValue("receiver platform did not take it: no answer within 500 ms");
  }

  @Test
  void isNotDelivered_whenTheAnswerDrips() {
    answers(aResponse().withStatus(200).withBody("0123456789").withChunkedDribbleDelay(10, 5_000));

    assertThat(warn(notifier(receiver(), SHORT, SHORT), "train-0"))
        .hasValue("receiver platform did not take it: no answer within 500 ms");
  }

  @Test
  void isNotDelivered_whenTheCertificateIsNotTrusted() {
    Receiver receiver =
        new Receiver(
            "platform",
            Receiver.PayloadFormat.GENERIC,
            new Receiver.Address.Open(
                URI.create("https://localhost:" + server.httpsPort() + "/" + SECRET)),
            Optional.empty(),
            Optional.empty(),
            true);

    assertThat(warn(notifier(List.of(receiver)), "train-0").orElseThrow())
        .startsWith("receiver platform did not take it: a TLS failure: ")
        .doesNotContain(SECRET);
  }

  @Test
  void leavesAReceiverAloneForAWhile_afterARefusal() {
    Notifier notifier = notifier(receiver());
    answers(aResponse().withStatus(500));
    warn(notifier, "train-0");
    answers(aResponse().withStatus(200));

    assertThat(warn(notifier, "train-1"))
        .hasValue(
            "receiver platform did not take it: it answered 500; it is asked again at"
                + " 2026-03-02T12:00:30Z");
    server.verify(0, postRequestedFor(anyUrl()));

    clock.advance(Duration.ofSeconds(30));

    assertThat(warn(notifier, "train-1")).isEmpty();
    assertThat(logged.take())
        .containsExactly(
            "ERROR receiver platform does not accept messages: it answered 500",
            "INFO receiver platform accepts messages again");
  }

  @Test
  void leavesItAloneForAsLongAsItWants() {
    Notifier notifier = notifier(receiver());
    answers(aResponse().withStatus(429).withHeader("Retry-After", "120"));
    warn(notifier, "train-0");

    assertThat(warn(notifier, "train-0").orElseThrow()).endsWith("at 2026-03-02T12:02:00Z");
  }

  @Test
  void isNotSentTwice_whenOneOfTwoReceiversHasItAlready() throws IOException {
    Receiver other = receiver("other", Files.writeString(folder.resolve("other"), "nonsense"));
    Notifier notifier = notifier(List.of(receiver().getFirst(), other));

    assertThat(warn(notifier, "train-0"))
        .hasValue(
            "receiver other did not take it: a URL in " + folder.resolve("other") + ", found none");

    Files.writeString(folder.resolve("other"), base() + "/other\n");
    clock.advance(Duration.ofMinutes(1));

    assertThat(warn(notifier, "train-0")).isEmpty();
    server.verify(1, postRequestedFor(urlEqualTo("/hook/" + SECRET)));
    server.verify(1, postRequestedFor(urlEqualTo("/other")));
  }

  @Test
  void isSentAgain_whenTheWorkloadWasGoneInBetween() {
    Notifier notifier = notifier(receiver());
    warn(notifier, "train-0");

    notifier.onPlan(Reports.full(), true);
    warn(notifier, "train-0");

    server.verify(2, postRequestedFor(anyUrl()));
  }

  @Test
  void isSentAgain_whenItWasWithdrawnInBetween() {
    Notifier notifier = notifier(receiver());
    warn(notifier, "train-0");

    notifier.onPlan(seeing(Warnings.toWithdraw("train-0")), true);
    notifier.send(Warnings.toWithdraw("train-0"), Warnings.NOTICE);
    await(() -> requests("withdrawal") == 1);
    warn(notifier, "train-0");

    assertThat(requests("warning")).isEqualTo(2);
  }

  @Test
  void isNotSentAgain_whileItCannotBeWrittenDown() {
    Notifier notifier = notifier(receiver());
    warn(notifier, "train-0");

    notifier.onPlan(seeing(Warnings.toWarn("train-0")), true);
    warn(notifier, "train-0");
    notifier.onPlan(seeing(Warnings.unknown("train-0")), true);
    notifier.onPlan(seeing(Warnings.toWarn("train-0")), true);
    warn(notifier, "train-0");

    assertThat(requests("warning")).isEqualTo(1);
  }

  @Test
  void isSentAgain_whenItSaysSomethingElse() {
    Notifier notifier = notifier(receiver());
    warn(notifier, "train-0");

    notifier.onPlan(seeing(Warnings.toWarn("train-0", Mode.ON_DEMAND)), true);
    notifier.warn(Warnings.toWarn("train-0", Mode.ON_DEMAND), Warnings.NOTICE);

    assertThat(requests("warning")).isEqualTo(2);
  }

  private static CycleReport seeing(Verdict verdict) {
    CycleReport report = Reports.full();
    return new CycleReport(
        report.at(),
        report.cluster(),
        report.observation(),
        List.of(new Judgment(verdict, Optional.empty(), List.of(), Optional.empty())),
        List.of(),
        report.breaker(),
        report.followUps(),
        new Plan(List.of()),
        List.of());
  }

  @Test
  void onlyWhoLeadsReportsTheBreaker() {
    Notifier notifier = notifier(receiver());

    notifier.onPlan(withOpenBreaker(Reports.full()), false);
    notifier.onPlan(withOpenBreaker(Reports.full()), true);

    await(() -> requests("breaker-open") == 1);
  }

  private static CycleReport withOpenBreaker(CycleReport report) {
    return new CycleReport(
        report.at(),
        report.cluster(),
        report.observation(),
        report.judgments(),
        report.postponed(),
        new CircuitBreaker.BreakerStatus(
            report.breaker().coverage(), List.of(new BreakerReason.Blind("down"))),
        report.followUps(),
        report.plan(),
        report.results());
  }

  @Test
  void keepsTheCycleWaitingForNoLongerThanAllowed() {
    answers(aResponse().withStatus(200).withFixedDelay(300));
    Notifier notifier = notifier(receiver(), Duration.ofSeconds(10), SHORT);

    long reported =
        IntStream.range(0, 20).filter(i -> warn(notifier, "train-" + i).isEmpty()).count();

    assertThat(reported).isBetween(1L, 2L);
    assertThat(warn(notifier, "train-19").orElseThrow()).contains("the rest has to wait");

    clock.advance(Duration.ofSeconds(61));
    assertThat(warn(notifier, "train-19")).isEmpty();
  }

  @Test
  void readsHeadersAgain_forEveryMessage() throws IOException {
    Path headers = Files.writeString(folder.resolve("headers"), "Authorization: Bearer one\n");
    Receiver receiver =
        new Receiver(
            "platform",
            Receiver.PayloadFormat.GENERIC,
            new Receiver.Address.Open(URI.create(base() + "/hook")),
            Optional.of(headers),
            Optional.empty(),
            true);
    Notifier notifier = notifier(List.of(receiver));
    warn(notifier, "train-0");
    Files.writeString(headers, "Authorization: Bearer two\nX-Team: ml\n");
    warn(notifier, "train-1");
    Files.writeString(headers, "Authorization " + SECRET);

    assertThat(warn(notifier, "train-2"))
        .hasValue(
            "receiver platform did not take it: headers in "
                + headers
                + ", found a line without \"Name: value\"");
    server.verify(1, postRequestedFor(anyUrl()).withHeader("Authorization", equalTo("Bearer one")));
    server.verify(
        1,
        postRequestedFor(anyUrl())
            .withHeader("Authorization", equalTo("Bearer two"))
            .withHeader("X-Team", equalTo("ml")));
  }

  @Test
  void sendsWhatNothingDependsOn_withoutWaiting() {
    answers(aResponse().withStatus(200).withFixedDelay(200));
    Notifier notifier = notifier(receiver());

    long begin = System.nanoTime();
    notifier.send(Warnings.due("train-0"), Warnings.NOTICE);
    notifier.breaker(true, "only 61% are observed");
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMillis(200));

    await(() -> requests("reclaimed") == 1 && requests("breaker-open") == 1);
  }

  @Test
  void triesAgain_andGivesUp() {
    answers(aResponse().withStatus(503));
    Notifier notifier = notifier(receiver());

    notifier.send(Warnings.due("train-0"), Warnings.NOTICE);

    await(() -> Double.valueOf(1).equals(count("refused")));
    assertThat(requests("reclaimed")).isEqualTo(3);
  }

  @Test
  void dropsWhatDoesNotFit_andCountsIt() {
    answers(aResponse().withStatus(200).withFixedDelay(400));
    Notifier notifier = notifier(receiver());

    for (int i = 0; i < Outbox.CAPACITY + 5; i++) {
      notifier.send(Warnings.due("train-0"), Warnings.NOTICE);
    }

    assertThat(count("dropped")).isBetween(4.0, 5.0);
  }

  private String base() {
    return "http://localhost:" + server.port();
  }

  private void answers(ResponseDefinitionBuilder response) {
    server.resetAll();
    server.stubFor(any(anyUrl()).willReturn(response));
  }

  private Notifier notifier(List<Receiver> receivers) {
    return notifier(receivers, Duration.ofSeconds(10), Duration.ofMinutes(1));
  }

  private Notifier notifier(List<Receiver> receivers, Duration timeout, Duration patience) {
    if (notifier != null) {
      notifier.close();
    }
    registry.clear();
    notifier =
        new Notifier(
            receivers,
            timeout,
            patience,
            List.of(Duration.ofMillis(1), Duration.ofMillis(1)),
            registry,
            clock,
            MonotonicClock.SYSTEM);
    return notifier;
  }

  private static Optional<String> warn(Notifier notifier, String pod) {
    return notifier.warn(Warnings.toWarn(pod), Warnings.NOTICE);
  }

  private List<Receiver> receiver() {
    try {
      Path url = folder.resolve("url");
      return List.of(receiver("platform", Files.writeString(url, base() + "/hook/" + SECRET)));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Receiver receiver(String name, Path url) {
    return new Receiver(
        name,
        Receiver.PayloadFormat.GENERIC,
        new Receiver.Address.InFile(url),
        Optional.empty(),
        Optional.empty(),
        true);
  }

  private int requests(String topic) {
    return server
        .findAll(
            postRequestedFor(anyUrl()).withRequestBody(matchingJsonPath("$.topic", equalTo(topic))))
        .size();
  }

  private @Nullable Double count(String result) {
    return registry.getSampleValue(
        "gpu_reclaimer_notifications_total",
        new String[] {"receiver", "result"},
        new String[] {"platform", result});
  }

  private static void await(java.util.function.BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("time is over").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }
}
