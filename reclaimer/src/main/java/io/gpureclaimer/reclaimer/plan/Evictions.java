package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.plan.Step.Evict;
import io.gpureclaimer.reclaimer.plan.Step.Wait;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides which of the workloads that are due go now. What goes in any case goes first; only what
 * waiting pods still miss then is taken from workloads that go on demand. Confined to one planning.
 */
final class Evictions {
  private static final Comparator<Due> LONGEST_IDLE_FIRST =
      Comparator.comparing(Due::idleFor).reversed().thenComparing(due -> due.pod().ref().uid());

  /** What two waiting pods have in common when one cannot be served because the other cannot. */
  private record Shape(int gpus, Placement placement) {
    static Shape of(Demand demand) {
      return new Shape(demand.gpus(), demand.placement());
    }
  }

  private final Situation situation;
  private final Allowance allowance;
  private final Sites sites;
  private final Set<Shape> hopeless = new HashSet<>();

  /** By identity: a verdict is large, and two of them are never the same. */
  private final IdentityHashMap<Due, NotNow> held = new IdentityHashMap<>();

  private final IdentityHashMap<Due, Evict> going = new IdentityHashMap<>();
  private final List<Evict> evicted = new ArrayList<>();

  /** Set when somebody may not go until budgets fill again: nobody may overtake him. */
  private Optional<NotNow> closed = Optional.empty();

  private Evictions(Situation situation, Budgets budgets) {
    this.situation = situation;
    this.allowance = new Allowance(situation, budgets);
    this.sites = new Sites(situation.cluster());
  }

  /** A step for each workload that is due: who goes, in this order, and then who waits. */
  static List<Step> of(
      Collection<Due> due, List<Demand> demands, Situation situation, Budgets budgets) {
    var evictions = new Evictions(situation, budgets);
    List<Due> ordered = due.stream().sorted(LONGEST_IDLE_FIRST).toList();
    evictions.reserve();
    ordered.stream().filter(each -> each.mode() == Mode.ALWAYS).forEach(evictions::go);
    ordered.stream().filter(each -> each.mode() != Mode.ALWAYS).forEach(evictions::offer);
    List<Demand> unserved = evictions.withoutNominated(demands);
    unserved.stream().takeWhile(_ -> evictions.mayGoOn()).forEach(evictions::serve);
    return evictions.steps(ordered, evictions.otherwise(demands));
  }

  /** For whom somebody went already, his GPUs are nobody else's. */
  private void reserve() {
    for (Nominations.Nomination nomination : situation.memory().nominations().all()) {
      sites.named(nomination.node()).ifPresent(site -> site.take(nomination.demand().gpus()));
    }
  }

  private List<Demand> withoutNominated(List<Demand> demands) {
    Set<String> nominated = situation.memory().nominations().waiting();
    return demands.stream().filter(demand -> !nominated.contains(demand.pod().uid())).toList();
  }

  private boolean mayGoOn() {
    return closed.isEmpty() && allowance.exhausted().isEmpty();
  }

  private NotNow otherwise(List<Demand> demands) {
    return demands.isEmpty()
        ? NotNow.NOBODY_WAITS
        : closed.or(allowance::exhausted).orElse(NotNow.NOT_NEEDED);
  }

  private void go(Due due) {
    Optional<NotNow> objection =
        spared(due).or(() -> closed).or(() -> allowance.objection(List.of(due)));
    if (objection.isPresent()) {
      hold(due, objection.get());
    } else {
      evict(due, Optional.empty());
      sites.on(due.pod(), site -> site.give(due.pod().gpus()));
    }
  }

  /** Who waits, waits for whole GPUs: what holds none has none to offer. */
  private void offer(Due due) {
    Optional<NotNow> objection =
        spared(due).or(() -> allowance.exhausted(due.pod().ref().namespace()));
    if (objection.isPresent()) {
      held.put(due, objection.get());
    } else if (due.pod().gpus() > 0) {
      sites.on(due.pod(), site -> site.offer(due));
    }
  }

  private Optional<NotNow> spared(Due due) {
    NamespaceBudget own = situation.caps(due.pod().ref().namespace());
    if (due.pod().priority() > own.maxPriority()) {
      return Optional.of(NotNow.PRIORITY_TOO_HIGH);
    }
    return situation.memory().names().cools(due.pod().ref(), situation.now())
        ? Optional.of(NotNow.COOLING_DOWN)
        : allowance.ofOwner(due);
  }

  private void serve(Demand demand) {
    if (hopeless.contains(Shape.of(demand))) {
      return;
    }
    Optional<Victims> best = sites.best(demand);
    if (best.isPresent()) {
      settle(demand, best.get());
    } else {
      hopeless.add(Shape.of(demand));
    }
  }

  /** What serves the one is promised to it, now or in a later plan, and serves nobody else. */
  private void settle(Demand demand, Victims victims) {
    Optional<NotNow> objection =
        victims.pods().isEmpty() ? Optional.empty() : allowance.objection(victims.pods());
    if (objection.equals(Optional.of(NotNow.BUDGET_TOO_SMALL))) {
      hopeless.add(Shape.of(demand));
      victims.pods().forEach(due -> held.put(due, NotNow.BUDGET_TOO_SMALL));
      return;
    }
    sites.named(victims.node()).ifPresent(site -> promise(site, victims, demand));
    objection.ifPresentOrElse(
        why -> victims.pods().forEach(due -> hold(due, why)),
        () -> victims.pods().forEach(due -> evict(due, Optional.of(demand))));
    victims.pods().forEach(this::closeNamespace);
  }

  private static void promise(Site site, Victims victims, Demand demand) {
    site.take(demand.gpus());
    victims.pods().forEach(due -> site.give(due.pod().gpus()));
    Set<String> uids =
        victims.pods().stream().map(due -> due.pod().ref().uid()).collect(Collectors.toSet());
    site.withdraw(due -> uids.contains(due.pod().ref().uid()));
  }

  private void evict(Due due, Optional<Demand> forWhom) {
    var step = new Evict(due, forWhom);
    evicted.add(step);
    going.put(due, step);
    allowance.take(due);
  }

  /** Whoever comes later must not spend what this one is waiting for. */
  private void hold(Due due, NotNow why) {
    held.put(due, why);
    if (why == NotNow.HOUR_SPENT || why == NotNow.GPU_SHARE_SPENT) {
      closed = closed.or(() -> Optional.of(why));
    }
  }

  /** Who cannot go any more need not be asked for. */
  private void closeNamespace(Due last) {
    String namespace = last.pod().ref().namespace();
    Optional<NotNow> why =
        Optional.ofNullable(held.get(last)).or(() -> allowance.exhausted(namespace));
    why.filter(NotNow::isOfNamespace).ifPresent(each -> closeNamespace(namespace, each));
  }

  private void closeNamespace(String namespace, NotNow why) {
    sites.withdraw(
        due -> {
          boolean meant = due.pod().ref().namespace().equals(namespace);
          if (meant) {
            held.put(due, why);
          }
          return meant;
        });
  }

  private List<Step> steps(List<Due> ordered, NotNow otherwise) {
    Stream<Step> waits =
        ordered.stream()
            .filter(due -> !going.containsKey(due))
            .map(due -> new Wait(due, held.getOrDefault(due, otherwise)));
    return Stream.concat(evicted.stream(), waits).toList();
  }
}
