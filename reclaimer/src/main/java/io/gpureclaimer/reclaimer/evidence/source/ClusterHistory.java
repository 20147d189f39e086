package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.reclaimer.evidence.ClusterHistoryRecord;
import io.gpureclaimer.reclaimer.evidence.ClusterHistoryRecord.NodeGpus;
import io.gpureclaimer.reclaimer.evidence.ClusterHistoryRecord.PodCreated;
import io.gpureclaimer.reclaimer.evidence.ClusterHistoryRecord.PodOwner;
import io.gpureclaimer.reclaimer.evidence.ClusterHistoryRecord.PodPresence;
import io.gpureclaimer.reclaimer.evidence.ClusterHistoryRecord.PodRequest;
import io.gpureclaimer.reclaimer.evidence.ClusterHistoryRecord.PodScheduled;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient;
import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient.QueryAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Nodes and pods with GPUs of the past, which kube-state-metrics recorded, from a Prometheus. It
 * queries one slice of the range after the other. Confined to one thread.
 */
public final class ClusterHistory {
  /** What is queried, for people. */
  public static final List<String> METRICS =
      List.of(
          "kube_node_status_allocatable",
          "kube_pod_container_resource_requests",
          "kube_pod_status_phase",
          "kube_pod_created",
          "kube_pod_status_scheduled_time",
          "kube_pod_info");

  private static final long LARGEST_ANSWER_BYTES = 512L * 1024 * 1024;
  private static final long MOST_STEPS = 120;
  private static final String NODE = "node";
  private static final String REQUEST = "request";
  private static final String PHASE = "phase";
  private static final String CREATED = "created";
  private static final String SCHEDULED = "scheduled";
  private static final String OWNER = "owner";

  private static final String UID = "uid";
  private static final String CREATOR = "created_by_kind";
  private static final String PRIORITY_CLASS = "priority_class";
  private static final Set<String> LABELS =
      Set.of(
          PromQl.KIND,
          UID,
          NODE,
          "exported_node",
          "namespace",
          "exported_namespace",
          "pod",
          "exported_pod",
          PHASE,
          CREATOR,
          PRIORITY_CLASS);

  private final QueryClient client;
  private final String gpus;

  /**
   * @param resources names of whole GPUs, such as {@code nvidia.com/gpu}
   */
  public ClusterHistory(PrometheusConnection connection, Collection<String> resources) {
    this.client = new QueryClient(connection, LARGEST_ANSWER_BYTES);
    this.gpus =
        PromQl.oneOf(
            "resource",
            resources.stream().map(name -> name.replaceAll("[^a-zA-Z0-9_]", "_")).toList());
  }

  /** The address that is queried; it holds no credentials. */
  public String address() {
    return client.rangeUri().toString();
  }

  /** How many queries a range takes, unless answers are too long for the Prometheus. */
  public static long queries(TimeRange range) {
    return 2 * Math.ceilDiv(range.steps(), MOST_STEPS);
  }

  /**
   * Hands on everything that was recorded, some of it more than once.
   *
   * @return why that is not complete; empty if it is
   */
  public Optional<String> replay(TimeRange range, Consumer<ClusterHistoryRecord> into) {
    long steps = MOST_STEPS;
    for (long number = 1; number <= range.steps(); ) {
      TimeRange slice = range.slice(number, steps);
      Optional<QueryAnswer.Unusable> problem =
          query(changing(), slice, into)
              .or(() -> query(constant(slice.length()), whole(slice), into));
      if (problem.isEmpty()) {
        number += slice.steps();
      } else if (PrometheusHistory.isTooMuch(problem.get()) && slice.steps() > 1) {
        steps = (slice.steps() + 1) / 2;
      } else {
        return Optional.of(
            "POST "
                + client.rangeUri()
                + ": expected "
                + problem.get().expected()
                + ", found "
                + problem.get().found());
      }
    }
    return Optional.empty();
  }

  /** One look at its end. */
  private static TimeRange whole(TimeRange slice) {
    return new TimeRange(slice.from(), slice.at(slice.steps()), slice.length());
  }

