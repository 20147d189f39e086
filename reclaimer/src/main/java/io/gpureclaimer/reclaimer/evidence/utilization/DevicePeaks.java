package io.gpureclaimer.reclaimer.evidence.utilization;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.evidence.format.PodLabelNames;
import io.gpureclaimer.reclaimer.evidence.format.PodLabelNames.PodLabelStyle;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient;
import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient.QueryAnswer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Highest memory use and utilization of each device while a pod held it, from a Prometheus. Nothing
 * is reclaimed by it. Confined to one thread.
 */
public final class DevicePeaks {
  private static final Duration LONGEST_STEP = Duration.ofHours(1);

  /** As many as {@code PrometheusHistory} asks for at once. */
  private static final long MOST_STEPS = 120;

  private static final long LARGEST_ANSWER_BYTES = 512L * 1024 * 1024;
  private static final String TOO_MUCH_FOR_THE_SERVER = "too many samples";
  private static final String MEMORY = "memory";
  private static final String TOTAL = "total";
  private static final String SM_ACTIVE = "sm_active";
  private static final String UTILIZATION = "utilization";
  private static final PodLabelNames PLAIN =
      new PodLabelNames(PodLabelStyle.PLAIN, Optional.empty());
  private static final PodLabelNames EXPORTED =
      new PodLabelNames(PodLabelStyle.EXPORTED, Optional.empty());
  private static final String EXPORTED_NAMESPACE = "exported_" + Labels.NAMESPACE;
  private static final String EXPORTED_POD = "exported_" + Labels.POD;
  private static final List<String> DEVICE_OF_POD =
      List.of(
          Labels.NAMESPACE,
          Labels.POD,
          EXPORTED_NAMESPACE,
          EXPORTED_POD,
          Labels.UUID,
          Labels.GPU_INSTANCE_ID);
  private static final Set<String> LABELS =
      Stream.concat(DEVICE_OF_POD.stream(), Stream.of(Labels.MODEL_NAME, PromQl.KIND))
          .collect(Collectors.toUnmodifiableSet());

  private final QueryClient client;
  private final List<String> namespaces;

  /**
   * @param namespaces of the pods; empty for all
   */
  public DevicePeaks(PrometheusConnection connection, Collection<String> namespaces) {
    this.client = new QueryClient(connection, LARGEST_ANSWER_BYTES);
    this.namespaces = namespaces.stream().distinct().sorted().toList();
  }

  /** A device that a pod held. */
  public record Holding(PodName pod, Entity device) {}

  /**
   * The highest values of a device while a pod held it. What no series reports is absent.
   *
   * @param memoryMebibytes memory in use
   * @param totalMebibytes memory of the device
   * @param smActive share of the multiprocessors that were active, mean of the busiest hour
   * @param utilization share of time in which a kernel ran, mean of the busiest hour
   * @param memorySampled how much time has samples of the memory in use
   */
  public record Peak(
      OptionalDouble memoryMebibytes,
      OptionalDouble totalMebibytes,
      OptionalDouble smActive,
      OptionalDouble utilization,
      Optional<String> model,
      Duration memorySampled) {
    /** Nothing is known of it. */
    public static final Peak NOTHING =
        new Peak(
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            Optional.empty(),
            Duration.ZERO);

    Peak withMemory(double mebibytes, Duration step) {
      return new Peak(
          higher(memoryMebibytes, mebibytes),
          totalMebibytes,
          smActive,
          utilization,
          model,
          memorySampled.plus(step));
    }

    Peak withTotal(double mebibytes, Optional<String> itsModel) {
      return new Peak(
          memoryMebibytes,
          higher(totalMebibytes, mebibytes),
          smActive,
          utilization,
          itsModel.or(() -> model),
          memorySampled);
    }

    Peak withSmActive(double share) {
      return new Peak(
          memoryMebibytes,
          totalMebibytes,
          higher(smActive, share),
          utilization,
          model,
          memorySampled);
    }

    Peak withUtilization(double share) {
      return new Peak(
          memoryMebibytes,
          totalMebibytes,
          smActive,
          higher(utilization, share),
          model,
          memorySampled);
    }

    private static OptionalDouble higher(OptionalDouble known, double value) {
      return OptionalDouble.of(Math.max(value, known.orElse(value)));
    }
  }

  /** Result of the queries. */
  public sealed interface PeaksResult {

    /** What the Prometheus has; a device without samples is absent. */
    record Known(Map<Holding, Peak> peaks, Duration step) implements PeaksResult {
      public Known {
        peaks = Map.copyOf(peaks);
      }
    }

    /** No complete answer, for a reason in words. */
    record Unknown(String reason) implements PeaksResult {}
  }

