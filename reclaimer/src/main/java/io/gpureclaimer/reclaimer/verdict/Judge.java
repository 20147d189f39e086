package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.reclaimer.action.Action.ActionCheck;
import io.gpureclaimer.reclaimer.action.Actions;
import io.gpureclaimer.reclaimer.cluster.Accelerators.Claimed;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.evidence.ActivitySource.FetchScope;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.evidence.EvidenceRule;
import io.gpureclaimer.reclaimer.evidence.EvidenceRule.EvidenceLimits;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.Observation.PodIdentity;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.policy.AnnotationReader.AnnotationValues;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
import io.gpureclaimer.reclaimer.policy.Policies;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults;
import io.gpureclaimer.reclaimer.policy.WorkloadClass;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment.PodEvidence;
import io.gpureclaimer.reclaimer.verdict.Protections.SharedGpus;
import io.gpureclaimer.reclaimer.verdict.Warning.Withdrawal;
import io.gpureclaimer.reclaimer.verdict.WorkloadEvidence.IdleClock;
import io.gpureclaimer.reclaimer.workload.Workload;
import io.gpureclaimer.reclaimer.workload.Workloads;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Judges workloads. A pure function of the cluster, one observation of it, and the time: the same
 * arguments give the same verdicts in the same order.
 */
public final class Judge {
  static final String STOPPED_ALREADY = "stopped-already";

  private static final String SCALED_DOWN_ALREADY = "scaled-down-already";

  /** Codes of refusals that an earlier action is the reason of. */
  public static final Set<String> ACTED_ALREADY = Set.of(STOPPED_ALREADY, SCALED_DOWN_ALREADY);

  private final Policies policies;
  private final EvidenceRule rule;
  private final Vetoes vetoes;
  private final Actions actions;
  private final Duration maxSkew;

  /** A judge that knows every action. */
  public Judge(PolicyDefaults defaults, EvidenceLimits limits) {
    this(defaults, limits, Actions.ALL);
  }

  /**
   * A judge of these rules.
   *
   * @param actions that may be announced
   */
  public Judge(PolicyDefaults defaults, EvidenceLimits limits, Actions actions) {
    this.actions = actions;
    this.policies = new Policies(defaults);
    this.rule = new EvidenceRule(limits);
    this.vetoes = new Vetoes(defaults.vetoSettings().signals());
    this.maxSkew = limits.maxSkew();
  }

  /**
   * Judges every workload of the cluster, by namespace, name, kind and UID.
   *
   * @param now our clock, read when the source was asked
   */
  public List<Judgment> judge(ClusterView cluster, Observation observation, Instant now) {
    Observation trusted = trusted(observation, now).joined(identities(cluster.pods()));
    JudgingContext sight = JudgingContext.of(cluster, trusted, FetchScope.ALL_PODS, now);
    return Workloads.of(cluster).stream().map(workload -> judge(workload, sight)).toList();
  }

  /**
   * Judges a workload again, seconds before an action. Only {@link Verdict.Due} allows the action.
   *
   * @param pods of the workload, as the API server has them this moment
   * @param cluster where its namespace is looked up, and what else belongs to the workload
   * @param observation of these pods alone
   * @param now our clock, read when the observation had come
   */
  public Judgment judgeAgain(
      List<PodView> pods, ClusterView cluster, Observation observation, Instant now) {
    Observation trusted = trusted(observation, now).joined(identities(pods));
    JudgingContext sight = JudgingContext.of(cluster, trusted, FetchScope.ONE_POD, now);
    return judge(Workloads.around(pods, cluster), sight);
  }

  /** The pods as an activity source recognizes them. */
  public static List<PodIdentity> identities(Collection<PodView> pods) {
    return pods.stream().map(Judge::identity).toList();
  }

  private static PodIdentity identity(PodView pod) {
    var name = new PodName(pod.ref().namespace(), pod.ref().name());
    return new PodIdentity(pod.ref().uid(), name, pod.startedAt());
  }

