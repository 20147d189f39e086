package io.gpureclaimer.reclaimer.evidence.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.source.EvidenceFormats.Options;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Samples of a time to come, with each real server. They stay, so that it has a server of its own.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("io.gpureclaimer.reclaimer.evidence.source.PrometheusCompatibleServer#forLongTests")
class ClockRollbackIT {
  private static ScrapingServer server;

  private final PrometheusCompatibleServer kind;
  private final PrometheusSource source = source();

  ClockRollbackIT(PrometheusCompatibleServer kind) {
    this.kind = kind;
  }

  @BeforeParameterizedClassInvocation
  static void start(PrometheusCompatibleServer kind) throws IOException {
    server = ScrapingServer.start(kind);
  }

  @AfterParameterizedClassInvocation
  static void stop() throws IOException {
    server.close();
  }

  @AfterEach
  void hide() {
    server.hide();
  }

  /** To a Mimir the Prometheus that scrapes writes that the series has ended, which it has not. */
  @Test
  void nothingIsKnownOfADevice_withSamplesOfATimeToCome() {
    Instant ahead = Instant.now().plusSeconds(240).truncatedTo(ChronoUnit.SECONDS);
    server.agents().exposes(idle("a", "") + idle("b", ""));
    assertThat(look().unjoined().pods()).containsOnlyKeys(pod("a"), pod("b"));
    server.agents().exposes(idle("a", "") + idle("b", " " + ahead.toEpochMilli()));

    Seen seen = look();

    assertThat(seen.unjoined().pods()).containsOnlyKeys(pod("a"));
    assertThat(seen.oddities())
        .isEqualTo(
            kind == PrometheusCompatibleServer.MIMIR
                ? List.of()
                : List.of(
                    "pod ml/b, GPU GPU-b: has samples until "
                        + ahead
                        + ": the source's clock was set back; GPU left out"));
  }

  private static PrometheusSource source() {
    return new PrometheusSource(
        PrometheusConnection.to(server.base(), Duration.ofSeconds(10)),
        Clock.systemUTC(),
        new Options(Optional.of("series"), Optional.empty(), SignalLimits.none()));
  }

  private Seen look() {
    return (Seen) source.fetchAll();
  }

  private static PodName pod(String name) {
    return new PodName("ml", name);
  }

  /** By two signs, which differ in nothing but their names. */
  private static String idle(String pod, String time) {
    String sample =
        "{UUID=\"GPU-" + pod + "\",namespace=\"ml\",pod=\"" + pod + "\"} 0" + time + "\n";
    return "DCGM_FI_DEV_GPU_UTIL" + sample + "DCGM_FI_PROF_GR_ENGINE_ACTIVE" + sample;
  }
}
