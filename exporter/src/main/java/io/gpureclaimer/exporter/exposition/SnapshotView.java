package io.gpureclaimer.exporter.exposition;

import io.gpureclaimer.exporter.activity.DeviceObservation;
import io.gpureclaimer.exporter.attribution.SourceState;
import io.gpureclaimer.exporter.exposition.own.UnmatchedConfig;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.time.Duration;
import java.util.List;

/**
 * Last pass, for people.
 *
 * @param snapshot the devices and their holders
 * @param unmatched what is selected and does not exist
 * @param ledger who was observed
 * @param source how the source of the holders is
 * @param age how long ago the pass began
 * @param stale whether that is too long ago for it to be served as metrics
 */
public record SnapshotView(
    Snapshot snapshot,
    UnmatchedConfig unmatched,
    List<DeviceObservation> ledger,
    SourceState source,
    Duration age,
    boolean stale) {
  public SnapshotView {
    ledger = List.copyOf(ledger);
  }
}
