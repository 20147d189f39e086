package io.gpureclaimer.reclaimer.evidence.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.evidence.ActivitySource;
import io.gpureclaimer.reclaimer.evidence.ActivitySourceContract;
import io.gpureclaimer.reclaimer.evidence.ExposedSeries;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract, and what only the real server can show, with each real server. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.gpureclaimer.reclaimer.evidence.source.PrometheusCompatibleServer#forLongTests")
class PrometheusSourceIT extends ActivitySourceContract {
  private static ScrapingServer server;

  private final PrometheusCompatibleServer kind;

  PrometheusSourceIT(PrometheusCompatibleServer kind) {
    this.kind = kind;
  }

  @Override
  protected boolean reportsWhatIsNoNumber() {
    return kind != PrometheusCompatibleServer.VICTORIA_METRICS;
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

  @Override
  protected Instant now() {
    return Clock.systemUTC().instant();
  }

  @Override
  protected ActivitySource showing(List<ExposedSeries> shown) {
    server.agents().exposes(ExposedSeries.text(shown));
    return source(server.base());
  }

  private static PrometheusSource source(URI base) {
    return new PrometheusSource(
        PrometheusConnection.to(base, Duration.ofSeconds(10)), Clock.systemUTC());
  }

  @Test
  void joinsByPodUid_whateverTheScrapeDidToTheOtherLabels() {
    server
        .relabeled()
        .exposes(
            ExposedSeries.text(
                idle("uid-1", "GPU-1").stream()
                    .map(one -> one.with("pod", "train-0").with("namespace", "ml"))
                    .toList()));

    assertThat(((Seen) source(server.base()).fetchAll()).pods()).containsOnlyKeys("uid-1");
  }

  @Test
  void leavesOut_whatTheScrapeGaveAnotherPodUid() {
    server.overwritten().exposes(ExposedSeries.text(idle("uid-2", "GPU-2")));

    var seen = (Seen) source(server.base()).fetchAll();

    assertThat(seen.pods()).isEmpty();
    assertThat(seen.oddities())
        .contains(
            "series of pod uid-2 left out: its pod_uid was overwritten by the scrape, which needs"
                + " honor_labels");
  }

  @Test
  void mergesTwoScrapeJobs() {
    List<ExposedSeries> shown = idle("uid-3", "GPU-3");
    server.agents().exposes(ExposedSeries.text(shown));
    server
        .relabeled()
        .exposes(
            ExposedSeries.text(
                shown.stream().map(one -> one.with("only_job", "relabeled")).toList()));

    assertThat(((Seen) source(server.base()).fetchAll()).pod("uid-3").orElseThrow().devices())
        .hasSize(1);
  }

  @Test
  void isBlind_whenThePathPrefixIsMissing() {
    URI wrong = URI.create("http://" + server.base().getAuthority());

    assertThat(source(wrong).fetchAll())
        .isInstanceOfSatisfying(
            Blind.class,
            blind ->
                assertThat(blind.reason())
                    .startsWith(
                        "POST " + wrong + "/api/v1/query: expected HTTP 200, found HTTP 40"));
  }
}
