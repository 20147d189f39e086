package io.gpureclaimer.exporter.http.status;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.exporter.activity.Observation;
import io.gpureclaimer.exporter.exposition.Shown;
import io.gpureclaimer.exporter.http.status.Html.Cell;
import io.gpureclaimer.exporter.sample.Holder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A row for each container that holds a device, with what the ledger says of it; in the order of
 * the devices, and under their names, so that one finds the one from the other.
 */
final class HolderRows {
  private static final int UNKNOWN = Integer.MAX_VALUE;
  private static final int WHOLE = -1;

  private HolderRows() {}

  static List<List<Cell>> of(Shown shown) {
    var indices = new HashMap<GpuUuid, Integer>();
    shown
        .snapshot()
        .gpus()
        .forEach(sample -> sample.gpu().ifPresent(gpu -> indices.put(gpu.uuid(), gpu.index())));
    var rows = new ArrayList<List<Cell>>();
    shown.snapshot().holders().entrySet().stream()
        .sorted(Map.Entry.comparingByKey(inOrder(indices)))
        .forEach(held -> addHolders(shown, name(held.getKey(), indices), held, rows));
    return rows;
  }

  private static Comparator<Entity> inOrder(Map<GpuUuid, Integer> indices) {
    return Comparator.<Entity>comparingInt(device -> indices.getOrDefault(device.gpu(), UNKNOWN))
        .thenComparing(device -> device.gpu().value())
        .thenComparingInt(device -> device.instanceId().orElse(WHOLE));
  }

  private static String name(Entity device, Map<GpuUuid, Integer> indices) {
    Integer index = indices.get(device.gpu());
    if (index == null) {
      return device.toString();
    }
    return device
        .instanceId()
        .map(instance -> DeviceRows.name(index, instance))
        .orElseGet(() -> DeviceRows.name(index, device.gpu()));
  }

  private static void addHolders(
      Shown shown, String name, Map.Entry<Entity, List<Holder>> held, List<List<Cell>> into) {
    for (Holder holder : held.getValue()) {
      var observed = observationOf(shown, held.getKey(), holder);
      into.add(
          List.of(
              Cell.plain(name),
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
