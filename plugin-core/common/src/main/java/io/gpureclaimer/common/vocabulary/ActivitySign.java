package io.gpureclaimer.common.vocabulary;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A metric that shows whether a GPU is at work, under one of the names that DCGM had for it.
 *
 * @param metric the name
 * @param factor makes its value a percentage. A percentage under a name that promises a ratio is
 *     taken for a ratio: it then looks more active than it is, never less
 * @param ofInstances whether it can be believed of an instance of a divided GPU
 */
public record ActivitySign(String metric, double factor, boolean ofInstances) {
  private static final double PER_CENT = 100;
  private static final List<DcgmField> ENGINES =
      List.of(
          DcgmField.PROF_GR_ENGINE_ACTIVE,
          DcgmField.PROF_SM_ACTIVE,
          DcgmField.PROF_PIPE_TENSOR_ACTIVE,
          DcgmField.PROF_DRAM_ACTIVE);
  private static final List<DcgmField> BOARDS =
      List.of(DcgmField.DEV_GPU_UTIL, DcgmField.DEV_ENC_UTIL, DcgmField.DEV_DEC_UTIL);

  /** All of them, under every name. */
  public static final List<ActivitySign> ALL = all();

  /** The names of those that every exporter has at least one of. */
  public static final List<String> BASE =
      Stream.of(DcgmField.DEV_GPU_UTIL, DcgmField.PROF_GR_ENGINE_ACTIVE)
          .flatMap(field -> field.names().stream())
          .toList();

  private static List<ActivitySign> all() {
    var signs = new ArrayList<ActivitySign>();
    for (DcgmField field : ENGINES) {
      field.names().forEach(name -> signs.add(new ActivitySign(name, PER_CENT, true)));
    }
    for (DcgmField field : BOARDS) {
      for (String name : field.names()) {
        signs.add(new ActivitySign(name, name.endsWith("_RATIO") ? PER_CENT : 1, false));
      }
    }
    return List.copyOf(signs);
  }

  /** Whether it is one of those that show when an exporter was last queried. */
  public boolean isBase() {
    return BASE.contains(metric);
  }
}
