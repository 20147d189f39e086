package io.gpureclaimer.reclaimer.evidence.format;

import io.gpureclaimer.common.vocabulary.ActivityField;
import io.gpureclaimer.common.vocabulary.ActivitySign;
import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceReader.ClockRollbackGuard;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;
import java.util.stream.Stream;

/** PromQL for the activity of devices, by any metric that shows it. */
public final class ActivityQueries {
  /** The kind of the samples of raw utilization. */
  public static final String UTILIZATION = "utilization";

  /** The kind of the times of the newest samples. */
  public static final String SAMPLED_AT = "sampled_at";

  private static final String NEWEST = "newest";
  private static final int GPUS_OF_A_VECTOR = 8;

  private ActivityQueries() {}

  /**
   * The highest raw utilization of a pod's GPUs, by any metric. That of the last two minutes by the
   * metrics that exporters usually have; by the others their newest sample, so that the query stays
   * short.
   */
  public static Stream<String> utilizations(PodActivity pod) {
    List<String> labels = List.of(Labels.UUID, Labels.GPU_INSTANCE_ID);
    return gpus(pod)
        .map(gpus -> PromQl.oneOf(Labels.UUID, gpus))
        .map(
            matcher ->
                PromQl.kind(
                    UTILIZATION,
                    highest(
                        labels,
                        Stream.concat(
                            ActivitySign.USUAL.stream().map(sign -> branch(sign, matcher, "2m")),
                            Stream.of(newest(matcher, labels))))));
  }

  private static String newest(String matchers, List<String> labels) {
    List<String> metrics = ActivitySign.OTHERS.stream().map(ActivitySign::metric).toList();
    return PromQl.field(
        NEWEST, PromQl.by("max", labels, PromQl.select(metrics, matchers)) + " * 100");
  }

  /** The pod's GPUs, those of its instances too; some at a time, as each query names them. */
  public static Stream<List<String>> gpus(PodActivity pod) {
    return pod.devices().stream()
        .map(device -> device.device().gpu().value())
        .sorted()
        .distinct()
        .gather(Gatherers.windowFixed(GPUS_OF_A_VECTOR));
  }

  /**
   * The highest activity of each device in a window, in percent.
   *
   * @param matchers which series, separated by commas; may be empty
   * @param labels to distinguish the devices
   */
  public static String activity(
      Collection<ActivitySign> signs, String matchers, List<String> labels, String window) {
    return highest(labels, signs.stream().map(sign -> branch(sign, matchers, window)));
  }

  /** When the newest sample of each device was taken. */
  public static String sampled(
      Collection<ActivitySign> signs, String matchers, List<String> labels) {
    return highest(
        labels,
        signs.stream()
            .filter(ActivitySign::isBase)
            .map(sign -> PromQl.field(sign.metric(), "timestamp(" + select(sign, matchers) + ")")));
  }

  /** When the newest sample of each device was taken, if that is in a time to come. */
  public static String ahead(Collection<ActivitySign> signs, String matchers, List<String> labels) {
    return highest(
        labels,
        signs.stream()
            .filter(ActivitySign::isBase)
            .map(
                sign ->
                    PromQl.field(sign.metric(), ClockRollbackGuard.query(select(sign, matchers)))));
  }

  private static String highest(List<String> labels, Stream<String> branches) {
    return PromQl.by("max", labels, PromQl.together(branches));
  }

  /**
   * What one metric says of work, in percent: at rest 0 or nothing, and from the threshold on as it
   * is. What is no number stays so.
   */
  private static String branch(ActivitySign sign, String matchers, String window) {
    String highest = "max_over_time(" + select(sign, matchers) + "[" + window + "])";
    String percent = sign.factor() == 1 ? highest : highest + " * 100";
    return PromQl.field(
        sign.metric(),
        ActivityField.isZeroAtRest(sign.field())
            ? "clamp_min(" + percent + " != 0, 1)"
            : "floor(" + percent + ")");
  }

  private static String select(ActivitySign sign, String matchers) {
    String whole = sign.ofInstances() ? "" : "GPU_I_ID=\"\"";
    String all =
        Stream.of(matchers, whole).filter(m -> !m.isEmpty()).collect(Collectors.joining(","));
    return sign.metric() + (all.isEmpty() ? "" : "{" + all + "}");
  }
}
