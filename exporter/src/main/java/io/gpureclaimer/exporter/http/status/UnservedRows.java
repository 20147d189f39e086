package io.gpureclaimer.exporter.http.status;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.counters.Counter;
import io.gpureclaimer.exporter.counters.Skipped;
import io.gpureclaimer.exporter.exposition.Shown;
import io.gpureclaimer.exporter.http.status.Html.Cell;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.Reading;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What the counters file asks for and nobody gets, with the reason. */
final class UnservedRows {
  private UnservedRows() {}

  static List<List<Cell>> of(Shown shown) {
    var rows = new ArrayList<List<Cell>>();
    for (Skipped skipped : shown.counters().skipped()) {
      rows.add(row("line " + skipped.line() + ": " + skipped.name(), skipped.reason()));
    }
    var told = new HashSet<DcgmField>();
    var failed = new HashSet<DcgmField>();
    for (var sample : shown.snapshot().gpus()) {
      if (sample instanceof Answered answered) {
        readings(answered).map(Reading::field).forEach(told::add);
        failed.addAll(answered.failed());
        answered.instances().forEach(part -> failed.addAll(part.failed()));
      }
    }
    for (Counter counter : shown.counters().counters()) {
      if (!told.contains(counter.field())) {
        rows.add(row(counter.name(), reason(counter, failed)));
      }
    }
    return rows;
  }

  private static Stream<Reading> readings(Answered answered) {
    return Stream.concat(
        answered.readings().stream(),
        answered.instances().stream().flatMap(part -> part.readings().stream()));
  }

  private static String reason(Counter counter, Set<DcgmField> failed) {
    return failed.contains(counter.field())
        ? "the driver failed to tell it"
        : "no device of this node tells it; it is " + counter.field().source().reason();
  }

  private static List<Cell> row(String name, String reason) {
    return List.of(Cell.plain(name), Cell.plain(reason));
  }
}
