package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.plan.ActionBudgets.NamespaceBudget;
import io.gpureclaimer.reclaimer.plan.Demand.Target;
import io.gpureclaimer.reclaimer.plan.PendingStatus.PendingOutcome;
import io.gpureclaimer.reclaimer.plan.Planner.PlanInput;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import io.gpureclaimer.reclaimer.plan.Step.Act;
import io.gpureclaimer.reclaimer.plan.Step.Beneficiary;
import io.gpureclaimer.reclaimer.plan.Step.Wait;
import io.gpureclaimer.reclaimer.plan.Step.WaitReason;
import io.gpureclaimer.reclaimer.plan.UnitVictims.ServedPod;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Selects the due workloads that are reclaimed now. Those that are reclaimed in any case come
 * first; what pending pods, and then floors, still miss comes from workloads that are reclaimed on
 * demand. Confined to one planning.
 */
final class ActionSelection {
  private static final int MOST_NAMES = 3;
  private static final Comparator<Due> LONGEST_IDLE_FIRST =
      Comparator.comparing(Due::idleFor).reversed().thenComparing(due -> due.workload().uid());

  /** Common requirements of pending units. */
  private record UnitShape(
      Map<String, Integer> devices, Target target, Map<String, Long> requests, Set<String> scarce) {
    static List<UnitShape> of(PendingUnit unit) {
      return unit.members().stream()
          .map(
              demand ->
                  new UnitShape(
                      demand.devices(), demand.target(), demand.requests(), demand.scarce()))
          .toList();
    }
  }

  private final PlanInput input;

  /** UIDs of the pods for which a workload was reclaimed already. */
  private final Set<String> freed;

  private final BudgetCheck budgets;
  private final Optional<Double> maxNeedProbability;
  private final CandidateNodes nodes;
  private final OtherComponents others;

  /** How many victims a pending unit may have. */
  private final int most;

  private final Set<List<UnitShape>> hopeless = new HashSet<>();

  /** Why units of a shape are not served. */
  private final Map<List<UnitShape>, String> impossible = new HashMap<>();

  /** By identity: a verdict is large, and two of them are never the same. */
  private final IdentityHashMap<Due, WaitReason> waiting = new IdentityHashMap<>();

  private final IdentityHashMap<Due, Act> chosen = new IdentityHashMap<>();
  private final List<Act> actions = new ArrayList<>();
  private final List<PendingStatus> statuses = new ArrayList<>();
  private int offered;
  private int neededSoon;

  /** Set when a workload waits for budgets to fill again: no later one may overtake it. */
  private Optional<WaitReason> closed = Optional.empty();

  private ActionSelection(PlanInput input, PlanLimits limits, ToLongFunction<Due> cost) {
    this.input = input;
    this.freed = input.history().nominations().waiting();
    this.budgets = new BudgetCheck(input, limits.budgets());
    this.most = limits.maxActions(input.gpus());
    this.maxNeedProbability = limits.maxNeedProbability();
    this.nodes = new CandidateNodes(input.cluster(), cost);
    this.others =
        OtherComponents.in(
            input.cluster(),
            OtherComponents.nominations(
                input.history().expectations(), input.cluster(), input.now()),
            limits.waitForOthers(),
            input.now());
  }

  /**
   * Selected actions.
   *
   * @param steps one for each workload that is due: first the actions in order, then those that
   *     wait
   * @param pending one for each pending unit
   * @param floors one for each floor of free GPUs
   */
  record SelectedActions(List<Step> steps, List<PendingStatus> pending, List<FloorStatus> floors) {}

