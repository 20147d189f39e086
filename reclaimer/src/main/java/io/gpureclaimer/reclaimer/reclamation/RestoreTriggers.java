package io.gpureclaimer.reclaimer.reclamation;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.ClaimableNode;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.plan.Demand;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
import io.gpureclaimer.reclaimer.policy.Policies;
import io.gpureclaimer.reclaimer.policy.RestoreChoice;
import io.gpureclaimer.reclaimer.workload.OwnerChain;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides when owners are restored: on request, by their annotations, when demand is gone, or when
 * their protected hours begin. Confined to the thread of the cycle.
 */
public final class RestoreTriggers {
  /** Between two jobs of a queue no pod is pending for a while, which is not the end of demand. */
  public static final Duration SETTLED = Duration.ofMinutes(5);

  private final Policies policies;
  private final Duration settles;

  /** Since when no pending pod needs GPUs; empty while one does, and before the first cycle. */
  private Optional<Instant> clearSince = Optional.empty();

  private Instant lastCycle = Instant.EPOCH;

  /**
   * @param settles for how long no pending pod must have needed GPUs
   */
  public RestoreTriggers(Policies policies, Duration settles) {
    this.policies = policies;
    this.settles = settles;
  }

  /** Trigger of a restore. */
  public enum RestoreTrigger {
    /** A person wrote it into the record. */
    REQUEST("request"),
    /** A person ran the command {@code restore --all}. */
    COMMAND("command"),
    /** The owner or its namespace is excluded. */
    EXCLUDE("exclude"),
    /** The owner or its namespace is kept for a while. */
    KEEP_UNTIL("keep-until"),
    /** No pending pod needs GPUs. */
    DEMAND_CLEAR("on-demand-clear"),
    /** Its protected hours began. */
    SCHEDULE("on-schedule"),
    /** A restoration goes on whose first cause is no longer there. */
    CONTINUED("continued");

    private final String code;

    RestoreTrigger(String code) {
      this.code = code;
    }

    /** Stable name, for metrics. */
    public String code() {
      return code;
    }
  }

  /**
   * Why an owner is restored.
   *
   * @param sentence the same for people, without the final stop
   */
  public record RestoreCause(RestoreTrigger trigger, String sentence) {}

  /** The triggers of this cycle. */
  CycleTriggers in(ClusterView cluster, Instant now) {
    boolean isClear = !Demand.isAnyIn(cluster);
    // What happened in a longer time without a cycle is unknown.
    boolean isGap = now.isAfter(lastCycle.plus(settles.multipliedBy(2)));
    Optional<Instant> known = isGap ? Optional.empty() : clearSince;
    clearSince = isClear ? known.or(() -> Optional.of(now)) : Optional.empty();
    lastCycle = now;
    return new CycleTriggers(cluster, now);
  }

  /** The triggers of one cycle, which promises no GPU twice. Confined to it. */
  final class CycleTriggers {
    private final ClusterView cluster;
    private final Instant now;
    private final FreeGpusByNode free;

    private CycleTriggers(ClusterView cluster, Instant now) {
      this.cluster = cluster;
      this.now = now;
      this.free = FreeGpusByNode.in(cluster, now);
    }

    /**
     * Why the owner of a record is to be restored.
     *
     * @param owner as it is now; empty if it cannot be read
     */
    Optional<RestoreCause> of(Reclamation record, Optional<OwnerView> owner) {
      if (record.request().wantsRestore(now)) {
        return cause(RestoreTrigger.REQUEST, "requested in the record");
      }
      return owner.flatMap(this::policy).flatMap(policy -> of(record, policy));
    }

    /** Unknown where the namespace is: it may say something else. */
    private Optional<EffectivePolicy> policy(OwnerView owner) {
      return Optional.ofNullable(cluster.namespaces().get(owner.namespace()))
          .map(
              namespace ->
                  policies.of(namespace, OwnerChain.of(owner, cluster.owners()).owners(), now));
    }

    private Optional<RestoreCause> of(Reclamation record, EffectivePolicy policy) {
      return policy
          .excludedBy()
          .flatMap(
              object ->
                  cause(
                      RestoreTrigger.EXCLUDE,
                      object + " has the annotation " + Annotations.EXCLUDE))
          .or(() -> kept(policy))
          .or(
              () ->
                  switch (isStartedByPeople(record)
                      ? RestoreChoice.MANUAL
                      : policy.restore().value()) {
                    case MANUAL -> Optional.empty();
                    case ON_SCHEDULE -> scheduled(policy);
                    case ON_DEMAND_CLEAR -> demandClear(record);
                  });
    }

    /** A workspace starts when a person wants to work in it. */
    private static boolean isStartedByPeople(Reclamation record) {
      return record
          .status()
          .filter(progress -> progress.owner().kind().equals("DevWorkspace"))
          .isPresent();
    }

    private Optional<RestoreCause> kept(EffectivePolicy policy) {
      return policy.keeps().stream()
          .map(keep -> keep.value().until())
          .filter(now::isBefore)
          .findFirst()
          .flatMap(until -> cause(RestoreTrigger.KEEP_UNTIL, "it is to be kept until " + until));
    }

