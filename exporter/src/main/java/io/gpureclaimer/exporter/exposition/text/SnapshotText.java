package io.gpureclaimer.exporter.exposition.text;

import io.gpureclaimer.exporter.activity.DeviceObservation;
import io.gpureclaimer.exporter.counters.CounterSet;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.util.List;

/**
 * Complete scrape: device series, ledger, container usage and own metrics. Not safe for use by
 * several threads at once.
 */
public final class SnapshotText {
  private final DcgmText devices;
  private final LedgerText ledger = new LedgerText();
  private final ContainerUsageText uses = new ContainerUsageText();
  private final TextBuffer buffer = new TextBuffer();

  public SnapshotText(SeriesStyle style) {
    this.devices = new DcgmText(style);
  }

  /** All that the snapshot saw. */
  public TextBuffer render(
      Snapshot snapshot,
      CounterSet counters,
      List<DeviceObservation> observations,
      byte[] ownMetrics) {
    return render(snapshot, snapshot, counters, observations, ownMetrics);
  }

  /**
   * Writes down a snapshot. What is returned is overwritten by the next one.
   *
   * @param seen all that it saw, which is what the ledger is about
   * @param selected the devices whose series are served
   */
  public TextBuffer render(
      Snapshot seen,
      Snapshot selected,
      CounterSet counters,
      List<DeviceObservation> observations,
      byte[] ownMetrics) {
    buffer.clear();
    devices.render(selected, counters, buffer);
    ledger.render(seen, observations, buffer);
    uses.render(seen, buffer);
    return buffer.append(ownMetrics);
  }
}
