package io.gpureclaimer.exporter.attribution;

import io.gpureclaimer.core.device.Entity;
import io.gpureclaimer.exporter.sample.Holding;
import java.util.List;
import java.util.Map;

/**
 * What a source knows about who holds which device.
 *
 * @param holdings by device; a device that has no entry is held by nobody, or nobody knows by whom
 * @param pods what was known of the pods on this node when the holders were told
 * @param source how the source is
 */
public record Attribution(
    Map<Entity, List<Holding>> holdings, PodRegister.Known pods, SourceState source) {
  public Attribution {
    holdings = Map.copyOf(holdings);
  }

  /** Nothing is known of the pods besides. */
  public Attribution(Map<Entity, List<Holding>> holdings, SourceState source) {
    this(holdings, PodRegister.NOTHING, source);
  }
}
