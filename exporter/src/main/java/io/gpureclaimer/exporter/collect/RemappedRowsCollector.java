package io.gpureclaimer.exporter.collect;

import static io.gpureclaimer.core.vocabulary.DcgmField.DEV_CORRECTABLE_REMAPPED_ROWS;
import static io.gpureclaimer.core.vocabulary.DcgmField.DEV_ROW_REMAP_FAILURE;
import static io.gpureclaimer.core.vocabulary.DcgmField.DEV_UNCORRECTABLE_REMAPPED_ROWS;

import io.gpureclaimer.core.vocabulary.DcgmField;
import jakarta.inject.Singleton;
import java.util.Set;

/** Rows of memory that were replaced by spare ones. */
@Singleton
final class RemappedRowsCollector implements Collector {
  @Override
  public String name() {
    return "remapped_rows";
  }

  @Override
  public Set<DcgmField> tells() {
    return Set.of(
        DEV_UNCORRECTABLE_REMAPPED_ROWS, DEV_CORRECTABLE_REMAPPED_ROWS, DEV_ROW_REMAP_FAILURE);
  }

  @Override
  public void collect(Device device, Readings into) {
    into.take(
        device.nvml().remappedRows(device.handle()),
        tells(),
        rows -> {
          into.put(DEV_UNCORRECTABLE_REMAPPED_ROWS, rows.uncorrectable());
          into.put(DEV_CORRECTABLE_REMAPPED_ROWS, rows.correctable());
          into.put(DEV_ROW_REMAP_FAILURE, rows.failureOccurred() ? 1 : 0);
        });
  }
}
