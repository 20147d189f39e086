package io.gpureclaimer.reclaimer.evidence.utilization;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.containing;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.serviceUnavailable;
import static com.github.tomakehurst.wiremock.client.WireMock.stubFor;
import static com.github.tomakehurst.wiremock.client.WireMock.verify;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.junit5.WireMockRuntimeInfo;
import com.github.tomakehurst.wiremock.junit5.WireMockTest;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.utilization.DevicePeaks.Holding;
import io.gpureclaimer.reclaimer.evidence.utilization.DevicePeaks.Peak;
import io.gpureclaimer.reclaimer.evidence.utilization.DevicePeaks.PeaksResult;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is made of a Prometheus's answers about memory and utilization. */
@WireMockTest
class DevicePeaksIT {
  private static final Instant END = Instant.parse("2026-03-02T12:00:00Z");
  private static final TimeRange DAY =
      new TimeRange(END.minus(Duration.ofDays(1)), END, Duration.ofMinutes(2));
  private static final String TOO_MUCH =
      "{\"status\":\"error\",\"error\":\"query processing would load too many samples into memory\"}";

  private PrometheusConnection connection =
      PrometheusConnection.to(URI.create("http://127.0.0.1:9"), Duration.ofSeconds(1));

  @BeforeEach
  void start(WireMockRuntimeInfo server) {
    connection =
        PrometheusConnection.to(URI.create(server.getHttpBaseUrl()), Duration.ofSeconds(30));
  }

  @Test
  void takesTheHighestOfEachHolding_byEitherLabel() {
    answer(
        """
        {"metric":{"_kind":"memory","namespace":"ml","pod":"a","UUID":"GPU-1"},
          "values":[[1,"10"],[2,"300"],[3,"20"]]},
        {"metric":{"_kind":"total","namespace":"ml","pod":"a","UUID":"GPU-1",
          "modelName":"NVIDIA A100"},"values":[[3,"40000"]]},
        {"metric":{"_kind":"sm_active","namespace":"ml","pod":"a","UUID":"GPU-1"},
          "values":[[1,"0.25"],[2,"0.125"]]},
        {"metric":{"_kind":"utilization","namespace":"gpu","pod":"agent",
          "exported_namespace":"ml","exported_pod":"b","UUID":"GPU-2","GPU_I_ID":"3"},
          "values":[[1,"0.5"],[2,"NaN"]]},
        {"metric":{"_kind":"memory","namespace":"ml","pod":"c"},"values":[[1,"5"]]}
        """);

    assertThat(new DevicePeaks(connection, List.of()).in(DAY))
        .isEqualTo(
            new PeaksResult.Known(
                Map.of(
                    new Holding(new PodName("ml", "a"), Entity.whole(new GpuUuid("GPU-1"))),
                    new Peak(
                        OptionalDouble.of(300),
                        OptionalDouble.of(40_000),
                        OptionalDouble.of(0.25),
                        OptionalDouble.empty(),
                        Optional.of("NVIDIA A100"),
                        Duration.ofHours(3)),
                    new Holding(new PodName("ml", "b"), Entity.instance(new GpuUuid("GPU-2"), 3)),
                    new Peak(
                        OptionalDouble.empty(),
                        OptionalDouble.empty(),
                        OptionalDouble.empty(),
                        OptionalDouble.of(0.5),
                        Optional.empty(),
                        Duration.ZERO)),
                Duration.ofHours(1)));
  }

  @Test
  void asksForHalf_whenTheServerSaysThatItIsTooMuch() {
    stubFor(
        any(anyUrl())
            .inScenario("limit")
            .whenScenarioStateIs(Scenario.STARTED)
            .willReturn(aResponse().withStatus(422).withBody(TOO_MUCH))
            .willSetStateTo("half"));
    stubFor(
        any(anyUrl())
            .inScenario("limit")
            .whenScenarioStateIs("half")
            .willReturn(okJson(matrix(""))));

    assertThat(new DevicePeaks(connection, List.of()).in(DAY))
        .isEqualTo(new PeaksResult.Known(Map.of(), Duration.ofHours(1)));
    verify(3, anyRequestedFor(anyUrl()));
  }

  @Test
  void areUnknown_whenTheServerRefuses() {
    stubFor(any(anyUrl()).willReturn(serviceUnavailable()));

    assertThat(new DevicePeaks(connection, List.of()).in(DAY))
        .isInstanceOfSatisfying(
            PeaksResult.Unknown.class, unknown -> assertThat(unknown.reason()).contains("503"));
  }

  @Test
  void namesTheNamespacesInTheQuery() {
    answer("");

    new DevicePeaks(connection, List.of("ml", "research")).in(DAY);

    verify(1, anyRequestedFor(anyUrl()).withRequestBody(containing("ml%7Cresearch")));
  }

  private static void answer(String series) {
    stubFor(any(anyUrl()).willReturn(okJson(matrix(series))));
  }

  private static String matrix(String series) {
    return "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":["
        + series
        + "]}}";
  }
}
