package io.gpureclaimer.reclaimer.evidence.direct;

import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.common.vocabulary.IdlePower;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.direct.DirectSource.AgentTargets;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Signals of the boards, scraped directly. */
class DirectSignalsIT {
  private static final Instant NOW = Instant.parse("2026-11-22T06:00:00Z");
  private static final WireMockServer AGENT = new WireMockServer(options().dynamicPort());

  private final DirectSource source =
      new DirectSource(
          new AgentTargets(List.of(URI.create(AGENT.url("/metrics"))), Duration.ofSeconds(10)),
          Clock.fixed(NOW, ZoneOffset.UTC),
          MonotonicClock.SYSTEM,
          new SignalLimits(
              Set.of(SignalKind.POWER, SignalKind.MEMORY, SignalKind.PCIE),
              new IdlePower(Map.of()),
              64,
              5e7,
              5e7,
              1,
              List.of(),
              true));

  @BeforeAll
  static void start() {
    AGENT.start();
  }

  @AfterAll
  static void stop() {
    AGENT.stop();
  }

  @Test
  void measuresWhatIsWanted() {
    shows(1_000, 300);
    source.fetchAll();
    shows(1_100, 300);

    assertThat(pod().signals())
        .containsExactly(
            new Signal(SignalKind.POWER, 300, 156.25, "power of GPU-1 in W"),
            new Signal(
                SignalKind.MEMORY, 100, 64, "memory of GPU-1 filled within 10 minutes in MiB"),
            new Signal(SignalKind.PCIE, 7, 5e7, "PCIe traffic of GPU-1 in B/s"));
  }

  @Test
  void usesAnInstancesEngines_whenItLooksAgain() {
    long now = NOW.getEpochSecond();
    String labels = "{UUID=\"GPU-1\",GPU_I_ID=\"2\",pod_uid=\"u\"} ";
    AGENT.stubFor(
        get("/metrics")
            .willReturn(
                ok(
                    "gpu_pod_busy_seconds_total"
                        + labels
                        + "0\ngpu_pod_observed_since_timestamp_seconds"
                        + labels
                        + (now - 60)
                        + "\ngpu_pod_observed_until_timestamp_seconds"
                        + labels
                        + now
                        + "\nDCGM_FI_DEV_GPU_UTIL"
                        + labels
                        + "0\nDCGM_FI_DEV_POWER_USAGE"
                        + labels
                        + "600\nDCGM_FI_PROF_GR_ENGINE_ACTIVE"
                        + labels
                        + "0.25\n")));

    PodActivity pod = pod();
    PodActivity again = ((Seen) source.fetchPod(pod)).pod("u").orElseThrow();

    assertThat(again.devices().getFirst().recentUtilization()).hasValue(25);
    assertThat(again.signals()).isEmpty();
  }

  private PodActivity pod() {
    return ((Seen) source.fetchAll()).pod("u").orElseThrow();
  }

  private static void shows(int memory, int power) {
    long now = NOW.getEpochSecond();
    String holder = "{UUID=\"GPU-1\",pod_uid=\"u\"} ";
    String board = "{UUID=\"GPU-1\",modelName=\"NVIDIA H100 80GB HBM3\"} ";
    AGENT.stubFor(
        get("/metrics")
            .willReturn(
                ok(
                    "gpu_pod_busy_seconds_total"
                        + holder
                        + "0\ngpu_pod_observed_since_timestamp_seconds"
                        + holder
                        + (now - 60)
                        + "\ngpu_pod_observed_until_timestamp_seconds"
                        + holder
                        + now
                        + "\nDCGM_FI_DEV_POWER_USAGE"
                        + board
                        + power
                        + "\nDCGM_FI_DEV_FB_USED"
                        + board
                        + memory
                        + "\nDCGM_FI_PROF_PCIE_RX_BYTES"
                        + board
                        + "7\nDCGM_FI_PROF_NVLINK_RX_BYTES"
                        + board
                        + "9e9\n")));
  }
}