  /** Decides about each workload that is due, and each pending unit. */
  static SelectedActions of(
      Collection<Due> due,
      List<PendingUnit> units,
      PlanInput input,
      PlanLimits limits,
      Function<Collection<Due>, ToLongFunction<Due>> cost) {
    List<Due> ordered = due.stream().sorted(LONGEST_IDLE_FIRST).toList();
    List<Due> onDemand = ordered.stream().filter(each -> each.mode() != Mode.ALWAYS).toList();
    var selection = new ActionSelection(input, limits, cost.apply(onDemand));
    selection.reserve(units);
    ordered.stream().filter(each -> each.mode() == Mode.ALWAYS).forEach(selection::reclaim);
    onDemand.forEach(selection::offer);
    units.forEach(selection::consider);
    var floors = new FloorSelection(selection, input, limits, selection.nodes, selection.budgets);
    List<FloorStatus> kept = limits.keepFree().stream().map(floors::keep).toList();
    return new SelectedActions(
        selection.steps(ordered, selection.otherwise(units.isEmpty() && kept.isEmpty())),
        List.copyOf(selection.statuses),
        kept);
  }

  /**
   * GPUs that were freed for a pending pod are not free for another one, nor are those that the
   * scheduler frees.
   */
  private void reserve(List<PendingUnit> units) {
    for (PendingUnit unit : units) {
      for (Demand member : unit.members()) {
        if (!freed.contains(member.pod().uid())) {
          others.nodeFor(member).ifPresent(name -> nodes.reserve(member, name));
        }
      }
    }
    for (Nominations.Nomination nomination : input.history().nominations().all()) {
      nodes.reserve(nomination.demand(), nomination.node());
    }
  }

  private WaitReason otherwise(boolean isNothingAsked) {
    return isNothingAsked
        ? WaitReason.NO_PENDING_POD
        : closed.or(budgets::exhausted).orElse(WaitReason.NOT_NEEDED);
  }

  private void reclaim(Due due) {
    Optional<WaitReason> objection =
        spared(due).or(() -> closed).or(() -> budgets.objection(List.of(due)));
    if (objection.isPresent()) {
      hold(due, objection.get());
    } else {
      choose(due, Optional.empty());
      nodes.free(due.workload());
    }
  }

  /** A workload whose devices are all of resource claims has none to offer. */
  private void offer(Due due) {
    Optional<WaitReason> objection =
        spared(due)
            .or(() -> budgets.exhausted(due.workload().namespace()))
            .or(() -> neededSoon(due));
    if (objection.isPresent()) {
      waiting.put(due, objection.get());
      neededSoon += objection.get() == WaitReason.NEEDED_SOON ? 1 : 0;
    } else {
      nodes.offer(due);
      offered++;
    }
  }

  private Optional<WaitReason> spared(Due due) {
    NamespaceBudget own = input.caps(due.workload().namespace());
    if (due.workload().priority() > own.maxPriority()) {
      return Optional.of(WaitReason.PRIORITY_TOO_HIGH);
    }
    if (input.lacksRecords(due.workload(), due.action())) {
      return Optional.of(WaitReason.RECORDS_UNREADABLE);
    }
    return input.history().actions().coolsDown(due.workload(), input.now())
            || input.isRestoredLately(due.workload())
        ? Optional.of(WaitReason.COOLING_DOWN)
        : budgets.onWorkload(due);
  }

  private Optional<WaitReason> neededSoon(Due due) {
    double most =
        maxNeedProbability.orElse(
            due.sparedIfNeededSoon() ? PlanLimits.DEFAULT_MAX_NEED_PROBABILITY : 1);
    return ExpectedLoss.probability(due) > most
        ? Optional.of(WaitReason.NEEDED_SOON)
        : Optional.empty();
  }

  private void consider(PendingUnit unit) {
    Optional<PendingUnit> unserved = unit.without(freed);
    statuses.add(
        unserved
            .map(this::serve)
            .orElseGet(
                () ->
                    status(
                        unit,
                        PendingOutcome.FREED,
                        "GPUs were freed for it, and the scheduler has not given it a node yet")));
  }

