package io.gpureclaimer.reclaimer.reclamation;

import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamations;
import java.time.Clock;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the records that are over and no longer count, and reports those that cannot be read,
 * once each. Confined to the thread of the cycle.
 */
final class RecordCleanup {
  private static final Logger log = LoggerFactory.getLogger(RecordCleanup.class);

  /** So many records are deleted in one cycle. */
  static final int MOST_DELETED = 20;

  private final Cluster cluster;
  private final Leadership leadership;
  private final Clock clock;
  private Set<String> reported = Set.of();
  private Optional<String> refused = Optional.empty();

  RecordCleanup(Cluster cluster, Leadership leadership, Clock clock) {
    this.cluster = cluster;
    this.leadership = leadership;
    this.clock = clock;
  }

  void run(ClusterView view) {
    view.records().ifPresent(this::reportUnreadable);
    view.reclamations().ifPresent(this::deletePast);
  }

  private void reportUnreadable(Reclamations records) {
    Set<String> now = new HashSet<>();
    for (Reclamation record : records.unreadable()) {
      String why = record.unreadable().orElseThrow().why();
      now.add(record.uid() + why);
      if (leadership.isHeld() && !reported.contains(record.uid() + why)) {
        log.warn("{} cannot be read, no action on its owner: {}", record.ref(), why);
        cluster.recordEvent(
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

  /** What is not deleted now is deleted in a later cycle: no action waits for it. */
  private void deletePast(List<Reclamation> records) {
    Instant now = clock.instant();
    List<Reclamation> past =
        records.stream().filter(record -> record.isPast(now)).limit(MOST_DELETED).toList();
    for (Reclamation record : past) {
      if (!leadership.isHeld()) {
        return;
      }
      ActionResult result = cluster.delete(record);
      if (result instanceof ActionResult.Done) {
        log.info(
            "{} deleted, its action is over for more than {} days",
            record.ref(),
            Reclamation.COUNTS_FOR.toDays());
      } else if (!(result instanceof ActionResult.Skipped)) {
        // One that is gone or was edited meanwhile is seen in the next cycle.
        RecordSteps.refusal(result).ifPresent(this::notDeleted);
        return;
      }
    }
    refused = Optional.empty();
  }

  /** The same refusal is not logged in every cycle. */
  void notDeleted(String why) {
    if (!refused.equals(Optional.of(why))) {
      log.warn("old records cannot be deleted, the next cycle tries again: {}", why);
    }
    refused = Optional.of(why);
  }
}
