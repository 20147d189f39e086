package io.gpureclaimer.reclaimer.evidence.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.IdlePower;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.ExposedSeries;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import io.gpureclaimer.reclaimer.evidence.Observation.PodIdentity;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.rules.RulesFormat;
import io.gpureclaimer.reclaimer.evidence.source.EvidenceFormats.Options;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found out and made of the series of others, with each real server. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.gpureclaimer.reclaimer.evidence.source.PrometheusCompatibleServer#forLongTests")
class EvidenceFormatsIT {
  private static final PodName NAME = new PodName("ml", "train-0");
  private static final SignalLimits SIGNALS =
      new SignalLimits(
          EnumSet.allOf(SignalKind.class),
          new IdlePower(Map.of()),
          64,
          5e7,
          5e7,
          0.5,
          List.of("vllm:request_success_total"),
          true);
  private static ScrapingServer server;

  private final PrometheusCompatibleServer kind;

  // A real Prometheus remembers for minutes, so that each test has GPUs of its own.
  private final String gpu = "GPU-" + UUID.randomUUID();
  private final PrometheusSource source = source(Optional.empty(), Optional.empty());

  EvidenceFormatsIT(PrometheusCompatibleServer kind) {
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

  @Test
  void keepsClocksOverSeries_ofPodsKnownByName() {
    server.agents().exposes(util(0) + "filler 1\n");
    DeviceActivity first = onlyDevice(seen(source.fetchAll()));
    server.agents().exposes(util(0) + "filler 2\n");

    Seen again = seen(source.fetchAll());

    DeviceActivity second = onlyDevice(again);
    assertThat(second.device()).isEqualTo(Entity.whole(new GpuUuid(gpu)));
    assertThat(second.lastActive()).isEmpty();
    assertThat(second.observedSince()).isEqualTo(first.observedSince());
    assertThat(second.observedUntil()).isAfter(first.observedUntil());
    assertThat(second.sampledAt()).isEqualTo(second.observedUntil());
    assertThat(again.format())
        .contains(
            new FormatName(
                "series", "clocks kept here over DCGM_FI_DEV_GPU_UTIL; pods by namespace and pod"));
  }

  /** VictoriaMetrics returns it for the two minutes for which activity is queried. */
  @Test
  void knowsNothingOfSeriesThatEnded_butAtMostWhenTheirLastSampleWasTaken() {
    server.agents().exposes(util(0) + "filler 1\n");
    onlyDevice(seen(source.fetchAll()));
    server.agents().exposes("filler 2\n");
    Instant ended = Clock.systemUTC().instant();
    server.agents().exposes("filler 3\n");

    Seen seen = seen(source.fetchAll());

    assertThat(
            kind == PrometheusCompatibleServer.VICTORIA_METRICS || seen.unjoined().pods().isEmpty())
        .isTrue();
    assertThat(
            seen.unjoined().pods().values().stream()
                .flatMap(pod -> pod.devices().stream())
                .map(DeviceActivity::sampledAt))
        .allMatch(at -> at.isBefore(ended));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DCGM_FI_DEV_GPU_UTIL{%s} 5",
        "DCGM_FI_DEV_GPU_UTIL_RATIO{%s} 1",
        "dcgm_gpu_utilization{%s} 5",
        "DCGM_FI_DEV_GPU_UTIL{%s} 0\nDCGM_FI_DEV_ENC_UTIL{%s} 30",
        "DCGM_FI_DEV_GPU_UTIL{%s} 0\nDCGM_FI_DEV_MEM_COPY_UTIL{%s} 40",
        "DCGM_FI_DEV_GPU_UTIL{%s} 0\nDCGM_FI_PROF_PIPE_FP64_ACTIVE{%s} 0.5",
        "DCGM_FI_DEV_GPU_UTIL{%s} 0\nDCGM_FI_PROF_NVJPG_UTIL_0_RATIO{%s} 0.2",
        "DCGM_FI_DEV_GPU_UTIL{%s} 0\nDCGM_FI_PROF_DRAM_ACTIVE{%s} 0.02",
        "DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO{%s} 0.3",
        "DCGM_FI_DEV_GPU_UTIL{%s} 99\nDCGM_FI_PROF_GR_ENGINE_ACTIVE{%s} 0"
      })
  void seesWork_byAnySignUnderAnyName(String text) {
    server.agents().exposes(text.replace("%s", labels("")) + "\n");

    DeviceActivity device = onlyDevice(seen(source.fetchAll()));

    assertThat(device.lastActive()).contains(device.observedUntil());
  }

