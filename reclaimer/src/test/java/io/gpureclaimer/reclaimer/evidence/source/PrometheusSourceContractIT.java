package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.reclaimer.evidence.ActivitySource;
import io.gpureclaimer.reclaimer.evidence.ActivitySourceContract;
import io.gpureclaimer.reclaimer.evidence.ExposedSeries;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract over HTTP, with answers as they are known from a real Prometheus. */
class PrometheusSourceContractIT extends ActivitySourceContract {
  private static final Instant NOW = Instant.parse("2026-11-21T06:00:00Z");
  private static FakePrometheus prometheus;

  @BeforeAll
  static void start() {
    prometheus = new FakePrometheus();
  }

  @AfterAll
  static void stop() {
    prometheus.close();
  }

  @Override
  protected Instant now() {
    return NOW;
  }

  @Override
  protected ActivitySource showing(List<ExposedSeries> shown) {
    prometheus.shows(shown, NOW);
    return new PrometheusSource(prometheus.connection(), Clock.fixed(NOW, ZoneOffset.UTC));
  }
}
