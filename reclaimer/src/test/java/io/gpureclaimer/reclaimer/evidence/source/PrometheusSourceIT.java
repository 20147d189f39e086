package io.gpureclaimer.reclaimer.evidence.source;

import static io.gpureclaimer.reclaimer.evidence.ExposedSeries.BUSY;
import static io.gpureclaimer.reclaimer.evidence.ExposedSeries.DEVICE_COUNT;
import static io.gpureclaimer.reclaimer.evidence.ExposedSeries.LAST_ACTIVE;
import static io.gpureclaimer.reclaimer.evidence.ExposedSeries.OBSERVED_SINCE;
import static io.gpureclaimer.reclaimer.evidence.ExposedSeries.OBSERVED_UNTIL;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.IdlePower;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.reclaimer.evidence.ActivitySource;
import io.gpureclaimer.reclaimer.evidence.ActivitySourceContract;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.ExposedSeries;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.source.EvidenceFormats.Options;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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

  /**
   * Agents with and without signals and counts, shared devices, instances, and every part of a
   * record missing or impossible, of two jobs.
   */
  @Test
  void givesTheSameEvidence_inParts() {
    var shown = new ArrayList<ExposedSeries>();
    for (String part :
        List.of("", LAST_ACTIVE, OBSERVED_SINCE, OBSERVED_UNTIL, BUSY, LedgerMetrics.LAST_SIGNAL)) {
      for (double value : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY, 7}) {
        String pod = "odd-" + part + value;
        record(pod, "odd", 40).stream()
            .map(
                one -> one.name().equals(part) ? new ExposedSeries(part, one.labels(), value) : one)
            .forEach(shown::add);
      }
      record("part-" + part, "part", 40).stream()
          .filter(one -> !one.name().equals(part) || part.equals(BUSY))
          .forEach(shown::add);
      record("part-" + part, "whole", 50).forEach(shown::add);
    }
    shown.addAll(idle("older", "older"));
    shown.addAll(record("shared", "shared", 70));
    record("shared", "shared", 60).stream()
        .map(one -> one.with("container", "sidecar"))
        .forEach(shown::add);
    shown.add(signal("shared", "shared", 20).with("signal", "memory"));
    record("slice", "slice", 30).stream().map(one -> one.with("GPU_I_ID", "3")).forEach(shown::add);
    shown.addAll(record("other-slice", "slice", 20));
    shown.add(ExposedSeries.of(DEVICE_COUNT, "part-", "", 2).without("UUID"));
    shown.add(ExposedSeries.of(DEVICE_COUNT, "shared", "", Double.NaN).without("UUID"));
    server.agents().exposes(ExposedSeries.text(shown));
    server.relabeled().exposes(ExposedSeries.text(shown));

    Map<String, PodActivity> all = new HashMap<>(pods(source(1_000)));
    if (!reportsWhatIsNoNumber()) {
      all.remove("odd-" + BUSY + Double.NaN);
    }

    assertThat(all).containsKeys("odd-0.0", "older", "slice", "part-" + LedgerMetrics.LAST_SIGNAL);
    assertThat(pods(source(0))).isEqualTo(all);
  }

  /** Without it, neither a contradiction nor that it never worked can be seen. */
  @Test
  void observesNoDeviceWithoutItsBusyTime_inParts() {
    var shown = new ArrayList<>(record("uid-4", "GPU-4", 60));
    shown.removeIf(one -> one.name().equals(BUSY));
    shown.addAll(record("uid-4", "GPU-5", 60));
    server.agents().exposes(ExposedSeries.text(shown));

    assertThat(pods(source(0)).values())
        .filteredOn(pod -> pod.uid().equals("uid-4"))
        .flatExtracting(PodActivity::devices)
        .extracting(device -> device.device().toString())
        .containsExactly("GPU-5");
  }

  /** Of a device that worked a while ago, of an agent that records signals. */
  private List<ExposedSeries> record(String pod, String gpu, int secondsAgo) {
    double start = (double) now().getEpochSecond() - 3_600;
    return List.of(
        ExposedSeries.of(OBSERVED_SINCE, pod, gpu, start),
        ExposedSeries.of(LAST_ACTIVE, pod, gpu, start + 10 * secondsAgo),
        ExposedSeries.of(OBSERVED_UNTIL, pod, gpu, start + 3_600 - secondsAgo),
        ExposedSeries.of(BUSY, pod, gpu, 0),
        signal(pod, gpu, secondsAgo));
  }

  private ExposedSeries signal(String pod, String gpu, int secondsAgo) {
    double at = (double) now().getEpochSecond() - 600 - secondsAgo;
    return ExposedSeries.of(LedgerMetrics.LAST_SIGNAL, pod, gpu, at)
        .with("signal", "power")
        .with("watched", "memory,power");
  }

  private static PrometheusSource source(int selectiveFrom) {
    var signals =
        new SignalLimits(
            Set.of(SignalKind.MEMORY, SignalKind.POWER),
            new IdlePower(Map.of()),
            64,
            0,
            0,
            0,
            List.of(),
            true);
    return new PrometheusSource(
        PrometheusConnection.to(server.base(), Duration.ofSeconds(10)),
        Clock.systemUTC(),
        new Options(Optional.of("ledger"), Optional.empty(), signals, selectiveFrom));
  }

  /** What is known of each pod, without the times of scrapes, which go on. */
  private static Map<String, PodActivity> pods(PrometheusSource source) {
    Observation observation = source.fetchAll(List.of(), Map.of());
    assertThat(observation).isInstanceOf(Seen.class);
    return ((Seen) observation)
        .pods().values().stream()
            .collect(Collectors.toMap(PodActivity::uid, PrometheusSourceIT::timeless));
  }

  private static PodActivity timeless(PodActivity pod) {
    List<DeviceActivity> devices =
        pod.devices().stream()
            .map(
                device ->
                    new DeviceActivity(
                        device.device(),
                        device.lastActive(),
                        device.observedSince(),
                        device.observedUntil(),
                        Instant.EPOCH,
                        device.recentUtilization(),
                        device.signal()))
            .toList();
    return new PodActivity(
        pod.uid(),
        pod.name(),
        devices,
        pod.deviceCount(),
        pod.signals(),
        pod.signalHistory(),
        pod.doubt(),
        pod.leftOut());
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
