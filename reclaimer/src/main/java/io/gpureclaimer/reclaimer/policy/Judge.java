package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.reclaimer.activity.Evidence;
import io.gpureclaimer.reclaimer.activity.EvidenceLimits;
import io.gpureclaimer.reclaimer.activity.EvidenceRule;
import io.gpureclaimer.reclaimer.activity.Look;
import io.gpureclaimer.reclaimer.activity.Observation;
import io.gpureclaimer.reclaimer.activity.Observation.Blind;
import io.gpureclaimer.reclaimer.activity.Observation.Seen;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Judges workloads. A pure function of the cluster, one observation of it, and the time: the same
 * arguments give the same verdicts in the same order.
 */
public final class Judge {
  private final Policies policies;
  private final EvidenceRule rule;
  private final Duration maxSkew;

  public Judge(PolicyDefaults defaults, EvidenceLimits limits) {
    this.policies = new Policies(defaults);
    this.rule = new EvidenceRule(limits);
    this.maxSkew = limits.maxSkew();
  }

  /**
   * Judges every workload of the cluster, by namespace, name, kind and UID.
   *
   * @param now our clock, read when the observation had come
   */
  public List<Judgment> judge(ClusterView cluster, Observation observation, Instant now) {
    Observation trusted = trusted(observation, now).joined(Recognition.holders(cluster.pods()));
    Sharing sharing = Sharing.in(trusted);
    return Workloads.of(cluster).stream()
        .map(workload -> judge(weigh(workload, trusted, Look.FIRST), cluster, sharing, now))
        .toList();
  }

  /**
   * Judges one pod again, seconds before an act. Nothing but {@link Verdict.Due} allows the act.
   *
   * @param pod as the API server has it this moment
   * @param cluster where its namespace is looked up, and what belongs to the same workload
   * @param observation a second look at this pod
   * @param now our clock, read when the observation had come
   */
  public Judgment judgeAgain(
      PodView pod, ClusterView cluster, Observation observation, Instant now) {
    Observation trusted = trusted(observation, now).joined(Recognition.holders(List.of(pod)));
    WorkloadEvidence evidence = weigh(Workloads.around(pod, cluster), trusted, Look.SECOND);
    return judge(evidence, cluster, Sharing.in(trusted), now);
  }

  private Judgment judge(
      WorkloadEvidence evidence, ClusterView cluster, Sharing sharing, Instant now) {
    String namespace = evidence.workload().namespace();
    Optional<EffectivePolicy> policy =
        Optional.ofNullable(cluster.namespaces().get(namespace))
            .map(view -> policies.of(view, evidence.workload()));
    Verdict verdict =
        policy
            .map(known -> verdict(evidence, known, sharing, now))
            .orElseGet(() -> namespaceUnseen(evidence.workload()));
    return new Judgment(verdict, policy, evidence.evidence());
  }

  private Verdict verdict(
      WorkloadEvidence evidence, EffectivePolicy policy, Sharing sharing, Instant now) {
    Workload workload = evidence.workload();
    return Protections.of(workload, policy, sharing)
        .map(protection -> spared(workload, protection))
        .or(() -> evidence.verdictUnlessIdle().map(Judge::withoutWarningIfActive))
        .orElseGet(() -> new IdleRule(workload, policy, evidence, now, maxSkew).judge());
  }

  private static Verdict namespaceUnseen(Workload workload) {
    return new Verdict.Protected(workload, new Protection.NamespaceUnseen(workload.namespace()));
  }

  /** Who excludes a pod after it was warned shall not be surprised when he includes it again. */
  private static Verdict spared(Workload workload, Protection protection) {
    return protection.isChosen() && workload.carriesWarning()
        ? new Verdict.ToWithdraw(workload, Withdrawal.POLICY_CHANGED)
        : new Verdict.Protected(workload, protection);
  }

  private static Verdict withoutWarningIfActive(Verdict verdict) {
    return verdict instanceof Verdict.Active(var workload, _, _) && workload.carriesWarning()
        ? new Verdict.ToWithdraw(workload, Withdrawal.ACTIVE_AGAIN)
        : verdict;
  }

  private WorkloadEvidence weigh(Workload workload, Observation observation, Look look) {
    return new WorkloadEvidence(
        workload,
        workload.pods().stream()
            .filter(WorkloadEvidence::isExpectedOf)
            .map(pod -> new PodEvidence(pod.ref(), weigh(pod, observation, look)))
            .toList());
  }

  private Evidence weigh(PodView pod, Observation observation, Look look) {
    return sinceStart(
        pod, rule.weigh(observation, pod.ref().uid(), pod.accelerators().devices(), look));
  }

  /** Our clock decides on the grace, so it has to agree with the one that the evidence is of. */
  private Observation trusted(Observation observation, Instant now) {
    return switch (observation) {
      case Blind blind -> blind;
      case Seen seen ->
          Duration.between(seen.at(), now).abs().compareTo(maxSkew) > 0
              ? new Blind(
                  "the source answered at "
                      + seen.at()
                      + " by its clock, ours says "
                      + now
                      + "; expected them to be at most "
                      + maxSkew.toSeconds()
                      + "s apart")
              : seen;
    };
  }

  /** A container that starts, or starts again, loads and compiles: its idle time begins there. */
  private static Evidence sinceStart(PodView pod, Evidence evidence) {
    if (evidence instanceof Evidence.Idle(Instant since, Duration length)
        && pod.startedAt().filter(since::isBefore).isPresent()) {
      Instant start = pod.startedAt().get();
      Duration shorter = length.minus(Duration.between(since, start));
      return new Evidence.Idle(start, shorter.isNegative() ? Duration.ZERO : shorter);
    }
    return evidence;
  }
}
