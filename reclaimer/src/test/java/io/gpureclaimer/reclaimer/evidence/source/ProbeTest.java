package io.gpureclaimer.reclaimer.evidence.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.ActivitySign;
import io.gpureclaimer.reclaimer.evidence.prometheus.VectorSample;
import io.gpureclaimer.reclaimer.evidence.source.Probe.Outcome;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProbeTest {
  private final Probe probe = new Probe();

  @Test
  void prefersTheLedger_thenTheRules() {
    count("plain", 8);
    count("rules", 8);
    assertThat(found()).isEqualTo(new Outcome.Found(new Form.Rules()));

    count("ledger", 1);
    assertThat(found()).isEqualTo(new Outcome.Found(new Form.Ledger()));
  }

  @Test
  void goesByNames_whenNoSeriesTellsUids() {
    sign("DCGM_FI_DEV_GPU_UTIL");
    count("plain", 8);

    assertThat(found())
        .isEqualTo(series(PodLabels.Style.PLAIN, Optional.empty(), "DCGM_FI_DEV_GPU_UTIL"));
  }

  @Test
  void goesByExportedLabels_beTheExportersOwnPodWhereItMay() {
    sign("DCGM_FI_DEV_GPU_UTIL_RATIO");
    count("own", 24);
    count("exported", 8);
    count("exported/pod_uid", 8);

    assertThat(found())
        .isEqualTo(
            series(PodLabels.Style.EXPORTED, Optional.of("pod_uid"), "DCGM_FI_DEV_GPU_UTIL_RATIO"));
  }

  @Test
  void isUnsure_whenSeriesNamePodsInSeveralWays() {
    count("plain", 8);
    count("exported", 8);

    assertThat(found())
        .isEqualTo(
            new Outcome.Unsure(
                "expected one form of evidence, found series that name pods in several ways:"
                    + " {exported=8, plain=8} of []; prometheus.form and prometheus.labels say"
                    + " what to go by"));
    assertThat(probe.outcome(Optional.empty(), Optional.of(PodLabels.Style.EXPORTED)))
        .isInstanceOf(Outcome.Found.class);
  }

  @Test
  void isUnsure_whenOnlySomeSeriesTellUids() {
    count("old", 8);
    count("old/pod_uid", 7);

    assertThat(found()).isInstanceOf(Outcome.Unsure.class);
  }

  @Test
  void isUnsure_whenSeriesWithoutUidsAreOfSeveralClusters() {
    count("plain", 8);
    cluster("cluster", Map.of("cluster", "a", "cluster_id", "1"));
    assertThat(found()).isInstanceOf(Outcome.Found.class);

    cluster("cluster", Map.of());
    assertThat(found())
        .isEqualTo(
            new Outcome.Unsure(
                "expected series of one cluster, for they tell no UIDs of pods, found"
                    + " cluster=a,cluster_id=1 and no label of one; ask a Prometheus or a tenant"
                    + " that knows this cluster alone, ask through prom-label-proxy, or have the"
                    + " exporters tell the UIDs"));

    count("plain/pod_uid", 8);
    assertThat(found()).isInstanceOf(Outcome.Found.class);
  }

  @Test
  void isUnsure_whenClocksWithoutUidsAreOfSeveralClusters() {
    count("rules", 8);
    cluster("rules/cluster", Map.of("k8s_cluster_name", "a"));
    cluster("rules/cluster", Map.of("k8s_cluster_name", "b"));

    assertThat(found()).isInstanceOf(Outcome.Unsure.class);
  }

  @Test
  void aClusterThatWasCalledOtherwiseIsStillOne() {
    count("plain", 8);
    var labels = Map.of("gpu_reclaimer_kind", "cluster", "cluster", "old");
    probe.accept(new VectorSample(labels, 8, Instant.EPOCH.minusSeconds(60)));
    cluster("cluster", Map.of("cluster", "new"));

    assertThat(found()).isInstanceOf(Outcome.Found.class);
  }

  @Test
  void findsNothing_whileNoPodHoldsAGpu() {
    count("bare", 8);
    count("own", 8);

    assertThat(found()).isEqualTo(new Outcome.Nothing());
  }

  @Test
  void findsOnlyWhatIsWanted() {
    count("rules", 8);
    count("plain", 8);

    assertThat(probe.outcome(Optional.of("series"), Optional.empty()))
        .isEqualTo(series(PodLabels.Style.PLAIN, Optional.empty()));
  }

  private Outcome found() {
    return probe.outcome(Optional.empty(), Optional.empty());
  }

  private static Outcome series(PodLabels.Style style, Optional<String> uid, String... metrics) {
    List<ActivitySign> signs =
        ActivitySign.ALL.stream().filter(sign -> List.of(metrics).contains(sign.metric())).toList();
    return new Outcome.Found(new Form.Series(new PodLabels(style, uid), signs));
  }

  private void sign(String metric) {
    accept(Map.of("gpu_reclaimer_kind", "sign", "__name__", metric), 8);
  }

  private void count(String kind, double count) {
    accept(Map.of("gpu_reclaimer_kind", kind), count);
  }

  private void cluster(String kind, Map<String, String> labels) {
    Map<String, String> all = new HashMap<>(labels);
    all.put("gpu_reclaimer_kind", kind);
    accept(all, 8);
  }

  private void accept(Map<String, String> labels, double value) {
    probe.accept(new VectorSample(labels, value, Instant.EPOCH));
  }
}
