package io.gpureclaimer.exporter.http.status;

import io.gpureclaimer.exporter.exposition.Hearing;
import io.gpureclaimer.exporter.http.status.Html.Cell;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.Load;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What the driver refuses to tell of GPUs that answer, and what is not known for that. */
final class RefusedRows {
  private RefusedRows() {}

  static List<List<Cell>> of(Snapshot snapshot, Hearing hearing) {
    var rows = new ArrayList<List<Cell>>();
    rows.addAll(
        rows(
            snapshot,
            "utilization samples",
            "where they are a sign of work, its holders are not observed",
            RefusedRows::whyNoSamples));
    rows.addAll(
        rows(
            snapshot,
            "XIDs",
            "none is heard, and none is said to be 0",
            gpu -> hearing.whyUnheard(gpu.device().uuid())));
    return rows;
  }

  private static Optional<String> whyNoSamples(Answered gpu) {
    return gpu.load() instanceof Load.Failed(var reason) ? Optional.of(reason) : Optional.empty();
  }

  /** One for each reason, with all the GPUs of which it is told. */
  private static List<List<Cell>> rows(
      Snapshot snapshot,
      String source,
      String consequence,
      Function<Answered, Optional<String>> whyNot) {
    Map<String, List<String>> byReason = new TreeMap<>();
    for (var sample : snapshot.gpus()) {
      if (sample instanceof Answered gpu) {
        whyNot
            .apply(gpu)
            .ifPresent(
                why ->
                    byReason
                        .computeIfAbsent(why, _ -> new ArrayList<>())
                        .add(Integer.toString(gpu.index())));
      }
    }
    return byReason.entrySet().stream()
        .map(
            one ->
                SourceRows.row(
                    source,
                    Cell.bad("refused"),
                    "of GPU "
                        + one.getValue().stream().collect(Collectors.joining(", "))
                        + ": "
                        + one.getKey()
                        + "; "
                        + consequence))
        .toList();
  }
}
