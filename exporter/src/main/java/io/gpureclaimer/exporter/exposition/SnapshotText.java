package io.gpureclaimer.exporter.exposition;

import io.gpureclaimer.exporter.activity.Observation;
import io.gpureclaimer.exporter.counters.CounterSet;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.util.List;

/**
 * A whole answer: the device series, the ledger, what containers use, and what the agent says about
 * itself. Confined to the thread that renders.
 */
final class SnapshotText {
  private final DcgmText devices;
  private final LedgerText ledger = new LedgerText();
  private final UseText uses = new UseText();
  private final TextBuffer buffer = new TextBuffer();

  SnapshotText(Style style) {
    this.devices = new DcgmText(style);
  }

  byte[] render(
      Snapshot snapshot, CounterSet counters, List<Observation> observations, byte[] ownMetrics) {
    buffer.clear();
    devices.render(snapshot, counters, buffer);
    ledger.render(snapshot, observations, buffer);
    uses.render(snapshot, buffer);
    return buffer.append(ownMetrics).toByteArray();
  }
}
