package io.gpureclaimer.reclaimer.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.activity.ActivitySource;
import io.gpureclaimer.reclaimer.activity.ActivitySourceContract;
import io.gpureclaimer.reclaimer.activity.Observation.Blind;
import io.gpureclaimer.reclaimer.activity.Observation.Seen;
import io.gpureclaimer.reclaimer.activity.Shown;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract, and what only the real server can show, with the real server. */
class PrometheusSourceIT extends ActivitySourceContract {
  @RegisterExtension private static final RealPrometheus prometheus = new RealPrometheus();

  @Override
  protected Instant now() {
    return Clock.systemUTC().instant();
  }

  @Override
  protected ActivitySource showing(List<Shown> shown) {
    prometheus.agents().exposes(Shown.text(shown));
    return source(prometheus.base());
  }

  private static PrometheusSource source(URI base) {
    return new PrometheusSource(
        PrometheusConnection.to(base, Duration.ofSeconds(10)), Clock.systemUTC());
  }

  @Test
  void joinsByPodUid_whateverTheScrapeDidToTheOtherLabels() {
    prometheus
        .relabeled()
        .exposes(
            Shown.text(
                idle("uid-1", "GPU-1").stream()
                    .map(one -> one.with("pod", "train-0").with("namespace", "ml"))
                    .toList()));

    assertThat(((Seen) source(prometheus.base()).lookAtAll()).pods()).containsOnlyKeys("uid-1");
  }

  @Test
  void leavesOut_whatTheScrapeGaveAnotherPodUid() {
    prometheus.overwritten().exposes(Shown.text(idle("uid-2", "GPU-2")));

    var seen = (Seen) source(prometheus.base()).lookAtAll();

    assertThat(seen.pods()).isEmpty();
    assertThat(seen.oddities())
        .contains(
            "series of pod uid-2 left out: its pod_uid was overwritten by the scrape, which needs"
                + " honor_labels");
  }

  @Test
  void mergesTwoScrapeJobs() {
    List<Shown> shown = idle("uid-3", "GPU-3");
    prometheus.agents().exposes(Shown.text(shown));
    prometheus
        .relabeled()
        .exposes(Shown.text(shown.stream().map(one -> one.with("only_job", "relabeled")).toList()));

    assertThat(((Seen) source(prometheus.base()).lookAtAll()).pod("uid-3").orElseThrow().devices())
        .hasSize(1);
  }

  @Test
  void isBlind_whenThePathPrefixIsMissing() {
    URI wrong = URI.create("http://" + prometheus.base().getAuthority());

    assertThat(source(wrong).lookAtAll())
        .isEqualTo(
            new Blind(
                "POST "
                    + wrong
                    + "/api/v1/query: expected HTTP 200, found HTTP 404: 404 page not found"));
  }
}