  /**
   * What all workloads are judged by. Confined to one judging.
   *
   * @param wishes of the namespaces that were read so far: each is read once
   * @param restored when owners were restored lately, by UID
   */
  private record JudgingContext(
      ClusterView cluster,
      Observation observation,
      SharedGpus shared,
      FetchScope look,
      Instant now,
      Map<String, AnnotationValues> wishes,
      Map<String, Instant> restored) {

    static JudgingContext of(
        ClusterView cluster, Observation observation, FetchScope look, Instant now) {
      return new JudgingContext(
          cluster,
          observation,
          SharedGpus.in(observation),
          look,
          now,
          new HashMap<>(),
          restored(cluster, now));
    }

    /** Whether idle replicas of the workload are reclaimed. */
    boolean isScaledDown(Workload workload) {
      return cluster.records().stream()
          .flatMap(records -> records.of(workload.owners().keySet()))
          .anyMatch(Reclamation::hasScaledDown);
    }

    /** Whether an owner of the workload is stopped, although its pods are there. */
    boolean isStopped(Workload workload) {
      return cluster.records().stream()
          .flatMap(records -> records.of(workload.owners().keySet()))
          .anyMatch(Reclamation::hasActed);
    }

    private static Map<String, Instant> restored(ClusterView cluster, Instant now) {
      Map<String, Instant> latest = new HashMap<>();
      for (Reclamation record : cluster.reclamations().orElse(List.of())) {
        record
            .restoredAt()
            .filter(at -> now.isBefore(at.plus(Reclamation.COUNTS_FOR)))
            .ifPresent(
                at ->
                    latest.merge(
                        record.status().orElseThrow().owner().uid(),
                        at,
                        (one, other) -> one.isAfter(other) ? one : other));
      }
      return latest;
    }

    /** The policy, with a longer limit for a workload that was restored lately. */
    EffectivePolicy lenient(EffectivePolicy policy, Workload workload) {
      if (restored.isEmpty()) {
        return policy;
      }
      return workload.owners().values().stream()
          .flatMap(
              owner ->
                  Optional.ofNullable(restored.get(owner.owner().uid()))
                      .map(at -> policy.afterRestoration(Policies.name(owner), at))
                      .stream())
          .findFirst()
          .orElse(policy);
    }

    Optional<AnnotationValues> ofNamespace(String name) {
      return Optional.ofNullable(cluster.namespaces().get(name))
          .map(view -> wishes.computeIfAbsent(name, _ -> Policies.wishes(view)));
    }
  }

  private Judgment judge(Workload workload, JudgingContext sight) {
    Optional<EffectivePolicy> policy =
        sight
            .ofNamespace(workload.namespace())
            .map(above -> policies.of(above, workload, sight.now()))
            .map(known -> sight.lenient(known, workload));
    WorkloadEvidence all = weigh(workload, policy, sight);
    WorkloadEvidence judged =
        policy
            .flatMap(
                known ->
                    IdleReplicas.of(all, known, pod -> unlessIdle(pod, known, sight).isEmpty()))
            .orElse(all);
    Optional<ActionCheck> action = policy.flatMap(known -> check(judged.workload(), known, sight));
    Verdict verdict =
        policy
            .map(known -> verdict(judged, known, action, sight))
            .orElseGet(() -> namespaceUnseen(workload));
    return new Judgment(verdict, policy, all.evidence(), action);
  }

  private Optional<ActionCheck> check(
      Workload workload, EffectivePolicy policy, JudgingContext sight) {
    return actions
        .check(workload, policy.action().value().text())
        .map(check -> sight.isStopped(workload) ? stopped(workload) : check)
        .map(check -> sight.isScaledDown(workload) ? scaledDown(workload) : check);
  }

  private static ActionCheck stopped(Workload workload) {
    return new ActionCheck.Refused(
        STOPPED_ALREADY,
        "the reclaimer stopped it",
        "the reclaimer stopped " + workload + ", and its pods are still there");
  }

  /** A second record would remember another former value of the same field. */
  private static ActionCheck scaledDown(Workload workload) {
    return new ActionCheck.Refused(
        SCALED_DOWN_ALREADY,
        "idle replicas of it are reclaimed already",
        "idle replicas of " + workload + " are reclaimed already, and have to be restored first");
  }