    private Optional<RestoreCause> scheduled(EffectivePolicy policy) {
      return policy.protectedHours().stream()
          .flatMap(hours -> hours.value().at(now).stream())
          .findFirst()
          .flatMap(
              range ->
                  cause(RestoreTrigger.SCHEDULE, "its protected hours " + range.text() + " began"));
    }

    private Optional<RestoreCause> demandClear(Reclamation record) {
      Optional<ReclamationProgress> reclaimed =
          record.status().filter(progress -> progress.state() == ReclamationState.RECLAIMED);
      boolean isSettled =
          clearSince.filter(since -> !now.isBefore(since.plus(settles))).isPresent();
      return isSettled && reclaimed.filter(free::take).isPresent()
          ? cause(RestoreTrigger.DEMAND_CLEAR, "no pending pod needs GPUs, and enough are free")
          : Optional.empty();
    }
  }

  private static Optional<RestoreCause> cause(RestoreTrigger trigger, String sentence) {
    return Optional.of(new RestoreCause(trigger, sentence));
  }

  /**
   * Devices that are free on each node, by resource; replicas that are named GPUs with renamed
   * ones. Those of owners that were restored a moment ago are promised: their pods may not have a
   * node yet. Confined to one cycle.
   */
  private static final class FreeGpusByNode {
    private final Map<String, Map<String, Integer>> byResource = new HashMap<>();

    /** The kind of what a node offers as GPUs, where that is another one. */
    private final Map<String, String> namedGpus = new HashMap<>();

    static FreeGpusByNode in(ClusterView cluster, Instant now) {
      var free = new FreeGpusByNode();
      for (NodeView node : cluster.nodes()) {
        if (node.accepting()) {
          free.offeredBy(node);
        }
      }
      for (PodView pod : cluster.pods()) {
        if (pod.holdsGpus() && pod.node().isPresent()) {
          free.takenBy(pod, pod.node().get());
        }
      }
      for (ClaimableNode node : cluster.scheduling().claimable()) {
        if (node.view().accepting()) {
          free.offeredByClaims(node);
        }
      }
      for (Reclamation record : cluster.reclamations().orElse(List.of())) {
        record
            .status()
            .filter(progress -> isRestored(progress, now) && !progress.isEviction())
            .ifPresent(free::take);
      }
      return free;
    }

    private void offeredBy(NodeView node) {
      if (NodeView.sharesGpus(node.labels())) {
        namedGpus.put(node.name(), ResourceNames.SHARED_GPU);
      } else {
        NodeView.profileOfGpus(node.labels())
            .ifPresent(profile -> namedGpus.put(node.name(), ResourceNames.MIG_PREFIX + profile));
      }
      node.devices()
          .forEach(
              (resource, count) ->
                  byResource
                      .computeIfAbsent(name(resource, node.name()), _ -> new HashMap<>())
                      .merge(node.name(), count, Integer::sum));
    }

    /** What its pods have of it is not free already. */
    private void offeredByClaims(ClaimableNode node) {
      node.free()
          .forEach(
              (resource, count) ->
                  byResource
                      .computeIfAbsent(resource, _ -> new HashMap<>())
                      .put(node.view().name(), count));
    }

    private String name(String resource, String node) {
      return resource.equals(ResourceNames.GPU) ? namedGpus.getOrDefault(node, resource) : resource;
    }

    private void takenBy(PodView pod, String node) {
      pod.accelerators()
          .byResource()
          .forEach(
              (resource, taken) -> {
                Map<String, Integer> byNode = byResource.get(name(resource, node));
                if (byNode != null) {
                  byNode.computeIfPresent(node, (_, count) -> count - taken);
                }
              });
    }

    private static boolean isRestored(ReclamationProgress progress, Instant now) {
      return progress.state() == ReclamationState.RESTORING
          || (progress.state() == ReclamationState.RESTORED
              && progress
                  .times()
                  .endedAt()
                  .filter(end -> now.isBefore(end.plus(SETTLED)))
                  .isPresent());
    }

    /**
     * Takes the devices of all pods of a workload, if each pod finds its own on one node. Where the
     * kind is not recorded, these are GPUs.
     */
    boolean take(ReclamationProgress progress) {
      Map<String, Integer> byNode =
          byResource.getOrDefault(progress.resource().orElse(ResourceNames.GPU), Map.of());
      int pods = Math.max(1, progress.pods().size());
      int each = Math.max(1, Math.ceilDiv(progress.devices(), pods));
      int places = byNode.values().stream().mapToInt(gpus -> Math.max(0, gpus) / each).sum();
      if (places < pods) {
        return false;
      }
      int left = pods;
      for (Map.Entry<String, Integer> node : byNode.entrySet()) {
        int here = Math.min(left, Math.max(0, node.getValue()) / each);
        node.setValue(node.getValue() - here * each);
        left -= here;
      }
      return true;
    }
  }
}
