package io.gpureclaimer.reclaimer.evidence.source;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.containing;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.IdlePower;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.ExposedSeries;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceReader.ClockRollbackGuard;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection.Credentials;
import io.gpureclaimer.reclaimer.evidence.rules.RulesFormat;
import io.gpureclaimer.reclaimer.evidence.source.EvidenceFormats.Options;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How many questions a look puts, how they are put, and what follows when one is not answered. */
class EvidenceQueriesIT {
  private static final Instant NOW = Instant.parse("2026-11-22T06:00:00Z");
  private static final Instant SINCE = NOW.minusSeconds(3_600);
  private static final Instant WORKED = NOW.minusSeconds(1_800);
  private static final String EMPTY = FakePrometheus.vector(List.of(), NOW);
  private static final SignalLimits ALL =
      new SignalLimits(
          EnumSet.allOf(SignalKind.class),
          new IdlePower(Map.of()),
          64,
          5e7,
          5e7,
          0.5,
          List.of("vllm:request_success_total"),
          true);

  private final FakePrometheus prometheus = new FakePrometheus();

  @AfterEach
  void close() {
    prometheus.close();
  }

  @Test
  void putsThree_whenTheFormIsKnown() {
    prometheus.answers(held());

    assertThat(source(prometheus.base()).fetchAll()).isInstanceOf(Seen.class);

    assertThat(prometheus.server().getAllServeEvents()).hasSize(3);
  }

  @Test
  void putsFive_whenItFindsAnotherForm() {
    prometheus.answers(EMPTY);
    answer("count by (__name__)", counted("rules"));

    assertThat(source(prometheus.base()).fetchAll()).isInstanceOf(Seen.class);

    assertThat(prometheus.server().getAllServeEvents()).hasSize(5);
  }

  @Test
  void putsOne_toLookAgain() {
    prometheus.answers(held());
    PrometheusSource source = source(prometheus.base());
    var seen = (Seen) source.fetchAll();
    prometheus.server().resetRequests();

    source.fetchPod(seen.pod("u").orElseThrow());

    assertThat(prometheus.server().getAllServeEvents()).hasSize(1);
  }

  @Test
  void isBlind_whenASignalCannotBeHad() {
    prometheus.answers(held());
    for (String part : List.of("DCGM_FI_DEV_POWER_USAGE", "vllm:request_success_total")) {
      prometheus
          .server()
          .stubFor(
              post(urlEqualTo("/api/v1/query"))
                  .withFormParam("query", containing(part))
                  .willReturn(aResponse().withStatus(422).withBody("too many samples")));

      assertThat(source(prometheus.base()).fetchAll())
          .isEqualTo(
              new Blind(
                  "POST "
                      + prometheus.base()
                      + "/api/v1/query: expected HTTP 200, found HTTP 422: too many samples"));
    }
  }

  @Test
  void asksThanosForAllOrNothing_underItsPrefixAndTenant() {
    prometheus.answers(EMPTY);
    var connection =
        new PrometheusConnection(
            URI.create(prometheus.base() + "/thanos/"),
            new Credentials.Anonymous(),
            Optional.empty(),
            Duration.ofSeconds(10),
            Optional.of("team"));

    source(connection).fetchAll();

    prometheus
        .server()
        .verify(
            4,
            postRequestedFor(urlEqualTo("/thanos/api/v1/query"))
                .withHeader("X-Scope-OrgID", equalTo("team"))
                .withFormParam("partial_response", equalTo("false"))
                .withFormParam("dedup", equalTo("true"))
                .withFormParam("nocache", equalTo("1")));
  }

  @Test
  void isBlind_whenAStoreBehindThanosIsDown() {
    prometheus.answers(
        aResponse()
            .withStatus(503)
            .withBody(
                "{\"status\":\"error\",\"errorType\":\"unavailable\",\"error\":"
                    + "\"no store matched\"}"));

    assertThat(source(prometheus.base()).fetchAll())
        .isInstanceOfSatisfying(
            Blind.class, blind -> assertThat(blind.reason()).contains("no store matched"));
  }