  @Test
  void usesAnInstancesEngines_notTheBoardsUtilization() {
    String first = labels(",GPU_I_ID=\"1\"");
    server
        .agents()
        .exposes(
            "DCGM_FI_DEV_GPU_UTIL{%s} 90\nDCGM_FI_PROF_GR_ENGINE_ACTIVE{%s} 0\n"
                .replace("%s", first));

    DeviceActivity device = onlyDevice(seen(source.fetchAll()));

    assertThat(device.device()).isEqualTo(Entity.instance(new GpuUuid(gpu), 1));
    assertThat(device.lastActive()).isEmpty();
  }

  @Test
  void knowsNoInstance_whoseEnginesAreNotReported() {
    server.agents().exposes("DCGM_FI_DEV_GPU_UTIL{" + labels(",GPU_I_ID=\"1\"") + "} 0\n");

    assertThat(seen(source.fetchAll()).unjoined().pods()).isEmpty();
  }

  @Test
  void usesThePodThatHoldsTheGpu_notTheExportersOwn() {
    server.relabeled().exposes(util(0) + "DCGM_FI_DEV_GPU_UTIL{UUID=\"GPU-free\"} 0\n");

    Seen seen = seen(source.fetchAll());

    assertThat(seen.unjoined().pods()).containsOnlyKeys(NAME);
    assertThat(seen.format().orElseThrow().text()).endsWith("exported_namespace and exported_pod");
  }

  @Test
  void seesNoPod_whenAllSeriesNameOnlyTheExportersOwnPod() {
    server.relabeled().exposes("DCGM_FI_DEV_GPU_UTIL{UUID=\"GPU-free\"} 0\n");

    Seen seen = seen(source.fetchAll());

    assertThat(seen.unjoined().pods()).isEmpty();
    assertThat(seen.pods()).isEmpty();
  }

  @Test
  void isBlind_whenSeriesNamePodsInTwoWays() {
    server.agents().exposes(util(0));
    server.relabeled().exposes(util(0));

    assertThat(source.fetchAll())
        .isInstanceOfSatisfying(
            Blind.class,
            blind ->
                assertThat(blind.reason())
                    .contains("in several ways: {exported=1, plain=1}", "prometheus.labels"));
  }

  @Test
  void usesWhatIsConfigured_whenSeriesNamePodsInTwoWays() {
    server.agents().exposes(util(0));
    server.relabeled().exposes(util(0));

    Seen seen = seen(source(Optional.of("series"), Optional.of("exported")).fetchAll());

    assertThat(seen.unjoined().pods()).containsOnlyKeys(NAME);
  }

  @Test
  void isBlind_whenSeriesWithoutUidsAreOfTwoClusters() {
    String ours = "DCGM_FI_DEV_GPU_UTIL{" + labels(",cluster=\"a\"") + "} 0\n";
    String theirs = ours.replace(gpu, "GPU-" + UUID.randomUUID()).replace("=\"a\"", "=\"b\"");
    server.agents().exposes(ours + theirs);

    assertThat(source.fetchAll())
        .isInstanceOfSatisfying(
            Blind.class,
            blind ->
                assertThat(blind.reason())
                    .contains("found cluster=a and cluster=b", "prom-label-proxy"));

    server.agents().exposes((ours + theirs).replace("pod=", "pod_uid=\"u\",pod="));
    assertThat(source.fetchAll()).isInstanceOf(Seen.class);
  }

