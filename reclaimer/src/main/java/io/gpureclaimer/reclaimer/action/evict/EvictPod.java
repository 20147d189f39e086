package io.gpureclaimer.reclaimer.action.evict;

import io.gpureclaimer.reclaimer.action.Action;
import io.gpureclaimer.reclaimer.action.OwnerAction;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.workload.Workload;

/**
 * Evicts a pod through the Eviction API. Only a pod without an owner and a group: an owner would
 * recreate the pod, and the new one would take a GPU again; the rest of a group would wait for it
 * in vain.
 */
public record EvictPod() implements Action.Evict {
  /** Code of the refusal of a pod that its owner would recreate. */
  public static final String OWNED = "owner-would-recreate";

  @Override
  public String name() {
    return "evict";
  }

  @Override
  public String participle() {
    return "evicted";
  }

  @Override
  public ActionCheck check(Workload workload) {
    return workload
        .unread()
        .<ActionCheck>map(OwnerAction::unread)
        .or(
            () ->
                workload
                    .owner()
                    .map(
                        owner ->
                            refused(
                                OWNED,
                                owner + " would recreate its pods",
                                owner
                                    + " would recreate an evicted pod, which would take a GPU"
                                    + " again")))
        .or(
            () ->
                workload
                    .group()
                    .map(
                        group ->
                            refused(
                                "group-of-pods",
                                "its pods belong to the group " + group,
                                "its pods belong to the group "
                                    + group
                                    + ", and groups are not acted on")))
        .orElseGet(() -> new ActionCheck.Possible(this));
  }

  @Override
  public ActionResult evict(Cluster cluster, Workload workload, boolean dryRun) {
    return cluster.evict(workload.firstPod(), dryRun);
  }

  @Override
  public String wayBack(Workload workload) {
    PodTraits traits = workload.firstPod().traits();
    return "singleuser-server".equals(traits.labels().get("component"))
        ? "The reclaimer cannot restore a server of JupyterHub. Its user starts it again on the"
            + " page of the hub; its volumes are kept."
        : "The reclaimer cannot restore an evicted pod. To get pod "
            + workload.firstPod().ref()
            + " back, create it again from its manifest.";
  }

  private static ActionCheck refused(String code, String obstacle, String reason) {
    return new ActionCheck.Refused(code, obstacle, reason);
  }
}
