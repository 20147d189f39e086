package io.gpureclaimer.exporter.exposition;

import io.gpureclaimer.exporter.activity.Observation;
import io.gpureclaimer.exporter.attribution.SourceState;
import io.gpureclaimer.exporter.counters.CounterSet;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.util.List;

/**
 * All that is told of one sampling pass.
 *
 * @param snapshot all that was seen, which is what the ledger is about
 * @param selected the same, with those devices only whose series are served
 * @param counters what is served of them
 * @param ledger who was observed
 * @param source how the source of the holders is
 */
record Edition(
    Snapshot snapshot,
    Snapshot selected,
    CounterSet counters,
    List<Observation> ledger,
    SourceState source) {
  Edition {
    ledger = List.copyOf(ledger);
  }
}