  private Verdict verdict(
      WorkloadEvidence evidence,
      EffectivePolicy policy,
      Optional<ActionCheck> action,
      JudgingContext sight) {
    Workload workload = evidence.workload();
    return unlessIdle(evidence, policy, sight)
        .map(this::withoutWarningIfInUse)
        .orElseGet(
            () ->
                new IdleRule(
                        workload,
                        policy,
                        evidence,
                        vetoes.listened(workload, sight.observation()),
                        actions,
                        action,
                        sight.now(),
                        maxSkew)
                    .judge());
  }

  /** The verdict on what is not idle, or is left alone. */
  private Optional<Verdict> unlessIdle(
      WorkloadEvidence evidence, EffectivePolicy policy, JudgingContext sight) {
    Workload workload = evidence.workload();
    WorkloadClass workloadClass = policy.workloadClass().value();
    return Protections.of(workload, policy, sight.shared())
        .map(protection -> spared(workload, protection))
        .or(() -> evidence.verdictUnlessIdle())
        .or(() -> evidence.starting(new IdleClock(policy), sight.now()))
        .or(() -> vetoes.of(workload, workloadClass, sight.observation()));
  }

  private static Verdict namespaceUnseen(Workload workload) {
    return new Verdict.Protected(workload, new Protection.NamespaceUnseen(workload.namespace()));
  }

  /** An exclusion takes the warning back, so that the end of the exclusion needs a new one. */
  private Verdict spared(Workload workload, Protection protection) {
    return protection.isChosen() && Warning.isOn(workload, actions)
        ? new Verdict.ToWithdraw(workload, Withdrawal.POLICY_CHANGED)
        : new Verdict.Protected(workload, protection);
  }

  private Verdict withoutWarningIfInUse(Verdict verdict) {
    Workload workload = verdict.workload();
    return Warning.isOn(workload, actions)
        ? Withdrawal.by(verdict)
            .<Verdict>map(why -> new Verdict.ToWithdraw(workload, why))
            .orElse(verdict)
        : verdict;
  }

  private WorkloadEvidence weigh(
      Workload workload, Optional<EffectivePolicy> policy, JudgingContext sight) {
    return new WorkloadEvidence(
        workload,
        workload.pods().stream()
            .filter(WorkloadEvidence::isExpectedOf)
            .map(pod -> new PodEvidence(pod.ref(), weigh(pod, policy, sight)))
            .toList());
  }

  private Evidence weigh(PodView pod, Optional<EffectivePolicy> policy, JudgingContext sight) {
    Evidence evidence =
        switch (pod.accelerators().claimed()) {
          case Claimed.Unread(var why) ->
              new Evidence.Unknown(Evidence.UnknownCause.GPU_COUNT, why);
          case Claimed.Devices _ ->
              rule.weigh(
                  sight.observation(), pod.ref().uid(), pod.accelerators().devices(), sight.look());
        };
    return policy.map(known -> since(pod, known, evidence, sight)).orElse(evidence);
  }

  private Evidence since(
      PodView pod, EffectivePolicy policy, Evidence evidence, JudgingContext sight) {
    Optional<IdleClock.IdleStart> sign =
        vetoes.lastWork(pod, policy.workloadClass().value(), sight.observation());
    return new IdleClock(policy).since(pod, sign, evidence);
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

  /**
   * A verdict with everything that led to it.
   *
   * @param verdict on the workload
   * @param policy what holds for it; absent while its namespace has not been seen
   * @param evidence of every running pod with whole GPUs or MIG slices, those that remain included,
   *     by name
   * @param action whether an action can free its GPUs; absent where the policy allows none
   */
  public record Judgment(
      Verdict verdict,
      Optional<EffectivePolicy> policy,
      List<PodEvidence> evidence,
      Optional<ActionCheck> action) {
    public Judgment {
      evidence = List.copyOf(evidence);
    }

    /** Whether a pod is within its startup grace; false where its start is not known. */
    public boolean isStarting(PodView pod, Instant now) {
      return policy
          .flatMap(known -> new IdleClock(known).started(pod))
          .filter(now::isBefore)
          .isPresent();
    }

    /** Evidence about one pod of a workload. */
    public record PodEvidence(PodRef pod, Evidence evidence) {}
  }
}
