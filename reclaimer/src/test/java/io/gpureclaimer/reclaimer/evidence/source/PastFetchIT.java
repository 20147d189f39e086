package io.gpureclaimer.reclaimer.evidence.source;

import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.findAll;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.serviceUnavailable;
import static com.github.tomakehurst.wiremock.client.WireMock.stubFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.tomakehurst.wiremock.junit5.WireMockRuntimeInfo;
import com.github.tomakehurst.wiremock.junit5.WireMockTest;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.PastActivity;
import io.gpureclaimer.reclaimer.evidence.PastActivity.PastPod;
import io.gpureclaimer.reclaimer.evidence.PastActivity.PastSpell;
import io.gpureclaimer.reclaimer.evidence.PastActivity.PodNamePattern;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.rules.RulesFormat;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is asked about the last days of some pods, and what is made of the answer. */
@WireMockTest
class PastFetchIT {
  private static final Instant END = Instant.ofEpochSecond(6_000);
  private static final TimeRange RANGE = new TimeRange(Instant.EPOCH, END, Duration.ofMinutes(10));
  private static final PodNamePattern CHAT = pattern("ml", "chat", "chat-[0-9]+");

  private PrometheusSource source = source(URI.create("http://127.0.0.1:9"));

  @BeforeEach
  void start(WireMockRuntimeInfo server) {
    source = source(URI.create(server.getHttpBaseUrl()));
  }

  /** Of three clocks, a step has all or it counts as lost. */
  @Test
  void readsTheClocksOfEachPod() {
    answer(
        """
        {"metric":{"__name__":"gpu_pod_last_active_timestamp_seconds","namespace":"ml",
          "pod":"chat-0","pod_uid":"u"},
          "values":[[1200,"1100"],[1800,"1100"],[2400,"1100"],[3000,"2950"],[4200,"NaN"]]},
        {"metric":{"__name__":"gpu_pod_observed_since_timestamp_seconds","namespace":"ml",
          "pod":"chat-0","pod_uid":"u"},
          "values":[[600,"500"],[1200,"500"],[1800,"500"],[3000,"500"],[4200,"4000"]]},
        {"metric":{"_kind":"observed_until","namespace":"ml",
          "pod":"chat-0","pod_uid":"u"},
          "values":[[600,"590"],[1200,"1190"],[1800,"1790"],[2400,"2390"],[3000,"2990"],
            [4200,"4190"]]},
        {"metric":{"_kind":"observed_until","namespace":"ml",
          "pod":"chat-x","pod_uid":"v"},"values":[[600,"590"]]}
        """);

    assertThat(source.fetchPast(List.of(CHAT), RANGE))
        .isEqualTo(
            new PastActivity.Known(
                RANGE,
                List.of(
                    new PastPod(
                        new PodName("ml", "chat-0"),
                        List.of(
                            spell(Optional.empty(), 500, 590, 1, 1),
                            spell(Optional.of(1_100), 500, 1_790, 2, 3),
                            spell(Optional.of(2_950), 500, 2_990, 5, 5),
                            spell(Optional.empty(), 4_000, 4_190, 7, 7))))));
  }

  @Test
  void asksOnceForAllPods() {
    answer("");
    List<PodNamePattern> many =
        IntStream.range(0, 250)
            .mapToObj(i -> pattern("ml", "work-" + i, "work-" + i + "-[a-z0-9]{5}"))
            .toList();

    source.fetchPast(many, RANGE);

    var asked = findAll(postRequestedFor(urlEqualTo("/api/v1/query_range")));
    assertThat(asked).hasSize(1);
    String form = URLDecoder.decode(asked.getFirst().getBodyAsString(), StandardCharsets.UTF_8);
    assertThat(form)
        .contains("namespace=~\"ml\"")
        .contains("work-0-[a-z0-9]{5}|work-1-", "|work-249-");
    assertThat(form).contains("start=600&end=6000&step=600").hasSizeLessThan(16_000);
  }

