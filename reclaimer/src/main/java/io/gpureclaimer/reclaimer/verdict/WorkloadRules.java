package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.reclaimer.action.Action.ActionCheck;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
import io.gpureclaimer.reclaimer.policy.Policies;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Policy, action check and warning of a workload, apart from the evidence. They depend on the
 * objects of the cluster, and on the time only at a few instants.
 *
 * @param subject what they were derived from
 * @param from when they were derived
 * @param until the first instant at which other rules may follow from the same objects. {@link
 *     Instant#MAX} is never. Rules for one judging only have {@code from}
 * @param policy what holds; absent while the namespace has not been seen
 * @param action whether an action can free its GPUs; absent where the policy allows none
 * @param note the warning that its pods carry
 * @param isWarned whether that is a warning of ours
 */
record WorkloadRules(
    RuleSubject subject,
    Instant from,
    Instant until,
    Optional<EffectivePolicy> policy,
    Optional<ActionCheck> action,
    Warning.Note note,
    boolean isWarned) {

  /**
   * The objects that the rules of a workload depend on.
   *
   * @param workload its pods and owners
   * @param namespace as it was seen
   * @param records of actions on its owners
   */
  record RuleSubject(
      Workload workload, Optional<NamespaceView> namespace, List<Reclamation> records) {
    RuleSubject {
      records = List.copyOf(records);
    }
  }

  /**
   * An owner of the workload was restored a short time ago.
   *
   * @param at when
   */
  record Restoration(OwnerView owner, Instant at) {

    /** The last one that still counts. */
    static Optional<Restoration> lastOf(RuleSubject subject, Instant now) {
      return subject.records().stream()
          .flatMap(record -> of(record, subject.workload()).stream())
          .filter(each -> now.isBefore(each.countsUntil()))
          .max(
              Comparator.comparing(Restoration::at)
                  .thenComparing(each -> each.owner().owner().uid()));
    }

    private static Optional<Restoration> of(Reclamation record, Workload workload) {
      return record
          .restoredAt()
          .flatMap(
              at ->
                  record
                      .status()
                      .map(progress -> workload.owners().get(progress.owner().uid()))
                      .map(owner -> new Restoration(owner, at)));
    }

    Instant countsUntil() {
      return at.plus(Reclamation.COUNTS_FOR);
    }

    /** The policy, with a longer limit. */
    EffectivePolicy soften(EffectivePolicy policy) {
      return policy.afterRestoration(Policies.name(owner), at);
    }
  }

  /** Whether the same rules would follow from these objects at that time. */
  boolean holdFor(RuleSubject other, Instant now) {
    return !now.isBefore(from) && now.isBefore(until) && subject.equals(other);
  }
}
