package io.gpureclaimer.reclaimer.evidence.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat.Detection;
import io.gpureclaimer.reclaimer.evidence.format.ProbeResult;
import io.gpureclaimer.reclaimer.evidence.ledger.LedgerFormat;
import io.gpureclaimer.reclaimer.evidence.rules.RulesFormat;
import io.gpureclaimer.reclaimer.evidence.source.EvidenceFormats.Options;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EvidenceFormatsTest {
  private final ProbeResult probe = new ProbeResult();

  @Test
  void prefersTheLedger_thenTheRules() {
    count("plain", 8);
    count("rules", 8);
    assertThat(found()).isEqualTo(new Detection.Found(new RulesFormat()));

    count("ledger", 1);
    assertThat(name(found())).isEqualTo(new LedgerFormat().name());
  }

  @Test
  void usesNames_whenNoSeriesReportsUids() {
    sign("DCGM_FI_DEV_GPU_UTIL");
    count("plain", 8);

    assertThat(name(found())).isEqualTo(series("namespace and pod", "DCGM_FI_DEV_GPU_UTIL"));
  }

  @Test
  void usesExportedLabels_beTheExportersOwnPodWhereItMay() {
    sign("DCGM_FI_DEV_GPU_UTIL_RATIO");
    count("own", 24);
    count("exported", 8);
    count("exported/pod_uid", 8);

    assertThat(name(found())).isEqualTo(series("pod_uid", "DCGM_FI_DEV_GPU_UTIL_RATIO"));
  }

  @Test
  void isUnsure_whenSeriesNamePodsInSeveralWays() {
    count("plain", 8);
    count("exported", 8);

    assertThat(found())
        .isEqualTo(
            new Detection.Ambiguous(
                "expected one form of evidence, found series that name pods in several ways:"
                    + " {exported=8, plain=8} of []; prometheus.form and prometheus.labels"
                    + " choose one"));
    assertThat(detect(Optional.empty(), Optional.of("exported")))
        .isInstanceOf(Detection.Found.class);
  }

  @Test
  void isUnsure_whenOnlySomeSeriesReportUids() {
    count("old", 8);
    count("old/pod_uid", 7);

    assertThat(found()).isInstanceOf(Detection.Ambiguous.class);
  }

  @Test
  void isUnsure_whenSeriesWithoutUidsAreOfSeveralClusters() {
    count("plain", 8);
    cluster("cluster", Map.of("cluster", "a", "cluster_id", "1"));
    assertThat(found()).isInstanceOf(Detection.Found.class);

    cluster("cluster", Map.of());
    assertThat(found())
        .isEqualTo(
            new Detection.Ambiguous(
                "expected series of one cluster, because they have no UIDs of pods, found"
                    + " cluster=a,cluster_id=1 and no label of one; query a Prometheus or a tenant"
                    + " that knows this cluster alone, query through prom-label-proxy, or have the"
                    + " exporters report the UIDs"));

    count("plain/pod_uid", 8);
    assertThat(found()).isInstanceOf(Detection.Found.class);
  }

  @Test
  void isUnsure_whenClocksWithoutUidsAreOfSeveralClusters() {
    count("rules", 8);
    cluster("rules/cluster", Map.of("k8s_cluster_name", "a"));
    cluster("rules/cluster", Map.of("k8s_cluster_name", "b"));

    assertThat(found()).isInstanceOf(Detection.Ambiguous.class);
  }

  @Test
  void aClusterThatWasCalledOtherwiseIsStillOne() {
    count("plain", 8);
    var labels = Map.of("_kind", "cluster", "cluster", "old");
    probe.accept(new MetricSample(labels, 8, Instant.EPOCH.minusSeconds(60)));
    cluster("cluster", Map.of("cluster", "new"));

    assertThat(found()).isInstanceOf(Detection.Found.class);
  }

  @Test
  void findsNothing_whileNoPodHoldsAGpu() {
    count("bare", 8);
    count("own", 8);

    assertThat(found()).isEqualTo(new Detection.Absent());
  }

  @Test
  void findsOnlyWhatIsWanted() {
    count("rules", 8);
    count("plain", 8);

    assertThat(name(detect(Optional.of("series"), Optional.empty())))
        .isEqualTo(series("namespace and pod"));
  }

  private Detection found() {
    return detect(Optional.empty(), Optional.empty());
  }

  private Detection detect(Optional<String> format, Optional<String> labels) {
    return new EvidenceFormats(new Options(format, labels, SignalLimits.none())).detect(probe);
  }

  /** The name of a detected format, which says its metrics and labels. */
  private static FormatName name(Detection detection) {
    return ((Detection.Found) detection).format().name();
  }

  private static FormatName series(String pods, String... metrics) {
    return new FormatName(
        "series", "clocks kept here over " + String.join(", ", metrics) + "; pods by " + pods);
  }

  private void sign(String metric) {
    accept(Map.of("_kind", "sign", "__name__", metric), 8);
  }

  private void count(String kind, double count) {
    accept(Map.of("_kind", kind), count);
  }

  private void cluster(String kind, Map<String, String> labels) {
    Map<String, String> all = new HashMap<>(labels);
    all.put("_kind", kind);
    accept(all, 8);
  }

  private void accept(Map<String, String> labels, double value) {
    probe.accept(new MetricSample(labels, value, Instant.EPOCH));
  }
}