  @Test
  void isBlind_whenClocksOfTwoClustersAreThere_ofWhichOneReportsNoUids() {
    String clock = RulesFormat.SAMPLED + "{" + labels(",cluster=\"a\",pod_uid=\"u\"") + "} 1\n";
    String theirs = clock.replace("=\"a\"", "=\"b\"").replace("=\"u\"", "=\"\"");
    server.agents().exposes(clock + theirs);

    assertThat(source.fetchAll())
        .isInstanceOfSatisfying(
            Blind.class,
            blind -> assertThat(blind.reason()).contains("found cluster=a and cluster=b"));
  }

  @Test
  void usesTheSeries_whenItIsConfigured_thoughThereIsALedger() {
    String ledger =
        ExposedSeries.text(
            List.of(
                ExposedSeries.of(ExposedSeries.OBSERVED_SINCE, "u", gpu, 1),
                ExposedSeries.of(ExposedSeries.OBSERVED_UNTIL, "u", gpu, 2)));
    PrometheusSource reported = source(Optional.of("series"), Optional.empty());

    server.agents().exposes(ledger);
    assertThat(reported.fetchAll())
        .isEqualTo(
            new Blind(
                "expected the evidence format series, which prometheus.form asks for, found only"
                    + " ledger"));

    server.agents().exposes(ledger + util(0));
    assertThat(seen(reported.fetchAll()).format().orElseThrow().code()).isEqualTo("series");
    assertThat(seen(source.fetchAll()).format().orElseThrow().code()).isEqualTo("ledger");
  }

  @Test
  void usesUids_whereSeriesReportThem() {
    server.relabeled().exposes("DCGM_FI_DEV_GPU_UTIL{" + labels(",pod_uid=\"u\"") + "} 0\n");

    assertThat(seen(source.fetchAll()).pods()).containsOnlyKeys("u");
  }

  @Test
  void readsTheLabelsOfTheOldExporters() {
    server
        .agents()
        .exposes(
            "dcgm_gpu_utilization{uuid=\""
                + gpu
                + "\",pod_name=\"train-0\",pod_namespace=\"ml\"} 0\n");

    assertThat(seen(source.fetchAll()).unjoined().pods()).containsOnlyKeys(NAME);
  }

  @Test
  void looksAgain_withTheRawActivity() {
    server.agents().exposes(util(0));
    PodActivity pod = joined(source.fetchAll()).pod("u").orElseThrow();
    server.agents().exposes(util(7));

    Seen again = joined(source.fetchPod(pod));

    DeviceActivity device = again.pod("u").orElseThrow().devices().getFirst();
    assertThat(device.recentUtilization()).hasValue(7);
    assertThat(device.lastActive()).isPresent();
    assertThat(again.pods()).containsOnlyKeys("u");
  }

  @Test
  void readsTheClocksOfTheRecordingRules() {
    long now = Clock.systemUTC().instant().getEpochSecond();
    String labels = "{" + labels(",pod_uid=\"u\"") + "} ";
    server
        .agents()
        .exposes(
            "gpu_reclaimer:device_sampled:timestamp_seconds"
                + labels
                + now
                + "\ngpu_reclaimer:device_observed_since:timestamp_seconds"
                + labels
                + (now - 3_600)
                + "\ngpu_reclaimer:device_last_active:timestamp_seconds"
                + labels
                + (now - 600)
                + "\n"
                + util(0));

    Seen seen = seen(source.fetchAll());

    DeviceActivity device = seen.pod("u").orElseThrow().devices().getFirst();
    assertThat(device.observedSince()).isEqualTo(Instant.ofEpochSecond(now - 3_600));
    assertThat(device.lastActive()).contains(Instant.ofEpochSecond(now - 600));
    assertThat(device.sampledAt()).isEqualTo(Instant.ofEpochSecond(now));
    assertThat(joined(source.fetchPod(seen.pod("u").orElseThrow())).pods()).containsOnlyKeys("u");
  }