  /** The peaks of all devices in a range; its own step does not matter. */
  public PeaksResult in(TimeRange range) {
    TimeRange hours = hours(range);
    Map<Holding, Peak> peaks = new HashMap<>();
    long steps = MOST_STEPS;
    for (long number = 1; number <= hours.steps(); ) {
      TimeRange slice = hours.slice(number, steps);
      Map<Holding, Peak> those = new HashMap<>(peaks);
      switch (client.query(
          query(hours.step()),
          slice,
          LABELS,
          series -> series.forEach(sample -> add(sample, hours.step(), those)))) {
        case QueryAnswer.Complete() -> {
          peaks = those;
          number += slice.steps();
        }
        case QueryAnswer.Unusable(_, String found)
            when found.contains(TOO_MUCH_FOR_THE_SERVER) && slice.steps() > 1 ->
            steps = (slice.steps() + 1) / 2;
        case QueryAnswer.Unusable(String expected, String found) -> {
          return new PeaksResult.Unknown(
              "POST " + client.rangeUri() + ": expected " + expected + ", found " + found);
        }
      }
    }
    return new PeaksResult.Known(peaks, hours.step());
  }

  /** Whole hours up to the end of the range; a shorter range is one step. */
  private static TimeRange hours(TimeRange range) {
    Duration length = range.length();
    Duration step = length.compareTo(LONGEST_STEP) < 0 ? length : LONGEST_STEP;
    return new TimeRange(range.from(), range.to(), step);
  }

  private String query(Duration step) {
    String window = "[" + step.toSeconds() + "s]";
    if (namespaces.isEmpty()) {
      return ofSeries(Labels.POD + "!=\"\"", window);
    }
    return ofSeries(
            PromQl.oneOf(Labels.NAMESPACE, namespaces) + "," + PromQl.equal(EXPORTED_POD, ""),
            window)
        + " or "
        + ofSeries(PromQl.oneOf(EXPORTED_NAMESPACE, namespaces), window);
  }

  private static String ofSeries(String matchers, String window) {
    return Stream.of(
            PromQl.kind(MEMORY, highest(DcgmField.DEV_FB_USED, "max_over_time", matchers, window)),
            PromQl.kind(TOTAL, total(matchers, window)),
            PromQl.kind(
                SM_ACTIVE, highest(DcgmField.PROF_SM_ACTIVE, "avg_over_time", matchers, window)),
            PromQl.kind(
                UTILIZATION,
                highest(DcgmField.DEV_GPU_UTIL, "avg_over_time", matchers, window) + " / 100"))
        .collect(Collectors.joining(" or "));
  }

  private static String highest(DcgmField field, String function, String matchers, String window) {
    return PromQl.by("max", DEVICE_OF_POD, over(field, function, matchers, window));
  }

  /** One name at a time: a window over several is refused where a device has two of them. */
  private static String over(DcgmField field, String function, String matchers, String window) {
    return PromQl.together(
        field.names().stream()
            .map(
                name ->
                    PromQl.field(
                        name,
                        function + "(" + PromQl.select(List.of(name), matchers) + window + ")")));
  }

  /** Memory in use, free and reserved; older exporters do not report what is reserved. */
  private static String total(String matchers, String window) {
    List<String> labels =
        Stream.concat(DEVICE_OF_POD.stream(), Stream.of(Labels.MODEL_NAME)).toList();
    String used = latest(DcgmField.DEV_FB_USED, labels, matchers, window);
    String free = latest(DcgmField.DEV_FB_FREE, labels, matchers, window);
    String reserved = latest(DcgmField.DEV_FB_RESERVED, labels, matchers, window);
    String both = "(" + used + " + " + free + ")";
    return "((" + both + " + " + reserved + ") or " + both + ")";
  }

  private static String latest(
      DcgmField field, List<String> labels, String matchers, String window) {
    return PromQl.by("max", labels, over(field, "last_over_time", matchers, window));
  }

  private static void add(MetricSample sample, Duration step, Map<Holding, Peak> peaks) {
    Map<String, String> labels = sample.labels();
    if (!Double.isFinite(sample.value())) {
      return;
    }
    holding(labels)
        .ifPresent(
            holding ->
                peaks.merge(
                    holding,
                    with(Peak.NOTHING, sample, step),
                    (known, _) -> with(known, sample, step)));
  }

  private static Peak with(Peak peak, MetricSample sample, Duration step) {
    double value = sample.value();
    return switch (sample.labels().getOrDefault(PromQl.KIND, "")) {
      case MEMORY -> peak.withMemory(value, step);
      case TOTAL ->
          peak.withTotal(
              value,
              Optional.ofNullable(sample.labels().get(Labels.MODEL_NAME))
                  .filter(model -> !model.isEmpty()));
      case SM_ACTIVE -> peak.withSmActive(value);
      case UTILIZATION -> peak.withUtilization(value);
      default -> peak;
    };
  }

  private static Optional<Holding> holding(Map<String, String> labels) {
    PodLabelNames names = labels.getOrDefault(EXPORTED_POD, "").isEmpty() ? PLAIN : EXPORTED;
    return names
        .name(labels)
        .flatMap(pod -> names.device(labels).map(device -> new Holding(pod, device)));
  }
}
