package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static io.gpureclaimer.reclaimer.cluster.VolcanoJob.ABORTED;
import static io.gpureclaimer.reclaimer.cluster.VolcanoJob.ABORTING;
import static io.gpureclaimer.reclaimer.cluster.VolcanoJob.PHASE;
import static io.gpureclaimer.reclaimer.cluster.VolcanoJob.RESTARTING;

import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable.ObjectUnreadable;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.VolcanoJob;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Aborts and resumes Jobs of Volcano by its Commands. Volcano deletes a Command and then carries it
 * out. The name has the UID of the Job, so there is one of each sort at most. Safe for use by
 * several threads.
 */
final class CommandApi {
  private static final ObjectKind KIND = new ObjectKind("bus.volcano.sh/v1alpha1", "Command");

  private final ApiServer api;
  private final Discovery discovery;

  CommandApi(ApiServer api, Discovery discovery) {
    this.api = api;
    this.discovery = discovery;
  }

  private enum VolcanoCommand {
    ABORT("AbortJob"),
    RESUME("ResumeJob");

    private final String action;

    VolcanoCommand(String action) {
      this.action = action;
    }

    VolcanoCommand opposite() {
      return this == ABORT ? RESUME : ABORT;
    }

    String name(ObjectRef job) {
      return "gpu-reclaimer-" + name().toLowerCase(Locale.ROOT) + "-" + job.uid();
    }
  }

  /**
   * The Job with the phase to which a Command that waits for Volcano leads.
   *
   * @throws ObjectUnreadable if the API server does not say whether there is one
   */
  OwnerView foreseen(OwnerView job) {
    return job.details()
        .flatMap(details -> details.field(PHASE))
        .filter(VolcanoJob::obeysCommands)
        .map(
            phase -> {
              boolean aborted = VolcanoJob.lasting(phase).equals(ABORTED);
              return isWaiting(aborted ? VolcanoCommand.RESUME : VolcanoCommand.ABORT, job.ref())
                  ? job.with(Map.of(PHASE, aborted ? RESTARTING : ABORTING))
                  : job;
            })
        .orElse(job);
  }

  private boolean isWaiting(VolcanoCommand command, ObjectRef job) {
    ApiReply reply = api.get(folder(job) + "/" + command.name(job));
    if (!reply.ok() && (reply.code() != ApiReply.NOT_FOUND || api.isUnknownPath(reply))) {
      throw new ObjectUnreadable(
          "get Command " + command.name(job),
          "expected it or none, got " + reply.code() + ": " + api.message(reply));
    }
    return reply.ok();
  }

  /**
   * Asks Volcano for a phase of a Job, unless it has not taken the opposite Command yet: it takes
   * Commands in no certain order.
   *
   * @param refusal result for an answer that is neither positive nor explained here
   */
  ActionResult request(
      FieldChange change, boolean dryRun, BiFunction<ApiReply, ObjectRef, ActionResult> refusal) {
    ObjectRef job = change.object();
    VolcanoCommand command =
        change.written().filter(ABORTED::equals).isPresent()
            ? VolcanoCommand.ABORT
            : VolcanoCommand.RESUME;
    if (isWaiting(command.opposite(), job)) {
      return new ActionResult.Skipped(
          "Volcano has not taken the Command "
              + command.opposite().name(job)
              + " yet; without it, the Job stays as it is");
    }
    ApiReply reply = api.post(folder(job) + (dryRun ? "?dryRun=All" : ""), body(command, job));
    // The same Command waits already.
    if (!reply.ok() && reply.code() != ApiReply.CONFLICT) {
      return refusal.apply(reply, job);
    }
    return dryRun ? new ActionResult.DryRun() : new ActionResult.Done();
  }

  private static Map<String, Object> body(VolcanoCommand command, ObjectRef job) {
    Map<String, Object> target =
        Map.of(
            "apiVersion", job.apiVersion(),
            "kind", job.kind(),
            "name", job.name(),
            "uid", job.uid(),
            "controller", true);
    return Map.of(
        "apiVersion",
        KIND.apiVersion(),
        "kind",
        KIND.name(),
        "metadata",
        Map.of("name", command.name(job), "ownerReferences", List.of(target)),
        "action",
        command.action,
        "target",
        target,
        "reason",
        FieldChange.MANAGER);
  }

  private String folder(ObjectRef job) {
    return "/apis/"
        + KIND.apiVersion()
        + "/namespaces/"
        + job.namespace()
        + "/"
        + discovery.find(KIND).getPlural();
  }
}
