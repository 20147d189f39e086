package io.gpureclaimer.reclaimer.evidence.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Several Prometheus behind the real Thanos: all of them, or nothing is known. */
@Tag("nightly")
@EnabledIf("isPossible")
class ThanosIT {
  @TempDir private Path directory;
  private ThanosProcesses.Store one;
  private ThanosProcesses.Store other;

  static boolean isPossible() {
    return PrometheusCompatibleServer.THANOS.isHere();
  }

  @BeforeEach
  void start() throws IOException {
    one = store("one");
    other = store("other");
  }

  @AfterEach
  void stop() {
    one.close();
    other.close();
  }

  @Test
  void isBlind_whenAStoreIsDownThatHasToAnswer() throws IOException {
    try (var thanos = ThanosProcesses.start(directory, "", "--endpoint-strict", one, other)) {
      PrometheusSource source = source(thanos);
      Seen before = (Seen) source.fetchAll();
      assertThat(before.pods()).containsOnlyKeys("both", "one", "other");

      other.sidecar().close();

      assertThat(source.fetchAll()).isInstanceOf(Blind.class);
      PodActivity pod = before.pod("one").orElseThrow();
      assertThat(source.fetchPod(pod)).isInstanceOf(Blind.class);
      await().atMost(Duration.ofSeconds(60)).until(() -> thanos.knownStores() == 1);
      assertThat(source.fetchAll()).isInstanceOf(Blind.class);
    }
  }

  /** Thanos forgets a store that it only may ask, and does not say so: its pods are not known. */
  @Test
  void knowsNothingOfThePods_whoseStoreThanosHasForgotten() throws IOException {
    try (var thanos = ThanosProcesses.start(directory, "", "--endpoint", one, other)) {
      PrometheusSource source = source(thanos);
      var before = (Seen) source.fetchAll();

      other.sidecar().close();
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> source.fetchAll() instanceof Seen seen && !seen.pods().containsKey("other"));

      assertThat(((Seen) source.fetchAll()).pods()).containsOnlyKeys("both", "one");
      PodActivity lost = before.pod("other").orElseThrow();
      assertThat(((Seen) source.fetchPod(lost)).pods()).isEmpty();
    }
  }

  @Test
  void seesAPodOnce_thatTwoReplicasReport() throws IOException {
    try (var thanos = ThanosProcesses.start(directory, "", "--endpoint-strict", one, other)) {
      var seen = (Seen) source(thanos).fetchAll();

      assertThat(seen.oddities()).isEmpty();
      assertThat(seen.pod("both").orElseThrow().devices()).hasSize(1);
    }
  }

  private ThanosProcesses.Store store(String name) throws IOException {
    Backfill past = Backfill.ofIdlePods(Clock.systemUTC().instant(), name, "both");
    return ThanosProcesses.store(directory, name, PrometheusCompatibleServer.ServerSetup.of(past));
  }

  private static PrometheusSource source(ThanosProcesses thanos) {
    return new PrometheusSource(
        PrometheusConnection.to(thanos.base(), Duration.ofSeconds(10)), Clock.systemUTC());
  }
}
