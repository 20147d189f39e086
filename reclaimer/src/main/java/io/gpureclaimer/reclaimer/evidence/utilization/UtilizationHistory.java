package io.gpureclaimer.reclaimer.evidence.utilization;

import io.gpureclaimer.common.time.ExpiringCache;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient;
import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient.QueryAnswer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * GPU utilization of pods in the last hours, for charts; nothing is decided by it. One range query
 * for each namespace that is shown, at most one a minute. Safe for several threads.
 */
public final class UtilizationHistory {
  /** How far back a chart goes. */
  public static final Duration LENGTH = Duration.ofHours(6);

  private static final Duration STEP = Duration.ofMinutes(10);

  /** A page does not wait for a slow server. */
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private static final Duration KEPT_FOR = Duration.ofMinutes(1);
  private static final int MOST_NAMESPACES = 200;
  private static final long LARGEST_ANSWER_BYTES = 16L * 1024 * 1024;
  private static final String EXPORTED_NAMESPACE = "exported_" + Labels.NAMESPACE;
  private static final String EXPORTED_POD = "exported_" + Labels.POD;
  private static final Set<String> LABELS =
      Set.of(Labels.NAMESPACE, Labels.POD, EXPORTED_NAMESPACE, EXPORTED_POD);

  private final QueryClient client;
  private final Clock clock;
  private final ExpiringCache<String, PodUtilization> kept;

  public UtilizationHistory(
      PrometheusConnection connection, Clock clock, MonotonicClock monotonic) {
    this.client = new QueryClient(within(connection), LARGEST_ANSWER_BYTES);
    this.clock = clock;
    this.kept = new ExpiringCache<>(KEPT_FOR, MOST_NAMESPACES, monotonic);
  }

  /** Highest utilization of the GPUs of a pod in the ten minutes before a time, in percent. */
  public record UtilizationPoint(Instant at, double percent) {}

  /** The utilization of the pods of a namespace. */
  public sealed interface PodUtilization {

    /**
     * What the Prometheus has. A pod or a time without samples is absent.
     *
     * @param points by pod, in the order of time
     */
    record Known(Instant from, Instant to, Map<PodName, List<UtilizationPoint>> points)
        implements PodUtilization {
      public Known {
        points = Map.copyOf(points);
      }
    }

    /** No answer, for a reason in words. */
    record Unknown(String reason) implements PodUtilization {}
  }

  private static PrometheusConnection within(PrometheusConnection connection) {
    return new PrometheusConnection(
        connection.base(),
        connection.credentials(),
        connection.caFile(),
        connection.timeout().compareTo(TIMEOUT) < 0 ? connection.timeout() : TIMEOUT,
        connection.tenant());
  }

  /** The utilization of all pods of a namespace. */
  public PodUtilization of(String namespace) {
    return kept.get(namespace, this::load);
  }

  private PodUtilization load(String namespace) {
    Instant end = clock.instant();
    TimeRange range = new TimeRange(end.minus(LENGTH), end, STEP);
    Map<PodName, List<UtilizationPoint>> points = new HashMap<>();
    QueryAnswer answer =
        client.query(
            query(namespace),
            range,
            LABELS,
            series -> series.forEach(sample -> add(sample, points)));
    return switch (answer) {
      case QueryAnswer.Complete() ->
          new PodUtilization.Known(range.at(1), range.at(range.steps()), points);
      case QueryAnswer.Unusable(String expected, String found) ->
          new PodUtilization.Unknown("expected " + expected + ", found " + found);
    };
  }

  /**
   * Instances have no utilization in percent, but the share of time in which their engines were
   * active.
   */
  private static String query(String namespace) {
    return Stream.of(
            highest("DCGM_FI_DEV_GPU_UTIL", namespace, ""),
            highest("DCGM_FI_PROF_GR_ENGINE_ACTIVE", namespace, "100 * "))
        .flatMap(List::stream)
        .collect(Collectors.joining(" or "));
  }

  private static List<String> highest(String metric, String namespace, String factor) {
    return List.of(
        factor
            + highest(
                metric,
                PromQl.equal(Labels.NAMESPACE, namespace)
                    + ","
                    + PromQl.equal(EXPORTED_NAMESPACE, "")),
        factor + highest(metric, PromQl.equal(EXPORTED_NAMESPACE, namespace)));
  }

  private static String highest(String metric, String matchers) {
    return "max by ("
        + LABELS.stream().sorted().collect(Collectors.joining(", "))
        + ") (max_over_time("
        + metric
        + "{"
        + matchers
        + "}["
        + STEP.toMinutes()
        + "m]))";
  }

  private static void add(MetricSample sample, Map<PodName, List<UtilizationPoint>> points) {
    Map<String, String> labels = sample.labels();
    boolean isExported = !labels.getOrDefault(EXPORTED_POD, "").isEmpty();
    var pod =
        new PodName(
            labels.getOrDefault(isExported ? EXPORTED_NAMESPACE : Labels.NAMESPACE, ""),
            labels.getOrDefault(isExported ? EXPORTED_POD : Labels.POD, ""));
    if (!pod.name().isEmpty() && Double.isFinite(sample.value())) {
      points
          .computeIfAbsent(pod, _ -> new ArrayList<>())
          .add(new UtilizationPoint(sample.at(), sample.value()));
    }
  }

  /** The highest of several pods at each time. */
  public static List<UtilizationPoint> highest(PodUtilization.Known known, List<PodName> pods) {
    Map<Instant, Double> byTime =
        pods.stream()
            .flatMap(pod -> known.points().getOrDefault(pod, List.of()).stream())
            .collect(Collectors.toMap(UtilizationPoint::at, UtilizationPoint::percent, Math::max));
    var points = new ArrayList<UtilizationPoint>();
    byTime.forEach((at, percent) -> points.add(new UtilizationPoint(at, percent)));
    points.sort((one, other) -> one.at().compareTo(other.at()));
    return Collections.unmodifiableList(points);
  }
}
