package io.gpureclaimer.reclaimer.reclamation;

import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamations;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports the records that cannot be read, once each. Confined to the thread of the cycle. */
final class RecordHousekeeping {
  private static final Logger log = LoggerFactory.getLogger(RecordHousekeeping.class);

  private final Cluster cluster;
  private final Leadership leadership;
  private Set<String> reported = Set.of();

  RecordHousekeeping(Cluster cluster, Leadership leadership) {
    this.cluster = cluster;
    this.leadership = leadership;
  }

  void run(ClusterView view) {
    view.records().ifPresent(this::reportUnreadable);
  }

  private void reportUnreadable(Reclamations records) {
    Set<String> now = new HashSet<>();
    for (Reclamation record : records.unreadable()) {
      String why = record.unreadable().orElseThrow().why();
      now.add(record.uid() + why);
      if (leadership.isHeld() && !reported.contains(record.uid() + why)) {
        log.warn("{} cannot be read, no action on its owner: {}", record.ref(), why);
        cluster.tell(
            record.ref(),
            new Notice(
                "GPUReclamationUnreadable",
                "This record cannot be read, so the reclaimer neither restores its owner nor acts"
                    + " on it: "
                    + why
                    + ". Correct the record, or restore the owner and delete the record.",
                true));
      }
    }
    reported = now;
  }
}
