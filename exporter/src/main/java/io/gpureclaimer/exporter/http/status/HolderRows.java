package io.gpureclaimer.exporter.http.status;

import io.gpureclaimer.core.device.Entity;
import io.gpureclaimer.exporter.activity.Observation;
import io.gpureclaimer.exporter.exposition.Shown;
import io.gpureclaimer.exporter.http.status.Html.Cell;
import io.gpureclaimer.exporter.sample.Holder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A row for each container that holds a device, with what the ledger says of it. */
final class HolderRows {
  private HolderRows() {}

  static List<List<Cell>> of(Shown shown) {
    var rows = new ArrayList<List<Cell>>();
    shown.snapshot().holders().entrySet().stream()
        .sorted(Comparator.comparing(entry -> entry.getKey().toString()))
        .forEach(entry -> addHolders(shown, entry, rows));
    return rows;
  }

  private static void addHolders(
      Shown shown, Map.Entry<Entity, List<Holder>> held, List<List<Cell>> into) {
    for (Holder holder : held.getValue()) {
      var observed = observationOf(shown, held.getKey(), holder);
      into.add(
          List.of(
              Cell.plain(held.getKey().toString()),
              Cell.plain(holder.namespace() + "/" + holder.pod()),
              Cell.plain(holder.container()),
              Cell.plain(observed.map(seen -> lastActive(shown, seen)).orElse("not observed")),
              Cell.plain(
                  observed
                      .map(seen -> Ages.of(Duration.between(seen.since(), seen.until())))
                      .orElse("–"))));
    }
  }

  private static String lastActive(Shown shown, Observation seen) {
    return seen.lastActive()
        .map(at -> Ages.of(Duration.between(at, shown.snapshot().at())) + " ago")
        .orElse("not since it is observed");
  }

  private static Optional<Observation> observationOf(Shown shown, Entity device, Holder holder) {
    return shown.ledger().stream()
        .filter(seen -> seen.holder().equals(holder))
        .filter(seen -> seen.device().equals(device))
        .findFirst();
  }
}
