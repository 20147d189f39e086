package io.gpureclaimer.exporter.collect.fields;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.CollectorPlanCache;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.nvml.GpmQuery;
import io.gpureclaimer.nvml.NvmlResult;
import io.gpureclaimer.nvml.NvmlReturn;
import io.gpureclaimer.nvml.poll.PolledGpu;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Activity of the engines of a GPU since the last pass, on Hopper and newer. Nothing else is ever
 * put in its place: a GPU that cannot be measured has no such fields.
 */
@Singleton
public final class GpmCollector implements Collector {
  private static final List<GpmRow> ROWS = GpmTable.rows();
  private static final Set<DcgmField> FIELDS =
      ROWS.stream().map(GpmRow::dcgmField).collect(Collectors.toUnmodifiableSet());

  /** Of {@code nvml.h}: what follows is the board's, and of no instance: its links and codecs. */
  private static final int LAST_METRIC_OF_AN_INSTANCE = 13;

  private final CollectorPlanCache<GpmPlan> prepared = new CollectorPlanCache<>(GpmPlan::of);
  private final CollectorPlanCache<GpmPlan> preparedForParts =
      new CollectorPlanCache<>(GpmPlan::ofAPart);

  /** Query for the requested fields. */
  private record GpmPlan(Set<DcgmField> fields, List<GpmRow> rows, GpmQuery query) {

    static GpmPlan of(Set<DcgmField> wanted) {
      return of(ROWS.stream().filter(row -> wanted.contains(row.dcgmField())).toList());
    }

    static GpmPlan ofAPart(Set<DcgmField> wanted) {
      return of(
          ROWS.stream()
              .filter(row -> row.metric() <= LAST_METRIC_OF_AN_INSTANCE)
              .filter(row -> wanted.contains(row.dcgmField()))
              .toList());
    }

    private static GpmPlan of(List<GpmRow> rows) {
      return new GpmPlan(
          rows.stream().map(GpmRow::dcgmField).collect(Collectors.toUnmodifiableSet()),
          rows,
          new GpmQuery(rows.stream().map(GpmRow::metric).toList()));
    }
  }

  @Override
  public String name() {
    return "gpm";
  }

  @Override
  public Set<DcgmField> fields() {
    return FIELDS;
  }

  @Override
  public void collect(PolledGpu device, Readings into) {
    GpmPlan now = prepared.of(into.wanted());
    var answer = device.nvml().measure(device.handle(), now.query());
    into.take(
        answer,
        isForbidden(answer) ? Set.of() : now.fields(),
        measured -> {
          if (isForbidden(measured)) {
            measured.forEach(metric -> into.take(metric, Set.of(), _ -> {}));
          } else {
            enter(now.rows(), measured, into);
          }
        });
  }

  /**
   * Counters that are for administrators only will be refused in the next pass, too: as on older
   * GPUs, the GPU's other readings are then all there is to judge by.
   */
  private static boolean isForbidden(NvmlResult<?> answer) {
    return answer instanceof NvmlResult.Failed<?>(var reason, _, _)
        && reason == NvmlReturn.NO_PERMISSION;
  }

  /**
   * Some drivers refuse each metric and not the call. While one of them is reported, or fails in
   * another way, the others may be reported too: then nothing is known of those that were not.
   */
  private static boolean isForbidden(List<NvmlResult<Double>> measured) {
    return measured.stream().anyMatch(GpmCollector::isForbidden)
        && measured.stream()
            .allMatch(metric -> isForbidden(metric) || metric instanceof NvmlResult.Unsupported);
  }

  @Override
  public void collectInstance(PolledGpu device, PolledGpu.Instance part, Readings into) {
    GpmPlan now = preparedForParts.of(into.wanted());
    if (!now.rows().isEmpty()) {
      into.take(
          device.nvml().measure(device.handle(), part.instance().id(), now.query()),
          now.fields(),
          measured -> enter(now.rows(), measured, into));
    }
  }

  /** At the first look nothing is measured yet. */
  private static void enter(List<GpmRow> rows, List<NvmlResult<Double>> measured, Readings into) {
    for (int i = 0; i < measured.size(); i++) {
      GpmRow row = rows.get(i);
      into.addConverted(row.dcgmField(), row.labels(), measured.get(i), row.conversion());
    }
  }
}
