package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.plan.ActionBudgets.NamespaceBudget;
import io.gpureclaimer.reclaimer.plan.CandidateNodes.Served;
import io.gpureclaimer.reclaimer.plan.CandidateNodes.UnitVictims;
import io.gpureclaimer.reclaimer.plan.Planner.PlanInput;
import io.gpureclaimer.reclaimer.plan.Step.Act;
import io.gpureclaimer.reclaimer.plan.Step.Beneficiary;
import io.gpureclaimer.reclaimer.plan.Step.Wait;
import io.gpureclaimer.reclaimer.plan.Step.WaitReason;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Decides which of the workloads that are due are reclaimed now. Those that are reclaimed in any
 * case come first; what pending pods still miss then comes from workloads that are reclaimed on
 * demand. Confined to one planning.
 */
final class ActionSelection {
  private static final Comparator<Due> LONGEST_IDLE_FIRST =
      Comparator.comparing(Due::idleFor).reversed().thenComparing(due -> due.workload().uid());

  /** What two pending units have in common when one cannot be served because the other cannot. */
  private record Shape(int gpus, Placement placement) {
    static List<Shape> of(PendingUnit unit) {
      return unit.members().stream()
          .map(demand -> new Shape(demand.gpus(), demand.placement()))
          .toList();
    }
  }

  private final PlanInput input;
  private final BudgetCheck budgets;
  private final CandidateNodes nodes;
  private final Set<List<Shape>> hopeless = new HashSet<>();

  /** By identity: a verdict is large, and two of them are never the same. */
  private final IdentityHashMap<Due, WaitReason> waiting = new IdentityHashMap<>();

  private final IdentityHashMap<Due, Act> chosen = new IdentityHashMap<>();
  private final List<Act> actions = new ArrayList<>();

  /** Set when a workload waits for budgets to fill again: no later one may overtake it. */
  private Optional<WaitReason> closed = Optional.empty();

  private ActionSelection(PlanInput input, ActionBudgets budgets) {
    this.input = input;
    this.budgets = new BudgetCheck(input, budgets);
    this.nodes = new CandidateNodes(input.cluster());
  }

  /** A step for each workload that is due: first the actions in order, then those that wait. */
  static List<Step> of(
      Collection<Due> due, List<PendingUnit> units, PlanInput input, ActionBudgets budgets) {
    var selection = new ActionSelection(input, budgets);
    List<Due> ordered = due.stream().sorted(LONGEST_IDLE_FIRST).toList();
    selection.reserve();
    ordered.stream().filter(each -> each.mode() == Mode.ALWAYS).forEach(selection::reclaim);
    ordered.stream().filter(each -> each.mode() != Mode.ALWAYS).forEach(selection::offer);
    Set<String> nominated = input.history().nominations().waiting();
    units.stream()
        .flatMap(unit -> unit.without(nominated).stream())
        .takeWhile(_ -> selection.mayGoOn())
        .forEach(selection::serve);
    return selection.steps(ordered, selection.otherwise(units));
  }

  /** GPUs that were freed for a pending pod are not free for another one. */
  private void reserve() {
    for (Nominations.Nomination nomination : input.history().nominations().all()) {
      nodes.named(nomination.node()).ifPresent(node -> node.take(nomination.demand().gpus()));
    }
  }

  private boolean mayGoOn() {
    return closed.isEmpty() && budgets.exhausted().isEmpty();
  }

  private WaitReason otherwise(List<PendingUnit> units) {
    return units.isEmpty()
        ? WaitReason.NOBODY_WAITS
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

  /** Pending pods need whole GPUs: a workload without any has none to offer. */
  private void offer(Due due) {
    Optional<WaitReason> objection =
        spared(due).or(() -> budgets.exhausted(due.workload().namespace()));
    objection.ifPresentOrElse(why -> waiting.put(due, why), () -> nodes.offer(due));
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

  private void serve(PendingUnit unit) {
    if (hopeless.contains(Shape.of(unit))) {
      return;
    }
    Optional<UnitVictims> best = nodes.best(unit);
    if (best.isPresent()) {
      settle(unit, best.get());
    } else {
      hopeless.add(Shape.of(unit));
    }
  }

  /** Victims of one pending unit are promised to it, now or in a later plan, and serve no other. */
  private void settle(PendingUnit unit, UnitVictims best) {
    List<Due> victims = best.victims();
    Optional<WaitReason> objection =
        victims.isEmpty() ? Optional.empty() : budgets.objection(victims);
    if (objection.equals(Optional.of(WaitReason.BUDGET_TOO_SMALL))) {
      hopeless.add(Shape.of(unit));
      victims.forEach(due -> waiting.put(due, WaitReason.BUDGET_TOO_SMALL));
      return;
    }
    nodes.promise(best);
    objection.ifPresentOrElse(
        why -> victims.forEach(due -> hold(due, why)),
        () ->
            victims.forEach(
                due -> {
                  Served served = best.servedBy(due);
                  choose(due, Optional.of(new Beneficiary(served.demand(), served.node())));
                }));
    victims.forEach(this::closeNamespace);
  }

  private void choose(Due due, Optional<Beneficiary> pending) {
    var step = new Act(due, pending);
    actions.add(step);
    chosen.put(due, step);
    budgets.spend(due);
  }

  /** A later workload must not spend the budget that this one is waiting for. */
  private void hold(Due due, WaitReason why) {
    waiting.put(due, why);
    if (why == WaitReason.HOUR_SPENT || why == WaitReason.GPU_SHARE_SPENT) {
      closed = closed.or(() -> Optional.of(why));
    }
  }

  /** Workloads of a namespace without a budget are no victims any longer. */
  private void closeNamespace(Due last) {
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