  private PendingStatus serve(PendingUnit unit) {
    Optional<OtherComponents.Expected> expected = others.expected(unit);
    if (expected.isPresent()) {
      return unit.status(
          PendingOutcome.SERVED_BY_OTHERS,
          Optional.of(expected.get().until()),
          offered,
          expected.get().sentence());
    }
    Optional<WaitReason> spent = spent();
    if (spent.isPresent()) {
      return status(unit, PendingOutcome.ON_HOLD, spent.get().sentence());
    }
    Optional<UnitVictims> best =
        hopeless.contains(UnitShape.of(unit)) && !hasRules(unit)
            ? Optional.empty()
            : bestWithin(unit);
    if (best.isEmpty()) {
      markHopeless(unit);
      String sentence =
          hasRules(unit)
              ? impossible(unit)
              : impossible.computeIfAbsent(UnitShape.of(unit), _ -> impossible(unit));
      return status(unit, PendingOutcome.IMPOSSIBLE, sentence);
    }
    return settle(unit, best.get());
  }

  /** Whether it matters which pods are where: another unit of the same shape may fit elsewhere. */
  private boolean hasRules(PendingUnit unit) {
    return unit.members().stream().anyMatch(nodes::isRestricted);
  }

  private void markHopeless(PendingUnit unit) {
    if (!hasRules(unit)) {
      hopeless.add(UnitShape.of(unit));
    }
  }

  /** Why nothing else can be reclaimed. */
  Optional<WaitReason> spent() {
    return closed.or(budgets::exhausted);
  }

  /** Why a floor cannot be served further. */
  String noneHelps() {
    return (offered == 0
            ? "no idle workload may be reclaimed on demand now"
            : "no idle workload that may be reclaimed on demand now frees more of them")
        + andNeededSoon();
  }

  /** Those of least loss may be too many of one namespace; then as few as possible. */
  private Optional<UnitVictims> bestWithin(PendingUnit unit) {
    return nodes
        .best(unit, most)
        .flatMap(
            best ->
                budgets
                    .objection(best.victims())
                    .filter(why -> why == WaitReason.BUDGET_TOO_SMALL)
                    .map(_ -> nodes.best(unit, 0))
                    .orElse(Optional.of(best)));
  }

  private PendingStatus status(PendingUnit unit, PendingOutcome outcome, String sentence) {
    return unit.status(outcome, offered, sentence);
  }

  private String impossible(PendingUnit unit) {
    String devices =
        status(unit, PendingOutcome.IMPOSSIBLE, "").amount()
            + unit.members().stream()
                .flatMap(
                    member ->
                        Stream.concat(
                            member.scarce().stream(), nodes.lackedBesideDevices(member).stream()))
                .distinct()
                .sorted()
                .map(name -> " and as much " + name + " as it requests")
                .collect(Collectors.joining());
    return (offered == 0
            ? "no idle workload may be reclaimed for a pending pod now"
            : "the idle workloads that may be reclaimed for a pending pod now ("
                + offered
                + ") cannot free "
                + devices
                + " where it may run")
        + andRefused(unit)
        + andNeededSoon();
  }

  private String andRefused(PendingUnit unit) {
    return unit.targets().stream().noneMatch(nodes::mayRefuse)
        ? ""
        : "; nodes that share GPUs do not count, because their device plugins may refuse a container"
            + " with several replicas (failRequestsGreaterThanOne)";
  }

  private String andNeededSoon() {
    return neededSoon == 0
        ? ""
        : "; "
            + neededSoon
            + (neededSoon == 1 ? " is" : " are")
            + " too likely to be needed again within an hour (plan.max-need-probability)";
  }