  @Test
  void knowsByTheRecordingRules_whatHasNeverWorked_andWhatHasLostItsLastWork() {
    long now = Clock.systemUTC().instant().getEpochSecond();
    String idle = "{" + labels(",pod_uid=\"idle\"") + "} ";
    String lost = "{" + labels(",pod_uid=\"lost\"") + "} ";
    String sampled = "gpu_reclaimer:device_sampled:timestamp_seconds";
    String since = "gpu_reclaimer:device_observed_since:timestamp_seconds";
    server
        .agents()
        .exposes(
            sampled
                + idle
                + now
                + "\n"
                + sampled
                + lost
                + now
                + "\n"
                + since
                + idle
                + (now - 3_600)
                + "\n"
                + since
                + lost
                + (now - 3_600)
                + "\n"
                + "gpu_reclaimer:device_last_active:timestamp_seconds"
                + idle
                + (now - 3_600)
                + "\n"
                + util(0));

    Seen seen = seen(source.fetchAll());

    assertThat(seen.pods()).containsOnlyKeys("idle");
    assertThat(seen.pod("idle").orElseThrow().devices().getFirst().lastActive()).isEmpty();
  }

  @Test
  void aNotebookThatWasUsedIsNotForgotten_whenAScrapeIsLost() {
    String pod = "{UUID=\"" + gpu + "\",namespace=\"ml\",pod=\"notebook-0\"} ";
    String idle = "DCGM_FI_DEV_GPU_UTIL" + pod + "0\n";
    String used = "jupyter_server_last_activity_timestamp_seconds" + pod;
    Instant now = Clock.systemUTC().instant();
    server.agents().exposes(idle + used + now.getEpochSecond() + "\n");
    server.agents().exposes(idle);
    var notebook =
        new PodIdentity("n", new PodName("ml", "notebook-0"), Optional.of(now.minusSeconds(3_600)));

    Seen seen = seen(source.fetchAll()).joined(List.of(notebook));

    assertThat(seen.pod("n").orElseThrow().signals())
        .containsExactly(
            new Signal(SignalKind.JUPYTER, 1, 0, "Jupyter servers used within 15 minutes"));
  }

  @Test
  void measuresWhatElseThereIs() {
    String board = "{UUID=\"" + gpu + "\",modelName=\"NVIDIA L4\"} ";
    server
        .agents()
        .exposes(
            util(0)
                + "DCGM_FI_DEV_POWER_USAGE"
                + board
                + "30\nDCGM_FI_PROF_PCIE_RX_BYTES"
                + board
                + "60000000\nDCGM_FI_PROF_PCIE_TX_BYTES"
                + board
                + "10\nDCGM_FI_PROF_NVLINK_TX_BYTES"
                + board
                + "10\n");

    PodActivity pod = joined(source.fetchAll()).pod("u").orElseThrow();

    assertThat(pod.signals())
        .containsExactly(
            new Signal(SignalKind.POWER, 30, 41.25, "power of " + gpu + " in W"),
            new Signal(SignalKind.PCIE, 6e7, 5e7, "PCIe traffic of " + gpu + " in B/s"));
    assertThat(joined(source.fetchPod(pod)).pod("u").orElseThrow().signals())
        .isEqualTo(pod.signals());
  }

  private String util(int percent) {
    return "DCGM_FI_DEV_GPU_UTIL{" + labels("") + "} " + percent + "\n";
  }

  private String labels(String more) {
    return "UUID=\"" + gpu + "\",namespace=\"ml\",pod=\"train-0\"" + more;
  }

  private static DeviceActivity onlyDevice(Seen seen) {
    assertThat(seen.oddities()).isEmpty();
    return Optional.ofNullable(seen.unjoined().pods().get(NAME)).orElseThrow().devices().getFirst();
  }

  private static Seen seen(Observation observation) {
    assertThat(observation).isInstanceOf(Seen.class);
    return (Seen) observation;
  }

  private static Seen joined(Observation observation) {
    Instant start = Clock.systemUTC().instant().minus(Duration.ofHours(1));
    return seen(observation).joined(List.of(new PodIdentity("u", NAME, Optional.of(start))));
  }

  private static PrometheusSource source(Optional<String> form, Optional<String> labels) {
    return new PrometheusSource(
        PrometheusConnection.to(server.base(), Duration.ofSeconds(10)),
        Clock.systemUTC(),
        new Options(form, labels, SIGNALS));
  }
}
