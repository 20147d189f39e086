package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.common.vocabulary.ActivitySign;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The signs of a GPU at work, in PromQL. */
final class Sign {
  private Sign() {}

  /**
   * The highest activity of each device in a window, in percent.
   *
   * @param matchers which series, separated by commas; may be empty
   * @param labels to tell the devices apart
   */
  static String activity(
      Collection<ActivitySign> signs, String matchers, List<String> labels, String window) {
    return highest(labels, signs.stream().map(sign -> branch(sign, matchers, window)));
  }

  /** When the newest sample of each device was taken. */
  static String sampled(Collection<ActivitySign> signs, String matchers, List<String> labels) {
    return highest(
        labels,
        signs.stream()
            .filter(ActivitySign::isBase)
            .map(sign -> Promql.field(sign.metric(), "timestamp(" + select(sign, matchers) + ")")));
  }

  /** When the newest sample of each device was taken, if that is in a time to come. */
  static String ahead(Collection<ActivitySign> signs, String matchers, List<String> labels) {
    return highest(
        labels,
        signs.stream()
            .filter(ActivitySign::isBase)
            .map(sign -> Promql.field(sign.metric(), Relived.question(select(sign, matchers)))));
  }

  private static String highest(List<String> labels, Stream<String> branches) {
    return Promql.by("max", labels, Promql.together(branches));
  }

  private static String branch(ActivitySign sign, String matchers, String window) {
    String highest = "max_over_time(" + select(sign, matchers) + "[" + window + "])";
    return Promql.field(sign.metric(), sign.factor() == 1 ? highest : highest + " * 100");
  }

  private static String select(ActivitySign sign, String matchers) {
    String whole = sign.ofInstances() ? "" : "GPU_I_ID=\"\"";
    String all =
        Stream.of(matchers, whole).filter(m -> !m.isEmpty()).collect(Collectors.joining(","));
    return sign.metric() + (all.isEmpty() ? "" : "{" + all + "}");
  }
}
