package io.gpureclaimer.reclaimer.evidence.utilization;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.junit5.WireMockRuntimeInfo;
import com.github.tomakehurst.wiremock.junit5.WireMockTest;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.utilization.UtilizationHistory.PodUtilization;
import io.gpureclaimer.reclaimer.evidence.utilization.UtilizationHistory.UtilizationPoint;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Charts from the answers of a Prometheus. */
@WireMockTest
class UtilizationHistoryIT {
  private static final Instant NOW = Instant.parse("2026-03-02T12:00:00Z");
  private static final String RANGE = "/api/v1/query_range";

  private long nanos;
  private UtilizationHistory history;

  @BeforeEach
  void start(WireMockRuntimeInfo server) {
    history =
        new UtilizationHistory(
            PrometheusConnection.to(URI.create(server.getHttpBaseUrl()), Duration.ofSeconds(30)),
            Clock.fixed(NOW, ZoneOffset.UTC),
            () -> nanos);
  }

  @Test
  void readsPodsByEitherLabel() {
    answer(
        String.format(
            Locale.ROOT,
            """
        {"status":"success","data":{"resultType":"matrix","result":[
          {"metric":{"namespace":"ml","pod":"a"},"values":[[%1$d,"10"],[%2$d,"20"]]},
          {"metric":{"namespace":"gpu","pod":"agent","exported_namespace":"ml","exported_pod":"b"},
            "values":[[%2$d,"99"]]}]}}
        """,
            NOW.getEpochSecond() - 600,
            NOW.getEpochSecond()));

    assertThat(history.of("ml"))
        .isInstanceOfSatisfying(
            PodUtilization.Known.class,
            known -> {
              assertThat(known.points())
                  .containsOnlyKeys(new PodName("ml", "a"), new PodName("ml", "b"));
              assertThat(
                      UtilizationHistory.highest(
                          known, List.of(new PodName("ml", "a"), new PodName("ml", "b"))))
                  .containsExactly(
                      new UtilizationPoint(NOW.minusSeconds(600), 10),
                      new UtilizationPoint(NOW, 99));
              assertThat(UtilizationHistory.highest(known, List.of(new PodName("ml", "absent"))))
                  .isEmpty();
            });
  }

  @Test
  void asksOncePerMinute() {
    answer("{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]}}");
    history.of("ml");
    nanos += Duration.ofSeconds(59).toNanos();
    history.of("ml");
    WireMock.verify(1, WireMock.anyRequestedFor(WireMock.urlPathEqualTo(RANGE)));
    nanos += Duration.ofSeconds(1).toNanos();
    history.of("ml");

    WireMock.verify(2, WireMock.anyRequestedFor(WireMock.urlPathEqualTo(RANGE)));
  }

  @Test
  void isUnknown_whenTheServerRefuses() {
    WireMock.stubFor(WireMock.any(WireMock.anyUrl()).willReturn(WireMock.serviceUnavailable()));

    assertThat(history.of("ml"))
        .isInstanceOfSatisfying(
            PodUtilization.Unknown.class, why -> assertThat(why.reason()).contains("503"));
  }

  /** A page is shown without charts rather than late. */
  @Test
  void isUnknown_whenTheServerIsSlow() {
    WireMock.stubFor(
        WireMock.any(WireMock.anyUrl()).willReturn(WireMock.ok().withFixedDelay(10_000)));

    assertThat(history.of("ml"))
        .isInstanceOfSatisfying(
            PodUtilization.Unknown.class, why -> assertThat(why.reason()).contains("within"));
  }

  private static void answer(String body) {
    WireMock.stubFor(WireMock.any(WireMock.anyUrl()).willReturn(WireMock.okJson(body)));
  }
}
