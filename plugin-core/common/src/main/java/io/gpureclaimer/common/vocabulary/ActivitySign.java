package io.gpureclaimer.common.vocabulary;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Metric that shows activity of a GPU: a field of {@link ActivityField} under one of its names.
 *
 * @param field the field
 * @param metric the name
 * @param factor makes its value a percentage. A percentage under a name that promises a ratio is
 *     taken for a ratio: it then looks more active than it is, never less
 * @param ofInstances whether it can be believed of an instance of a divided GPU
 */
public record ActivitySign(DcgmField field, String metric, double factor, boolean ofInstances) {
  private static final double PER_CENT = 100;

  /** From here on the fields are our agent's own. */
  private static final int FIRST_OWN_FIELD = 9_100;

  /** All of them, under every name. */
  public static final List<ActivitySign> ALL =
      Arrays.stream(ActivityField.values())
          .flatMap(ActivityField::fields)
          .flatMap(ActivitySign::of)
          .toList();

  /** Those that exporters usually report. */
  public static final List<ActivitySign> USUAL =
      ALL.stream().filter(sign -> sign.isUsual()).toList();

  /** Those of which few exporters report any, all of them ratios. */
  public static final List<ActivitySign> OTHERS =
      ALL.stream().filter(sign -> !sign.isUsual()).toList();

  /** The names of those that every exporter has at least one of. */
  public static final List<String> BASE =
      Stream.of(DcgmField.DEV_GPU_UTIL, DcgmField.PROF_GR_ENGINE_ACTIVE)
          .flatMap(field -> field.names().stream())
          .toList();

  private static Stream<ActivitySign> of(DcgmField field) {
    return field.names().stream()
        .map(
            name ->
                new ActivitySign(
                    field,
                    name,
                    name.endsWith("_RATIO") ? PER_CENT : ActivityField.percentPerUnit(field),
                    ActivityField.isProfiling(field)));
  }

  private boolean isUsual() {
    return field.id() < FIRST_OWN_FIELD
        && ActivityField.of(field).filter(of -> of.polled().contains(field)).isPresent();
  }

  /**
   * What a value says of the work of the GPU, in percent: 0 below the {@link
   * ActivityField#THRESHOLD_PERCENT threshold}, unless the field is {@link
   * ActivityField#isZeroAtRest 0 at rest}. What is impossible stays so.
   */
  public double countedPercent(double value) {
    double percent = value * factor;
    boolean isNoise = percent >= 0 && percent < ActivityField.THRESHOLD_PERCENT;
    return isNoise && !ActivityField.isZeroAtRest(field) ? 0 : percent;
  }

  /** Whether it is one of those that show when an exporter was last queried. */
  public boolean isBase() {
    return BASE.contains(metric);
  }
}
