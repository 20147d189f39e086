package io.gpureclaimer.reclaimer.evidence.source;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import io.gpureclaimer.common.vocabulary.IdlePower;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.ExposedSeries;
import io.gpureclaimer.reclaimer.evidence.Observation.HistoricalObservation;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.evidence.prometheus.AnswerStore;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.source.EvidenceFormats.Options;
import io.gpureclaimer.reclaimer.evidence.source.FakeRangePrometheus.Asked;
import io.gpureclaimer.reclaimer.evidence.source.PrometheusHistory.Replayed;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked about the past, in which pieces, and what follows when it is not answered. */
class PrometheusHistoryIT {
  private static final Instant START = Instant.parse("2026-03-02T00:00:00Z");
  private static final Duration STEP = Duration.ofMinutes(1);
  private static final Instant SINCE = START.minusSeconds(600);
  private static final SignalLimits CPU =
      new SignalLimits(
          Set.of(SignalKind.CPU), new IdlePower(Map.of()), 64, 5e7, 5e7, 0.5, List.of(), true);

  @Test
  void limitsTheLooksOfAQuery_toWhatAPrometheusAnswersCheaply() throws IOException {
    try (var prometheus = new FakeRangePrometheus(_ -> List.of(), Long.MAX_VALUE)) {
      assertThat(replay(history(prometheus, 1_000_000), 300).looks()).hasSize(300);

      List<Asked> questions = prometheus.asked();
      assertThat(questions).allMatch(asked -> asked.path().equals("/api/v1/query_range"));
      assertThat(questions.getFirst().isProbe()).isTrue();
      assertThat(questions.getFirst().looks()).isEqualTo(15);
      assertThat(questions.stream().skip(1).map(Asked::looks)).containsExactly(120L, 120L, 60L);
      assertThat(questions.get(1).start()).isEqualTo(START.plus(STEP));
      assertThat(questions.get(2).start()).isEqualTo(questions.get(1).end().plus(STEP));
      assertThat(questions.getLast().end()).isEqualTo(START.plus(STEP.multipliedBy(300)));
      assertThat(questions.getLast().parameters())
          .containsEntry("partial_response", "false")
          .containsEntry("max_source_resolution", "0s")
          .containsEntry("nocache", "1");
    }
  }

  /** Of 300 looks in three slices, the answer to one is lost. */
  @Test
  void asksOnlyForWhatItDoesNotHave(@TempDir Path folder) throws IOException {
    try (var prometheus = new FakeRangePrometheus(PrometheusHistoryIT::held, Long.MAX_VALUE)) {
      var store = Optional.of(new AnswerStore(folder));
      ReplayResult first = replay(stored(prometheus, store), 300);
      assertThat(prometheus.asked()).hasSize(4);
      try (Stream<Path> files = Files.list(folder)) {
        Files.delete(files.findFirst().orElseThrow());
      }

      ReplayResult again = replay(stored(prometheus, store), 300);

      assertThat(prometheus.asked()).hasSize(5);
      assertThat(lines(again.looks())).isEqualTo(lines(first.looks()));
    }
  }

