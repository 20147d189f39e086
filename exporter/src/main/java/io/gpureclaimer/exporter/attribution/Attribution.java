package io.gpureclaimer.exporter.attribution;

import io.gpureclaimer.core.device.Entity;
import io.gpureclaimer.exporter.sample.Holder;
import java.util.List;
import java.util.Map;

/**
 * What a source knows about who holds which device.
 *
 * @param holders by device; a device that has no entry is held by nobody, or nobody knows by whom
 * @param source how the source is
 */
public record Attribution(Map<Entity, List<Holder>> holders, SourceState source) {
  public Attribution {
    holders = Map.copyOf(holders);
  }
}
