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
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Nominates, for pending pods, the nodes on which GPUs are freed for them: {@code
 * status.nominatedNodeName}. The scheduler tries that node first, and counts the pod there while it
 * places pods of the same or a lower priority. It clears the field whenever it tries the pod and
 * finds no room, so the field is written again until the pod has a node, or no longer has a claim
 * to the GPUs.
 *
 * <p>The API server notes who wrote the field, so this has no state of its own: what another leader
 * wrote is cleared, and what the scheduler nominates stays.
 *
 * <p>One thread says what is wanted, and another one writes.
 */
public final class NominatedNodes {
  private static final Logger log = LoggerFactory.getLogger(NominatedNodes.class);
  private static final WantedNodes NONE = new WantedNodes(Map.of(), List.of(), Instant.MIN);

  private final Cluster cluster;
  private final Leadership leadership;
  private final InstantSource clock;
  private final boolean enabled;
  private final Duration wantedFor;
  private final AtomicReference<WantedNodes> wanted = new AtomicReference<>(NONE);
  private boolean failing;

  /**
   * Nodes to nominate.
   *
   * @param nodes by pending pod
   * @param over pods with a nomination that is no longer wanted
   * @param until when this is forgotten, unless a cycle says it again
   */
  private record WantedNodes(Map<PodRef, String> nodes, List<PodRef> over, Instant until) {
    boolean isEmpty() {
      return nodes.isEmpty() && over.isEmpty();
    }
  }

  /**
   * @param enabled whether anything is written
   * @param wantedFor how long a node is nominated again if no further cycle wants it
   */
  public NominatedNodes(
      Cluster cluster,
      Leadership leadership,
      InstantSource clock,
      boolean enabled,
      Duration wantedFor) {
    this.cluster = cluster;
    this.leadership = leadership;
    this.clock = clock;
    this.enabled = enabled;
    this.wantedFor = wantedFor;
  }

  /**
   * Nominates these from now on, and no others. Writes nothing itself.
   *
   * @param nodes by pending pod
   * @param pods all there are
   */
  public void set(Map<PodRef, String> nodes, Collection<PodView> pods) {
    if (enabled) {
      List<PodRef> over =
          pods.stream()
              .filter(
                  pod -> own(pod).filter(node -> !node.equals(nodes.get(pod.ref()))).isPresent())
              .map(PodView::ref)
              .toList();
      wanted.set(new WantedNodes(Map.copyOf(nodes), over, clock.instant().plus(wantedFor)));
    }
  }

  /** Writes what is missing, and clears what is over. Called by one thread. */
  public void update() {
    WantedNodes now = wanted.get();
    if (now.isEmpty()) {
      return;
    }
    if (!leadership.isHeld() || clock.instant().isAfter(now.until())) {
      wanted.compareAndSet(now, NONE);
      return;
    }
    report(refusal(now));
  }

  /** Why something was not written; the rest is tried the next time. */
  private Optional<String> refusal(WantedNodes now) {
    try {
      for (PodRef pod : now.over()) {
        Optional<String> refusal = clear(pod, Optional.ofNullable(now.nodes().get(pod)));
        if (refusal.isPresent()) {
          return refusal;
        }
      }
      for (Map.Entry<PodRef, String> each : now.nodes().entrySet()) {
        Optional<String> refusal = nominate(each.getKey(), each.getValue());
        if (refusal.isPresent()) {
          return refusal;
        }
      }
      return Optional.empty();
    } catch (ClusterUnreachable e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private Optional<String> clear(PodRef pod, Optional<String> unless) {
    Optional<PodView> found = pending(pod).filter(view -> !own(view).equals(unless));
    Optional<String> node = found.flatMap(NominatedNodes::own);
    return node.flatMap(_ -> write(found.orElseThrow(), node, Optional.empty()));
  }

  /** The scheduler does not count devices of claims for nominated pods. */
  private Optional<String> nominate(PodRef pod, String node) {
    return pending(pod)
        .filter(view -> view.accelerators().requestedByClaims().isEmpty())
        .filter(view -> view.waiting().flatMap(Waiting::nominatedNode).isEmpty())
        .filter(view -> own(view).isEmpty())
        .flatMap(view -> write(view, Optional.empty(), Optional.of(node)));
  }

  private Optional<PodView> pending(PodRef pod) {
    return cluster
        .lastKnown(pod)
        .filter(found -> found.node().isEmpty() && found.phase() == PodPhase.PENDING)
        .filter(found -> found.waiting().isPresent() && !found.terminating());
  }

  private static Optional<String> own(PodView pod) {
    return pod.waiting().flatMap(Waiting::ownNominatedNode);
  }

  /** Why it was not written; a pod that changed in the last moment is read again the next time. */
  private Optional<String> write(PodView pod, Optional<String> former, Optional<String> node) {
    if (!leadership.isHeld()) {
      return Optional.empty();
    }
    var change =
        new FieldChange(
            ObjectRef.of(pod.ref()),
            FieldChange.STATUS,
            FieldChange.NOMINATED_NODE,
            former.map(NominatedNodes::json),
            node.map(NominatedNodes::json));
    return switch (cluster.change(List.of(change), pod.resourceVersion(), false)) {
      case ActionResult.Failed(var why) -> Optional.of("pod " + pod.ref() + ": " + why);
      case ActionResult.Blocked(_, var why) -> Optional.of("pod " + pod.ref() + ": " + why);
      case ActionResult.Done _ -> {
        log.debug("pod {}: nominated node {}", pod.ref(), node.orElse("cleared"));
        yield Optional.empty();
      }
      case ActionResult.Skipped _,
          ActionResult.DryRun _,
          ActionResult.Awaiting _,
          ActionResult.NotLeading _ ->
          Optional.empty();
    };
  }

  private static String json(String name) {
    return "\"" + name + "\"";
  }

  /** Only changes: this is tried every second. */
  private void report(Optional<String> refusal) {
    if (failing != refusal.isPresent()) {
      refusal.ifPresentOrElse(
          why -> log.warn("nominated node not written: {}", why),
          () -> log.info("nominated nodes are written again"));
      failing = refusal.isPresent();
    }
  }
}