  private static PrometheusHistory stored(
      FakeRangePrometheus prometheus, Optional<AnswerStore> store) {
    return new PrometheusHistory(prometheus.connection(), Options.ledgerOnly(), List.of(), store);
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 7, 50, 399, 1_000_000})
  void reportsTheSame_howeverMuchFitsIntoMemory(long mostSamples) throws IOException {
    try (var prometheus = new FakeRangePrometheus(PrometheusHistoryIT::held, Long.MAX_VALUE)) {
      ReplayResult found = replay(history(prometheus, mostSamples), 100);

      assertThat(found.reported()).isInstanceOf(Replayed.Complete.class);
      assertThat(lines(found.looks())).isEqualTo(expected(100));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {15, 40})
  void reportsTheSame_whenThePrometheusRefusesWhatIsTooMuchForIt(long mostLooks)
      throws IOException {
    try (var prometheus = new FakeRangePrometheus(PrometheusHistoryIT::held, mostLooks)) {
      assertThat(lines(replay(history(prometheus, 1_000_000), 100).looks()))
          .isEqualTo(expected(100));
    }
  }

  @Test
  void givesUp_whenASingleLookIsTooMuch() throws IOException {
    try (var prometheus = new FakeRangePrometheus(PrometheusHistoryIT::held, Long.MAX_VALUE)) {
      assertThat(replay(history(prometheus, 3), 100).reported())
          .isEqualTo(
              new Replayed.Unusable(
                  "one look alone is more than 3 samples, or more than the Prometheus allows: name"
                      + " some namespaces"));
    }
  }

  @Test
  void queriesSignals_onlyWhereAGpuWasAllocated() throws IOException {
    Options options = new Options(Optional.of("ledger"), Optional.empty(), CPU);
    for (boolean hasPod : List.of(true, false)) {
      try (var prometheus =
          new FakeRangePrometheus(at -> hasPod ? held(at) : List.of(), Long.MAX_VALUE)) {
        replay(new PrometheusHistory(prometheus.connection(), options, List.of()), 10);

        assertThat(prometheus.asked().stream().filter(PrometheusHistoryIT::isAboutCpus))
            .hasSize(hasPod ? 1 : 0);
      }
    }
  }

  @Test
  void queriesTheGpusOfTheNamespaces_andTheirSharers() throws IOException {
    try (var prometheus = new FakeRangePrometheus(PrometheusHistoryIT::held, Long.MAX_VALUE)) {
      replay(
          new PrometheusHistory(prometheus.connection(), Options.ledgerOnly(), List.of("a.b")), 10);

      assertThat(prometheus.asked().getLast().query())
          .startsWith("(")
          .contains(") and on (UUID) (")
          .contains("namespace=~\"a\\\\.b\",exported_namespace=\"\"")
          .contains("exported_namespace=~\"a\\\\.b\"");
    }
  }

  @Test
  void namesPods_byTheirOwnLabels_whenTheScrapeHasOverwrittenThem() throws IOException {
    try (var prometheus =
        new FakeRangePrometheus(
            at ->
                held(at).stream()
                    .map(one -> one.with("exported_pod", "mine").with("exported_namespace", "ml"))
                    .toList(),
            Long.MAX_VALUE)) {
      assertThat(replay(history(prometheus, 1_000), 2).looks().getLast().names())
          .isEqualTo(Map.of("u", new PodName("ml", "mine")));
    }
  }

  @Test
  void refusesLooksTooFarApart_whenTheClocksHaveToBeKeptHere() {
    try (var prometheus = new FakePrometheus()) {
      prometheus.answers(
          matrix("{\"metric\":{\"_kind\":\"plain\"},\"values\":[[1772409600,\"1\"]]}"));
      var history =
          new PrometheusHistory(
              prometheus.connection(),
              new Options(Optional.empty(), Optional.empty(), SignalLimits.none()),
              List.of());
      var range = new TimeRange(START, START.plus(Duration.ofHours(1)), Duration.ofMinutes(5));

      assertThat(history.replay(range, _ -> {}))
          .isEqualTo(
              new Replayed.StepTooLong(
                  "the step must be at most 60s where there are no records of agents, because the"
                      + " clocks over series of other exporters start again after a longer gap, was"
                      + " 300s",
                  Duration.ofMinutes(1)));
    }
  }

  @ParameterizedTest
  @MethodSource("faults")
  void saysWhatIsWrong_whenTheAnswerIsNotWholeAndRight(
      ResponseDefinitionBuilder response, String problem) {
    try (var prometheus = new FakePrometheus()) {
      prometheus.answers(response);

      Replayed reported =
          replay(new PrometheusHistory(prometheus.connection(), Options.ledgerOnly(), List.of()), 5)
              .reported();

      assertThat(reported)
          .isInstanceOfSatisfying(
              Replayed.Unusable.class,
              unusable ->
                  assertThat(unusable.reason())
                      .startsWith("POST " + prometheus.base() + "/api/v1/query_range: expected ")
                      .contains(problem));
    }
  }

  static Stream<Arguments> faults() {
    return Stream.of(
        Arguments.of(aResponse().withStatus(500).withBody("oops"), "found HTTP 500: oops"),
        Arguments.of(aResponse().withStatus(401), "found HTTP 401"),
        Arguments.of(
            aResponse()
                .withStatus(400)
                .withBody(
                    "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"exceeded maximum"
                        + " resolution of 11,000 points per timeseries\"}"),
            "bad_data: exceeded maximum resolution"),
        Arguments.of(
            ok(matrix("").replace("}}", "},\"warnings\":[\"a store is down\"]}")), "store"),
        Arguments.of(ok(matrix("").replace("}}", "},\"isPartial\":true}")), "isPartial"),
        Arguments.of(ok(FakePrometheus.vector(List.of(), START)), "resultType vector"),
        Arguments.of(ok(matrix("{\"metric\":{},\"histograms\":[]}")), "element without value"),
        Arguments.of(ok(matrix("{\"metric\":{},\"values\":[[1]]}")), "range query"),
        Arguments.of(ok("{\"status\":\"success\",\"data\":{\"resultType\":\"mat"), "its end"),
        Arguments.of(aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER), "an answer"));
  }

  @Test
  void saysThatNothingAnswers() {
    URI unreachable = URI.create("http://127.0.0.1:9");
    var history =
        new PrometheusHistory(
            PrometheusConnection.to(unreachable, Duration.ofSeconds(5)),
            Options.ledgerOnly(),
            List.of());

    assertThat(replay(history, 5).reported())
        .isInstanceOfSatisfying(
            Replayed.Unusable.class,
            unusable ->
                assertThat(unusable.reason())
                    .startsWith("POST " + unreachable + "/api/v1/query_range: expected an answer"));
  }

  /** Result of the replay, and its observations. */
  private record ReplayResult(Replayed reported, List<HistoricalObservation> looks) {}

  private static String matrix(String elements) {
    return "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":["
        + elements
        + "]}}";
  }

  private static ResponseDefinitionBuilder ok(String body) {
    return aResponse().withBody(body);
  }

  private static ReplayResult replay(PrometheusHistory history, long looks) {
    var found = new ArrayList<HistoricalObservation>();
    var range = new TimeRange(START, START.plus(STEP.multipliedBy(looks)), STEP);
    Replayed reported = history.replay(range, found::add);
    return new ReplayResult(reported, found);
  }

  private static PrometheusHistory history(FakeRangePrometheus prometheus, long mostSamples) {
    return new PrometheusHistory(
        prometheus.connection(), Options.ledgerOnly(), List.of(), mostSamples);
  }

  private static boolean isAboutCpus(Asked asked) {
    return asked.query().contains("container_cpu_usage_seconds_total");
  }

  /** A pod with one GPU, absent in each odd minute. */
  private static List<ExposedSeries> held(Instant at) {
    if (at.getEpochSecond() / 60 % 2 == 1) {
      return List.of();
    }
    double now = (double) at.getEpochSecond();
    return Stream.of(
            ExposedSeries.of(
                ExposedSeries.OBSERVED_SINCE, "u", "GPU-1", (double) SINCE.getEpochSecond()),
            ExposedSeries.of(ExposedSeries.OBSERVED_UNTIL, "u", "GPU-1", now),
            new ExposedSeries(
                "", Map.of("pod_uid", "u", "UUID", "GPU-1", "_kind", "sampled_at"), now),
            ExposedSeries.of(ExposedSeries.BUSY, "u", "GPU-1", 0).with("_kind", "busy"))
        .map(one -> one.with("namespace", "monitoring").with("pod", "p"))
        .toList();
  }

  private static List<String> lines(List<HistoricalObservation> looks) {
    return looks.stream().map(PrometheusHistoryIT::line).toList();
  }

  private static String line(HistoricalObservation look) {
    return look.seen().at()
        + " "
        + look.seen().pods().values().stream()
            .flatMap(pod -> pod.devices().stream())
            .map(PrometheusHistoryIT::line)
            .toList()
        + " "
        + look.names();
  }

  private static String line(DeviceActivity device) {
    return device.observedSince() + " to " + device.observedUntil() + " " + device.lastActive();
  }

  private static List<String> expected(long looks) {
    return LongStream.rangeClosed(1, looks)
        .mapToObj(number -> START.plus(STEP.multipliedBy(number)))
        .map(
            at ->
                at.getEpochSecond() / 60 % 2 == 1
                    ? at + " [] {}"
                    : at + " [" + SINCE + " to " + at + " Optional.empty] {u=monitoring/p}")
        .toList();
  }
}
