package io.gpureclaimer.reclaimer.evidence.direct;

import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;

import com.github.tomakehurst.wiremock.WireMockServer;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.evidence.ActivitySource;
import io.gpureclaimer.reclaimer.evidence.ActivitySourceContract;
import io.gpureclaimer.reclaimer.evidence.ExposedSeries;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.direct.DirectSource.AgentTargets;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract with one agent that is scraped over HTTP. */
class DirectSourceContractIT extends ActivitySourceContract {
  private static final Instant NOW = Instant.parse("2026-11-21T06:00:00Z");
  private static final WireMockServer AGENT = new WireMockServer(options().dynamicPort());

  @BeforeAll
  static void start() {
    AGENT.start();
  }

  @AfterAll
  static void stop() {
    AGENT.stop();
  }

  @Override
  protected Instant now() {
    return NOW;
  }

  @Override
  protected ActivitySource showing(List<ExposedSeries> shown) {
    AGENT.stubFor(get("/metrics").willReturn(ok(ExposedSeries.text(shown))));
    return new DirectSource(
        new AgentTargets(List.of(URI.create(AGENT.url("/metrics"))), Duration.ofSeconds(10)),
        Clock.fixed(NOW, ZoneOffset.UTC),
        MonotonicClock.SYSTEM,
        SignalLimits.none());
  }
}
