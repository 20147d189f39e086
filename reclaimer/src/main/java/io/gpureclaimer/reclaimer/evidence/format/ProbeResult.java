package io.gpureclaimer.reclaimer.evidence.format;

import io.gpureclaimer.reclaimer.client.HttpFailure.Excerpt;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat.Detection;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Answer to the queries of all detectors. Confined to one thread at a time. */
public final class ProbeResult {
  private static final String METRICS = "sign";

  /** The end of the kind of samples that count clusters. */
  private static final String CLUSTER = "cluster";

  /** Labels that usually distinguish clusters in a Prometheus of several. */
  private static final List<String> CLUSTERS =
      List.of("cluster", "cluster_name", "cluster_id", "k8s_cluster", "k8s_cluster_name");

  private final Map<String, Long> counts = new TreeMap<>();
  private final Set<String> metrics = new TreeSet<>();
  private final Map<String, Map<Instant, Set<String>>> clusters = new HashMap<>();

  /** A query of the number of series in a vector. */
  public static String count(String kind, String vector) {
    return PromQl.kind(kind, "count(" + vector + ")");
  }

  /** A query of which of some metrics are there. */
  public static String metrics(List<String> metrics) {
    return PromQl.kind(METRICS, "count by (__name__) (" + PromQl.select(metrics, "") + ")");
  }

  /**
   * A query of the clusters in a vector.
   *
   * @param prefix distinguishes it from that of other formats
   */
  public static String clusters(String prefix, String vector) {
    return PromQl.kind(prefix + CLUSTER, PromQl.by("count", CLUSTERS, vector));
  }

  /** The labels that are read. */
  public static Set<String> labels() {
    Set<String> labels = new HashSet<>(CLUSTERS);
    labels.addAll(List.of(MetricSample.NAME, PromQl.KIND));
    return labels;
  }

  /** Adds one sample. */
  public void accept(MetricSample sample) {
    String kind = sample.labels().get(PromQl.KIND);
    String metric = sample.name();
    if (kind == null) {
      return;
    }
    if (kind.equals(METRICS)) {
      if (metric != null) {
        metrics.add(metric);
      }
    } else if (kind.endsWith(CLUSTER)) {
      clusters
          .computeIfAbsent(kind, _ -> new TreeMap<>())
          .computeIfAbsent(sample.at(), _ -> new TreeSet<>())
          .add(cluster(sample));
    } else {
      counts.merge(kind, Math.round(sample.value()), Math::max);
    }
  }

  private static String cluster(MetricSample sample) {
    String cluster =
        CLUSTERS.stream()
            .filter(label -> !sample.labels().getOrDefault(label, "").isEmpty())
            .map(label -> label + "=" + sample.labels().get(label))
            .collect(Collectors.joining(","));
    return cluster.isEmpty() ? "no label of one" : cluster;
  }

  /** The count of a kind; 0 if there is none. */
  public long count(String kind) {
    return counts.getOrDefault(kind, 0L);
  }

  /** Whether the metric is there. */
  public boolean has(String metric) {
    return metrics.contains(metric);
  }

  /** The highest count of any kind. */
  public long largest() {
    return counts.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** Everything that was found, for people. */
  public String text() {
    return counts + " of " + metrics;
  }

  /**
   * The format, unless its series are of several clusters: without a UID, a pod of the same name in
   * another cluster would be taken for ours.
   */
  public Detection ofOneCluster(String prefix, EvidenceFormat format) {
    return clusters.getOrDefault(prefix + CLUSTER, Map.of()).values().stream()
        .filter(atOnce -> atOnce.size() > 1)
        .findFirst()
        .<Detection>map(several -> new Detection.Ambiguous(severalClusters(several)))
        .orElseGet(() -> new Detection.Found(format));
  }

  private static String severalClusters(Set<String> clusters) {
    return "expected series of one cluster, because they have no UIDs of pods, found "
        + Excerpt.of(String.join(" and ", clusters))
        + "; query a Prometheus or a tenant that knows this cluster alone, query through"
        + " prom-label-proxy, or have the exporters report the UIDs";
  }
}
