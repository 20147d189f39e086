package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.core.nvml.GpmQuery;
import io.gpureclaimer.core.nvml.NvmlResult;
import io.gpureclaimer.core.vocabulary.DcgmField;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the engines of a GPU did since the last pass, on Hopper and newer. Nothing else is ever put
 * in its place: a GPU that cannot be measured has no such fields.
 */
@Singleton
final class GpmCollector implements Collector {
  private static final List<GpmRow> ROWS = GpmTable.rows();
  private static final Set<DcgmField> TOLD =
      ROWS.stream().map(GpmRow::told).collect(Collectors.toUnmodifiableSet());

  private final ForWanted<Prepared> prepared = new ForWanted<>(Prepared::of);

  /** What is asked as long as the same fields are wanted. */
  private record Prepared(Set<DcgmField> told, List<GpmRow> rows, GpmQuery query) {

    static Prepared of(Set<DcgmField> wanted) {
      List<GpmRow> rows = ROWS.stream().filter(row -> wanted.contains(row.told())).toList();
      return new Prepared(
          rows.stream().map(GpmRow::told).collect(Collectors.toUnmodifiableSet()),
          rows,
          new GpmQuery(rows.stream().map(GpmRow::metric).toList()));
    }
  }

  @Override
  public String name() {
    return "gpm";
  }

  @Override
  public Set<DcgmField> tells() {
    return TOLD;
  }

  @Override
  public void collect(Device device, Readings into) {
    Prepared now = prepared.of(into.wanted());
    into.take(
        device.nvml().measure(device.handle(), now.query()),
        now.told(),
        measured -> enter(now.rows(), measured, into));
  }

  /** At the first look nothing is measured yet. */
  private static void enter(List<GpmRow> rows, List<NvmlResult<Double>> measured, Readings into) {
    for (int i = 0; i < measured.size(); i++) {
      GpmRow row = rows.get(i);
      into.addMeant(row.told(), measured.get(i), row.meaning());
    }
  }
}