  @Test
  void isUnknown_whenTheServerRefuses() {
    stubFor(any(anyUrl()).willReturn(serviceUnavailable()));

    assertThat(source.fetchPast(List.of(CHAT), RANGE))
        .isInstanceOfSatisfying(
            PastActivity.Unknown.class, unknown -> assertThat(unknown.reason()).contains("503"));
  }

  @Test
  void isUnknown_whenThereAreTooManySamples() {
    String values =
        String.join(",", Collections.nCopies(PastFetch.MOST_SAMPLES / 10, "[600,\"1\"]"));
    String series =
        "{\"metric\":{\"_kind\":\"observed_until\",\"namespace\":\"ml\","
            + "\"pod\":\"chat-0\"},\"values\":["
            + values
            + "]}";
    answer(String.join(",", Collections.nCopies(11, series)));

    assertThat(source.fetchPast(List.of(CHAT), RANGE))
        .isEqualTo(new PastActivity.Unknown("expected at most 2000000 samples, found 2200000"));
  }

  /** An idle pod, which worked for the last time eight hours ago. */
  @ParameterizedTest
  @EnumSource(PrometheusCompatibleServer.class)
  void realServersAnswer(PrometheusCompatibleServer kind, @TempDir Path folder) throws Exception {
    assumeTrue(kind.isHere(), kind + " is not on the PATH");
    Instant now = Clock.systemUTC().instant().truncatedTo(ChronoUnit.HOURS);
    Instant active = now.minus(Duration.ofHours(8));
    var past = new Backfill();
    for (Instant at = now.minus(Duration.ofHours(10)); at.isBefore(now); at = at.plusSeconds(60)) {
      for (String device : List.of("GPU-1", "GPU-2")) {
        Map<String, String> labels =
            Map.of("namespace", "ml", "pod", "chat-0", "pod_uid", "u", "UUID", device);
        past.add(RulesFormat.OBSERVED_SINCE, labels, 5_000, at);
        past.add(RulesFormat.SAMPLED, labels, (double) at.getEpochSecond(), at);
        if (device.equals("GPU-2") && at.isAfter(active)) {
          past.add(RulesFormat.LAST_ACTIVE, labels, (double) active.getEpochSecond(), at);
        }
      }
    }
    past.add("up", Map.of(), 1, now);
    try (var server = kind.start(folder, PrometheusCompatibleServer.ServerSetup.of(past))) {
      var rules =
          new PrometheusSource(
              PrometheusConnection.to(server.base(), Duration.ofSeconds(30)),
              Clock.systemUTC(),
              new EvidenceFormats.Options(
                  Optional.of("rules"), Optional.empty(), SignalLimits.none()));
      var range = new TimeRange(now.minus(Duration.ofDays(1)), now, Duration.ofMinutes(10));

      var found = (PastActivity.Known) rules.fetchPast(List.of(CHAT), range);

      assertThat(found.pods()).hasSize(1);
      List<PastSpell> spells = found.pods().getFirst().spells();
      assertThat(spells).hasSize(2);
      assertThat(spells.getFirst().lastActive()).isEmpty();
      assertThat(spells.getLast().lastActive()).contains(active);
      assertThat(spells.getLast().lastStep()).isEqualTo(144);
    }
  }

  private static PrometheusSource source(URI server) {
    return new PrometheusSource(
        PrometheusConnection.to(server, Duration.ofSeconds(30)), Clock.systemUTC());
  }

  private static PodNamePattern pattern(String namespace, String prefix, String pattern) {
    return new PodNamePattern(namespace, prefix, Pattern.compile(pattern));
  }

  private static PastSpell spell(
      Optional<Integer> active, int since, int until, long first, long last) {
    return new PastSpell(
        active.map(Instant::ofEpochSecond),
        Instant.ofEpochSecond(since),
        Instant.ofEpochSecond(until),
        first,
        last);
  }

  private static void answer(String series) {
    stubFor(
        any(anyUrl())
            .willReturn(
                okJson(
                    "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":["
                        + series
                        + "]}}")));
  }
}