  @Test
  void isBlind_whenTheProbeIsNotAnswered() {
    prometheus.answers(EMPTY);
    prometheus
        .server()
        .stubFor(
            post(urlEqualTo("/api/v1/query"))
                .withFormParam("query", containing("count by (__name__)"))
                .willReturn(aResponse().withStatus(500)));

    assertThat(source(prometheus.base()).fetchAll()).isInstanceOf(Blind.class);
  }

  /** A time that a Prometheus lived through twice is not known, though its rules say it is. */
  @Test
  void believesNoRule_aboutATimeThatWasLivedThroughTwice() {
    Instant former = NOW.plusSeconds(240);
    Instant later = former.plusSeconds(30);
    PrometheusSource source =
        new PrometheusSource(
            PrometheusConnection.to(prometheus.base(), Duration.ofSeconds(10)),
            Clock.fixed(NOW, ZoneOffset.UTC),
            new Options(Optional.of("rules"), Optional.empty(), SignalLimits.none()));
    prometheus.answers(ruled(NOW, ruled(ClockRollbackGuard.AHEAD, "GPU-1", former)));

    Seen meanwhile = (Seen) source.fetchAll();

    assertThat(meanwhile.pod("u").orElseThrow().devices())
        .extracting(DeviceActivity::device)
        .containsExactly(Entity.whole(new GpuUuid("GPU-2")));
    assertThat(meanwhile.oddities())
        .containsExactly(
            "pod u, GPU GPU-1: has samples until "
                + former
                + ": the source's clock was set back; GPU left out");

    prometheus.answers(ruled(later));
    Seen afterwards = (Seen) source.fetchAll();

    assertThat(afterwards.pod("u").orElseThrow().devices())
        .extracting(DeviceActivity::observedSince)
        .containsExactly(former, SINCE);
    assertThat(afterwards.pod("u").orElseThrow().devices())
        .extracting(DeviceActivity::lastActive)
        .containsExactly(Optional.empty(), Optional.of(WORKED));
    assertThat(afterwards.oddities()).isEmpty();
  }

  private static String ruled(Instant at, ExposedSeries... more) {
    Stream<ExposedSeries> marks =
        Stream.of("GPU-1", "GPU-2")
            .flatMap(
                gpu ->
                    Stream.of(
                        ruled(RulesFormat.OBSERVED_SINCE, gpu, SINCE),
                        ruled(RulesFormat.LAST_ACTIVE, gpu, WORKED),
                        ruled(RulesFormat.SAMPLED, gpu, at)));
    return FakePrometheus.vector(Stream.concat(marks, Stream.of(more)).toList(), at);
  }

  private static ExposedSeries ruled(String what, String gpu, Instant value) {
    double seconds = (double) value.getEpochSecond();
    return what.equals(ClockRollbackGuard.AHEAD)
        ? ExposedSeries.of("", "u", gpu, seconds).with(PromQl.KIND, what)
        : ExposedSeries.of(what, "u", gpu, seconds);
  }

  private void answer(String part, String json) {
    prometheus
        .server()
        .stubFor(
            post(urlEqualTo("/api/v1/query"))
                .withFormParam("query", containing(part))
                .willReturn(aResponse().withBody(json)));
  }

  private static String held() {
    double now = NOW.getEpochSecond();
    return FakePrometheus.vector(
        List.of(
            ExposedSeries.of(ExposedSeries.OBSERVED_SINCE, "u", "GPU-1", now - 60),
            ExposedSeries.of(ExposedSeries.OBSERVED_UNTIL, "u", "GPU-1", now),
            ExposedSeries.of(ExposedSeries.BUSY, "u", "GPU-1", 0).with("_kind", "busy"),
            new ExposedSeries(
                "", Map.of("pod_uid", "u", "UUID", "GPU-1", "_kind", "sampled_at"), now)),
        NOW);
  }

  private static String counted(String kind) {
    return FakePrometheus.vector(List.of(new ExposedSeries("", Map.of("_kind", kind), 1)), NOW);
  }

  private static PrometheusSource source(URI base) {
    return source(PrometheusConnection.to(base, Duration.ofSeconds(10)));
  }

  private static PrometheusSource source(PrometheusConnection connection) {
    return new PrometheusSource(
        connection,
        Clock.fixed(NOW, ZoneOffset.UTC),
        new Options(Optional.empty(), Optional.empty(), ALL));
  }
}
