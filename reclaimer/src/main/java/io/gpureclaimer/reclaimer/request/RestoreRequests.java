package io.gpureclaimer.reclaimer.request;

import io.gpureclaimer.reclaimer.access.AccessControl;
import io.gpureclaimer.reclaimer.cluster.AccessReviews.ApiUser;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.RecordAccess;
import io.gpureclaimer.reclaimer.request.RequestReply.RequestOutcome;
import java.time.Clock;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests the restoration of reclaimed owners for people: sets {@code spec.restore} of the record.
 * Safe for several threads.
 */
public final class RestoreRequests {
  private static final Logger log = LoggerFactory.getLogger(RestoreRequests.class);

  private final Cluster cluster;
  private final RecordAccess records;
  private final AccessControl access;
  private final Clock clock;
  private final boolean dryRun;

  public RestoreRequests(
      Cluster cluster, RecordAccess records, AccessControl access, Clock clock, boolean dryRun) {
    this.cluster = cluster;
    this.records = records;
    this.access = access;
    this.clock = clock;
    this.dryRun = dryRun;
  }

  /** Whether the owner of a record can be restored. */
  public static boolean isOpen(Reclamation record) {
    return record
        .status()
        .filter(progress -> !progress.state().isFinal() && !progress.isEviction())
        .isPresent();
  }

  /** Requests the restoration of the owner of a record. */
  public RequestReply restore(Reclamation record, ApiUser person) {
    Optional<ReclamationProgress> progress = record.status();
    if (progress.isEmpty()) {
      return new RequestReply(
          RequestOutcome.REFUSED,
          "The record " + record.name() + " cannot be read. To restore: " + record.howToRestore());
    }
    ObjectRef owner = progress.get().owner();
    if (!access.mayChange(person, owner)) {
      return new RequestReply(
          RequestOutcome.FORBIDDEN, person.name() + " may not change " + owner + ".");
    }
    if (!isOpen(record)) {
      return new RequestReply(
          RequestOutcome.REFUSED,
          owner
              + " cannot be restored from this record. "
              + progress.get().state().text()
              + ": "
              + progress.get().message());
    }
    if (record.request().wantsRestore(clock.instant())) {
      return new RequestReply(
          RequestOutcome.ACCEPTED, "The restoration of " + owner + " is requested already.");
    }
    if (dryRun) {
      return new RequestReply(RequestOutcome.REFUSED, "Nothing is written in a dry run.");
    }
    log.info("restore requested, {}: user={}, record={}", owner, person.name(), record.name());
    ActionResult result = records.requestRestore(record, false);
    if (!(result instanceof ActionResult.Done)) {
      log.warn("restore not requested, {}: {}", owner, KeepRequests.why(result));
      return new RequestReply(
          RequestOutcome.FAILED,
          "The record was not changed: "
              + KeepRequests.why(result)
              + ". To restore: "
              + record.howToRestore());
    }
    cluster.recordEvent(
        owner,
        new Notice("GPURestoreRequested", person.name() + " requested its restoration.", false));
    return new RequestReply(
        RequestOutcome.ACCEPTED,
        owner
            + " is restored in the next cycle. Its pods then need "
            + gpus(progress.get().devices())
            + ", and are pending until they are free.");
  }

  private static String gpus(int devices) {
    return devices + (devices == 1 ? " free GPU" : " free GPUs");
  }
}
