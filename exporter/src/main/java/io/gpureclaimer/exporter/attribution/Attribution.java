package io.gpureclaimer.exporter.attribution;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.exporter.sample.DeviceAssignment;
import io.gpureclaimer.exporter.sample.Holder;
import java.util.List;
import java.util.Map;

/**
 * Allocations of devices, as reported by one source.
 *
 * @param holdings by device; a device without an entry is not held, or its holder is unknown
 * @param unplaced holders of a device that is not identified; once for each such device
 * @param pods what was known of the pods on this node when the holders were read
 * @param source how the source is
 */
public record Attribution(
    Map<Entity, List<DeviceAssignment>> holdings,
    List<Holder> unplaced,
    NodePods.KnownPods pods,
    SourceState source) {
  public Attribution {
    holdings = Map.copyOf(holdings);
    unplaced = List.copyOf(unplaced);
  }

  /** Every device that is held is one of this node. */
  public Attribution(
      Map<Entity, List<DeviceAssignment>> holdings, NodePods.KnownPods pods, SourceState source) {
    this(holdings, List.of(), pods, source);
  }

  /** Nothing more is known of the pods. */
  public Attribution(Map<Entity, List<DeviceAssignment>> holdings, SourceState source) {
    this(holdings, List.of(), NodePods.NOTHING, source);
  }
}