  private Optional<QueryAnswer.Unusable> query(
      String query, TimeRange range, Consumer<ClusterHistoryRecord> into) {
    return switch (client.query(
        query, range, LABELS, series -> series.forEach(sample -> record(sample).ifPresent(into)))) {
      case QueryAnswer.Complete() -> Optional.empty();
      case QueryAnswer.Unusable unusable -> Optional.of(unusable);
    };
  }

  /** What may change from look to look: nodes and phases. */
  private String changing() {
    return PromQl.together(
        Stream.of(
            PromQl.kind(
                NODE,
                PromQl.by(
                    "max",
                    List.of(NODE, "exported_node"),
                    "kube_node_status_allocatable{" + gpus + "}")),
            PromQl.kind(
                PHASE,
                PromQl.by(
                    "max",
                    List.of(UID, PHASE),
                    "kube_pod_status_phase{phase=~\"Pending|Running\"} == 1 and on (uid) "
                        + requests("")))));
  }

  /** What does not change: one sample for each pod of the slice, even if it is gone at its end. */
  private String constant(Duration length) {
    String range = "[" + length.toSeconds() + "s]";
    String withGpus = " and on (uid) last_over_time(" + requests(range) + ")";
    return PromQl.together(
        Stream.of(
            PromQl.kind(
                REQUEST,
                PromQl.by(
                    "sum",
                    List.of(UID, "namespace", "exported_namespace", "pod", "exported_pod"),
                    PromQl.by(
                        "max",
                        List.of(
                            UID,
                            "namespace",
                            "exported_namespace",
                            "pod",
                            "exported_pod",
                            "container",
                            "exported_container",
                            "resource"),
                        "last_over_time(" + requests(range) + ")"))),
            time(CREATED, "kube_pod_created", range, withGpus),
            time(SCHEDULED, "kube_pod_status_scheduled_time", range, withGpus),
            PromQl.kind(
                OWNER,
                PromQl.by(
                    "max",
                    List.of(UID, CREATOR, PRIORITY_CLASS),
                    "last_over_time(kube_pod_info" + range + ")" + withGpus))));
  }

  private static String time(String kind, String metric, String range, String withGpus) {
    return PromQl.kind(
        kind, PromQl.by("max", List.of(UID), "last_over_time(" + metric + range + ")" + withGpus));
  }

  private String requests(String range) {
    return "kube_pod_container_resource_requests{" + gpus + ",uid!=\"\"}" + range;
  }

  private static Optional<ClusterHistoryRecord> record(MetricSample sample) {
    Map<String, String> labels = sample.labels();
    String uid = labels.getOrDefault(UID, "");
    return switch (labels.getOrDefault(PromQl.KIND, "")) {
      case NODE ->
          Optional.of(new NodeGpus(given(labels, NODE), (int) sample.value(), sample.at()));
      case REQUEST ->
          Optional.of(
              new PodRequest(
                  uid,
                  new PodName(given(labels, "namespace"), given(labels, "pod")),
                  (int) sample.value()));
      case PHASE ->
          Optional.of(
              new PodPresence(uid, labels.getOrDefault(PHASE, "").equals("Running"), sample.at()));
      case CREATED -> Optional.of(new PodCreated(uid, instant(sample)));
      case SCHEDULED -> Optional.of(new PodScheduled(uid, instant(sample)));
      case OWNER ->
          Optional.of(
              new PodOwner(
                  uid, labels.getOrDefault(CREATOR, ""), labels.getOrDefault(PRIORITY_CLASS, "")));
      default -> Optional.empty();
    };
  }

  /** A scrape that does not honor labels renames those of kube-state-metrics. */
  private static String given(Map<String, String> labels, String name) {
    return Optional.ofNullable(labels.get("exported_" + name))
        .filter(text -> !text.isEmpty())
        .orElseGet(() -> labels.getOrDefault(name, ""));
  }

  private static Instant instant(MetricSample sample) {
    return Instant.ofEpochSecond((long) sample.value());
  }
}
