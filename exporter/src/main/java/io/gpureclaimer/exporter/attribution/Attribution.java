package io.gpureclaimer.exporter.attribution;

import io.gpureclaimer.core.device.GpuUuid;
import io.gpureclaimer.exporter.sample.Holder;
import java.util.List;
import java.util.Map;

/**
 * What a source knows about who holds which device.
 *
 * @param holders by device; a device that nobody holds has no entry
 * @param reload how the source's last reading of its file went
 */
public record Attribution(Map<GpuUuid, List<Holder>> holders, Reload reload) {
  public Attribution {
    holders = Map.copyOf(holders);
  }

  /** How the last reading of the pods file went. */
  public enum Reload {
    /** There is no file to read. */
    NOT_CONFIGURED,
    /** The holders are what the file says. */
    SUCCEEDED,
    /** The holders are what the file said when it last could be understood. */
    FAILED
  }
}
