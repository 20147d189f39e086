package io.gpureclaimer.reclaimer.execution;

import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.PodPhase;
import io.gpureclaimer.reclaimer.cluster.PodView.Waiting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Nominates, for pending pods, the nodes on which GPUs are freed for them: {@code
 * status.nominatedNodeName}. The scheduler tries that node first, and counts the pod there while it
 * places pods of the same or a lower priority. It clears the field whenever it tries the pod and
 * finds no room, so the field is written again until the pod has a node, or no longer has a claim
 * to the GPUs. What the scheduler has nominated itself stays. Safe for use by several threads.
 */
public final class NominatedNodes {
  private static final Logger log = LoggerFactory.getLogger(NominatedNodes.class);

  private final Cluster cluster;
  private final Leadership leadership;
  private final boolean enabled;
  private Map<PodRef, String> wanted = Map.of();

  /** Those that this replica wrote and has not seen ended. */
  private final Map<PodRef, String> written = new HashMap<>();

  private boolean failing;

  /**
   * @param enabled whether anything is written
   */
  public NominatedNodes(Cluster cluster, Leadership leadership, boolean enabled) {
    this.cluster = cluster;
    this.leadership = leadership;
    this.enabled = enabled;
  }

  /**
   * Nominates these from now on, and no others.
   *
   * @param nodes by pending pod
   */
  public synchronized void set(Map<PodRef, String> nodes) {
    wanted = enabled ? Map.copyOf(nodes) : Map.of();
    update();
  }

  /** Writes what is missing, and clears what is over. */
  public synchronized void update() {
    if (!leadership.isHeld() || (wanted.isEmpty() && written.isEmpty())) {
      return;
    }
    List<String> refusals = new ArrayList<>();
    try {
      wanted.forEach((pod, node) -> nominate(pod, node, refusals));
      Map.copyOf(written).forEach((pod, node) -> clearIfOver(pod, node, refusals));
    } catch (ClusterUnreachable e) {
      refusals.add(String.valueOf(e.getMessage()));
    }
    report(refusals);
  }

  private void nominate(PodRef pod, String node, List<String> refusals) {
    Optional<PodView> pending = pending(pod);
    if (pending.isEmpty() || nominated(pending.get()).isPresent()) {
      return;
    }
    if (write(pending.get(), Optional.empty(), Optional.of(node), refusals)
        && !node.equals(written.put(pod, node))) {
      log.info("pod {}: nominated node {}, where GPUs are freed for it", pod, node);
    }
  }

  private void clearIfOver(PodRef pod, String node, List<String> refusals) {
    if (node.equals(wanted.get(pod))) {
      return;
    }
    Optional<PodView> ours =
        pending(pod).filter(found -> nominated(found).equals(Optional.of(node)));
    if (ours.isEmpty() || write(ours.get(), Optional.of(node), Optional.empty(), refusals)) {
      written.remove(pod);
    }
  }

  private Optional<PodView> pending(PodRef pod) {
    return cluster
        .lastKnown(pod)
        .filter(found -> found.node().isEmpty() && found.phase() == PodPhase.PENDING)
        .filter(found -> found.waiting().isPresent() && !found.terminating());
  }

  private static Optional<String> nominated(PodView pod) {
    return pod.waiting().flatMap(Waiting::nominatedNode);
  }

  /** Whether it was written; a pod that changed in the last moment is read again the next time. */
  private boolean write(
      PodView pod, Optional<String> former, Optional<String> node, List<String> refusals) {
    var change =
        new FieldChange(
            ObjectRef.of(pod.ref()),
            FieldChange.STATUS,
            FieldChange.NOMINATED_NODE,
            former.map(NominatedNodes::json),
            node.map(NominatedNodes::json));
    ActionResult result = cluster.change(List.of(change), pod.resourceVersion(), false);
    switch (result) {
      case ActionResult.Failed(var why) -> refusals.add("pod " + pod.ref() + ": " + why);
      case ActionResult.Blocked(_, var why) -> refusals.add("pod " + pod.ref() + ": " + why);
      case ActionResult.Done _,
          ActionResult.Skipped _,
          ActionResult.DryRun _,
          ActionResult.Awaiting _,
          ActionResult.NotLeading _ -> {}
    }
    return result instanceof ActionResult.Done;
  }

  private static String json(String name) {
    return "\"" + name + "\"";
  }

  /** Only changes: this is tried every second. */
  private void report(List<String> refusals) {
    if (failing == refusals.isEmpty()) {
      if (failing) {
        log.info("nominated nodes of pending pods are written again");
      } else {
        log.warn("nominated node not written: {}", refusals.getFirst());
      }
      failing = !failing;
    }
  }
}
