package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.action.Action.ActionCheck;
import io.gpureclaimer.reclaimer.action.Actions;
import io.gpureclaimer.reclaimer.cluster.Accelerators.Claimed;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
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
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.Policies;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults;
import io.gpureclaimer.reclaimer.policy.WorkloadClass;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment.PodEvidence;
import io.gpureclaimer.reclaimer.verdict.Protections.SharedGpus;
import io.gpureclaimer.reclaimer.verdict.Warning.Withdrawal;
import io.gpureclaimer.reclaimer.verdict.WorkloadEvidence.IdleClock;
import io.gpureclaimer.reclaimer.verdict.WorkloadRules.Restoration;
import io.gpureclaimer.reclaimer.verdict.WorkloadRules.RuleSubject;
import io.gpureclaimer.reclaimer.workload.Workload;
import io.gpureclaimer.reclaimer.workload.Workloads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Judges workloads. The same cluster, observation and time give the same verdicts in the same
 * order. Rules of a workload whose objects are equal to those of the last judging are not derived
 * again; the evidence is weighed each time.
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

  /** Of the last judging, in its order. */
  private final AtomicReference<List<JudgedWorkload>> known = new AtomicReference<>(List.of());

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
    JudgingContext context =
        JudgingContext.of(cluster.pods(), cluster, trusted, FetchScope.ALL_PODS, now);
    List<JudgedWorkload> before = known.get();
    List<Workload> workloads =
        Workloads.of(cluster, before.stream().map(JudgedWorkload::workload).toList());
    List<JudgedWorkload> after = new ArrayList<>(workloads.size());
    List<Judgment> judgments = new ArrayList<>(workloads.size());
    int next = 0;
    for (Workload workload : workloads) {
      // Both have the same order, and most workloads are the same objects.
      while (next < before.size() && isBefore(before.get(next).workload(), workload)) {
        next++;
      }
      Optional<JudgedWorkload> last =
          next < before.size() ? Optional.of(before.get(next)) : Optional.empty();
      JudgedWorkload judged = judge(context.subject(workload), last, context);
      after.add(judged);
      judgments.add(judged.judgment());
    }
    known.set(Collections.unmodifiableList(after));
    return Collections.unmodifiableList(judgments);
  }

  /**
   * Judges a workload again, seconds before an action, with nothing that was known before. Only
   * {@link Verdict.Due} allows the action.
   *
   * @param pods of the workload, as the API server has them this moment
   * @param cluster where its namespace is looked up, and what else belongs to the workload
   * @param observation of these pods alone
   * @param now our clock, read when the observation had come
   */
  public Judgment judgeAgain(
      List<PodView> pods, ClusterView cluster, Observation observation, Instant now) {
    Observation trusted = trusted(observation, now).joined(identities(pods));
    JudgingContext context = JudgingContext.of(pods, cluster, trusted, FetchScope.ONE_POD, now);
    return judge(rules(context.subject(Workloads.around(pods, cluster)), context), context);
  }

  /** The pods as an activity source recognizes them. */
  public static List<PodIdentity> identities(Collection<PodView> pods) {
    return pods.stream().map(Judge::identity).toList();
  }

  private static PodIdentity identity(PodView pod) {
    var name = new PodName(pod.ref().namespace(), pod.ref().name());
    return new PodIdentity(pod.ref().uid(), name, pod.startedAt());
  }

  /** Common inputs of all judgments. Confined to one judging. */
  private record JudgingContext(
      ClusterView cluster,
      Observation observation,
      SharedGpus shared,
      FetchScope scope,
      Instant now,
      Map<String, AnnotationValues> annotations) {

    static JudgingContext of(
        Collection<PodView> pods,
        ClusterView cluster,
        Observation observation,
        FetchScope scope,
        Instant now) {
      return new JudgingContext(
          cluster, observation, SharedGpus.in(observation, pods), scope, now, new HashMap<>());
    }

    RuleSubject subject(Workload workload) {
      return new RuleSubject(
          workload,
          Optional.ofNullable(cluster.namespaces().get(workload.namespace())),
          cluster.records().map(all -> all.of(workload.owners().keySet())).orElse(List.of()));
    }

    /** The annotations of the namespace; each is read once. */
    AnnotationValues annotations(NamespaceView namespace) {
      return annotations.computeIfAbsent(namespace.name(), _ -> Policies.annotationsOf(namespace));
    }
  }

  private WorkloadRules rules(RuleSubject subject, JudgingContext context) {
    Workload workload = subject.workload();
    Optional<Restoration> restoration = Restoration.lastOf(subject, context.now());
    Optional<EffectivePolicy> policy =
        subject
            .namespace()
            .map(above -> policies.of(context.annotations(above), workload, context.now()))
            .map(known -> restoration.map(last -> last.soften(known)).orElse(known));
    boolean once = policy.filter(known -> Policies.mayChange(known, context.now())).isPresent();
    Instant until = restoration.map(Restoration::countsUntil).orElse(Instant.MAX);
    return rules(subject, context.now(), once ? context.now() : until, policy);
  }

  private WorkloadRules rules(
      RuleSubject subject, Instant from, Instant until, Optional<EffectivePolicy> policy) {
    return new WorkloadRules(
        subject,
        from,
        until,
        policy,
        policy.flatMap(known -> check(subject, known)),
        Warning.noteOn(subject.workload()),
        Warning.isOn(subject.workload(), actions));
  }

  /** Derives the rules again only where they may have changed, and the judgment where it may. */
  private JudgedWorkload judge(
      RuleSubject subject, Optional<JudgedWorkload> before, JudgingContext context) {
    Optional<JudgedWorkload> still =
        before.filter(its -> its.rules().holdFor(subject, context.now()));
    if (still.filter(JudgedWorkload::isLasting).isPresent()) {
      return still.get();
    }
    WorkloadRules rules = still.map(JudgedWorkload::rules).orElseGet(() -> rules(subject, context));
    return new JudgedWorkload(rules, judge(rules, context), isPending(rules));
  }

  private static boolean isPending(WorkloadRules rules) {
    for (PodView pod : rules.subject().workload().pods()) {
      if (pod.node().isPresent()) {
        return false;
      }
    }
    return true;
  }

  /**
   * A judgment, and what it was made by apart from the evidence.
   *
   * @param isLasting whether the same judgment follows from the same rules, because no pod has a
   *     node
   */
  private record JudgedWorkload(WorkloadRules rules, Judgment judgment, boolean isLasting) {
    Workload workload() {
      return rules.subject().workload();
    }
  }

  private static boolean isBefore(Workload one, Workload other) {
    return !one.uid().equals(other.uid()) && Workloads.ORDER.compare(one, other) < 0;
  }

  private Judgment judge(WorkloadRules rules, JudgingContext context) {
    Workload workload = rules.subject().workload();
    WorkloadEvidence all = weigh(workload, rules.policy(), context);
    if (rules.policy().isEmpty()) {
      return new Judgment(
          namespaceUnseen(workload), Optional.empty(), all.evidence(), Optional.empty());
    }
    EffectivePolicy policy = rules.policy().get();
    WorkloadEvidence judged =
        IdleReplicas.of(all, policy, pod -> unlessIdle(pod, policy, context).isEmpty()).orElse(all);
    WorkloadRules its =
        judged.workload().isPartial()
            ? rules(
                context.subject(judged.workload()), context.now(), context.now(), rules.policy())
            : rules;
    return new Judgment(
        verdict(judged, policy, its, context), rules.policy(), all.evidence(), its.action());
  }

  private Optional<ActionCheck> check(RuleSubject subject, EffectivePolicy policy) {
    Workload workload = subject.workload();
    List<Reclamation> records = subject.records();
    return actions
        .check(workload, policy.action().value().text())
        .map(check -> records.stream().anyMatch(Reclamation::hasActed) ? stopped(workload) : check)
        .map(
            check ->
                records.stream().anyMatch(Reclamation::hasScaledDown)
                    ? scaledDown(workload)
                    : check);
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
      WorkloadRules rules,
      JudgingContext context) {
    Workload workload = evidence.workload();
    return unlessIdle(evidence, policy, context)
        .map(verdict -> rules.isWarned() ? withoutWarningIfInUse(verdict) : verdict)
        .orElseGet(
            () ->
                onlyIfRead(
                    new IdleRule(
                            workload,
                            policy,
                            evidence,
                            vetoes.listened(workload, context.observation()),
                            rules,
                            context.now(),
                            maxSkew)
                        .judge(),
                    context.observation()));
  }

  /** Neither a warning nor an action follows from evidence that was left out of the observation. */
  private static Verdict onlyIfRead(Verdict verdict, Observation observation) {
    return verdict.asksForMore()
        ? LeavableEvidence.leftOutOf(observation, verdict.workload())
            .<Verdict>map(
                pod ->
                    new Verdict.Unknown(
                        verdict.workload(),
                        pod,
                        new Evidence.Unknown(
                            Evidence.UnknownCause.STALE,
                            "its record was not read in this cycle, but an earlier one")))
            .orElse(verdict)
        : verdict;
  }

  /** The verdict on what is not idle, or is left alone. */
  private Optional<Verdict> unlessIdle(
      WorkloadEvidence evidence, EffectivePolicy policy, JudgingContext context) {
    Workload workload = evidence.workload();
    WorkloadClass workloadClass = policy.workloadClass().value();
    return Protections.of(workload, policy, context.shared())
        .map(protection -> spared(workload, protection))
        .or(() -> evidence.verdictUnlessIdle())
        .or(() -> evidence.starting(new IdleClock(policy), context.now()))
        .or(() -> vetoes.of(workload, workloadClass, context.observation()));
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

  private static Verdict withoutWarningIfInUse(Verdict verdict) {
    return Withdrawal.by(verdict)
        .<Verdict>map(why -> new Verdict.ToWithdraw(verdict.workload(), why))
        .orElse(verdict);
  }

  private WorkloadEvidence weigh(
      Workload workload, Optional<EffectivePolicy> policy, JudgingContext context) {
    List<PodEvidence> evidence = new ArrayList<>(workload.pods().size());
    for (PodView pod : workload.pods()) {
      if (WorkloadEvidence.isExpectedOf(pod)) {
        evidence.add(new PodEvidence(pod.ref(), weigh(pod, policy, context)));
      }
    }
    return new WorkloadEvidence(workload, evidence);
  }

  private Evidence weigh(PodView pod, Optional<EffectivePolicy> policy, JudgingContext context) {
    Evidence evidence =
        switch (pod.accelerators().claimed()) {
          case Claimed.Unread(var why) ->
              new Evidence.Unknown(Evidence.UnknownCause.GPU_COUNT, why);
          case Claimed.Devices _ ->
              rule.weigh(
                  context.observation(),
                  pod.ref().uid(),
                  pod.accelerators().devices(),
                  pod.accelerators().shares(),
                  context.scope());
        };
    return policy.isPresent() && evidence instanceof Evidence.Idle idle
        ? since(pod, policy.get(), idle, context)
        : evidence;
  }

  private Evidence since(
      PodView pod, EffectivePolicy policy, Evidence.Idle idle, JudgingContext context) {
    Optional<IdleClock.IdleStart> sign =
        vetoes.lastWork(pod, policy.workloadClass().value(), context.observation());
    return new IdleClock(policy).since(pod, sign, idle);
  }

  /** Our clock decides on the grace, so it has to agree with the one that the evidence is of. */
  private Observation trusted(Observation observation, Instant now) {
    return switch (observation) {
      case Blind blind -> blind;
      case Seen seen ->
          Duration.between(seen.at(), now).abs().compareTo(maxSkew) > 0
              ? new Blind(
                  "the clocks of the activity source ("
                      + seen.at()
                      + ") and of the reclaimer ("
                      + now
                      + ") differ by more than "
                      + Durations.format(maxSkew))
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

    /** The same with another verdict. */
    public Judgment with(Verdict other) {
      return new Judgment(other, policy, evidence, action);
    }

    /** Whether the policy allows neither a warning nor an action. */
    boolean isReportOnly() {
      return policy.filter(known -> !known.mode().value().exceeds(Mode.REPORT)).isPresent();
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