  /** Victims of one pending unit are promised to it, now or in a later plan, and serve no other. */
  private PendingStatus settle(PendingUnit unit, UnitVictims best) {
    List<Due> victims = best.victims();
    Optional<WaitReason> objection =
        victims.isEmpty()
            ? Optional.empty()
            : others
                .doubt()
                .map(_ -> WaitReason.OTHERS_UNKNOWN)
                .or(() -> budgets.objection(victims));
    if (objection.equals(Optional.of(WaitReason.BUDGET_TOO_SMALL))) {
      markHopeless(unit);
      victims.forEach(due -> waiting.put(due, WaitReason.BUDGET_TOO_SMALL));
      return status(unit, PendingOutcome.ON_HOLD, onHold(victims, WaitReason.BUDGET_TOO_SMALL))
          .losing(ExpectedLoss.gpuMinutes(best.loss()));
    }
    nodes.promise(best);
    objection.ifPresentOrElse(
        why -> victims.forEach(due -> hold(due, why)),
        () ->
            victims.forEach(
                due -> {
                  ServedPod served = best.servedBy(due);
                  choose(
                      due, Optional.of(new Beneficiary.PendingPod(served.demand(), served.node())));
                }));
    victims.forEach(this::closeNamespace);
    if (victims.isEmpty()) {
      return status(
          unit,
          PendingOutcome.ENOUGH_FREE,
          "enough " + noun(unit) + " are free on " + nodes(best) + " already");
    }
    return objection
        .map(why -> status(unit, PendingOutcome.ON_HOLD, onHold(victims, why)))
        .orElseGet(
            () ->
                status(
                    unit,
                    PendingOutcome.RECLAIMING,
                    "to be reclaimed for it, on " + nodes(best) + ": " + names(victims)))
        .losing(ExpectedLoss.gpuMinutes(best.loss()));
  }

  private String onHold(List<Due> victims, WaitReason why) {
    Optional<String> cause =
        why == WaitReason.OTHERS_UNKNOWN ? others.doubt() : Optional.<String>empty();
    return names(victims)
        + " would be reclaimed for it, but not now: "
        + why.sentence()
        + cause.map(words -> ": " + words).orElse("");
  }

  private static String noun(PendingUnit unit) {
    return unit.requested().keySet().equals(Set.of(ResourceNames.GPU)) ? "GPUs" : "devices";
  }

  private static String names(List<Due> victims) {
    return inBrief(victims.stream().map(due -> due.workload().toString()).toList());
  }

  private static String nodes(UnitVictims best) {
    return inBrief(best.served().stream().map(ServedPod::node).distinct().sorted().toList());
  }

  static String inBrief(List<String> names) {
    int more = names.size() - MOST_NAMES;
    return String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size())))
        + (more > 0 ? " and " + more + " more" : "");
  }

  void choose(Due due, Optional<Beneficiary> pending) {
    var step = new Act(due, pending);
    actions.add(step);
    chosen.put(due, step);
    budgets.spend(due);
  }

  /** A later workload must not spend the budget that this one is waiting for. */
  void hold(Due due, WaitReason why) {
    waiting.put(due, why);
    if (why == WaitReason.HOUR_SPENT || why == WaitReason.GPU_SHARE_SPENT) {
      closed = closed.or(() -> Optional.of(why));
    }
  }

  /** Workloads of a namespace without a budget are no victims any longer. */
  void closeNamespace(Due last) {
    String namespace = last.workload().namespace();
    Optional<WaitReason> why =
        Optional.ofNullable(waiting.get(last)).or(() -> budgets.exhausted(namespace));
    why.filter(WaitReason::isOfNamespace).ifPresent(each -> closeNamespace(namespace, each));
  }

  private void closeNamespace(String namespace, WaitReason why) {
    nodes.withdraw(
        due -> {
          boolean meant = due.workload().namespace().equals(namespace);
          if (meant) {
            waiting.put(due, why);
          }
          return meant;
        });
  }

  private List<Step> steps(List<Due> ordered, WaitReason otherwise) {
    Stream<Step> waits =
        ordered.stream()
            .filter(due -> !chosen.containsKey(due))
            .map(due -> new Wait(due, waiting.getOrDefault(due, otherwise)));
    return Stream.concat(actions.stream(), waits).toList();
  }
}
