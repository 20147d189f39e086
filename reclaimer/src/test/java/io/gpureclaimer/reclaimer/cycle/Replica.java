package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.reclaimer.act.Backoff;
import io.gpureclaimer.reclaimer.act.Deed;
import io.gpureclaimer.reclaimer.act.DeedSentence;
import io.gpureclaimer.reclaimer.act.Performer;
import io.gpureclaimer.reclaimer.act.Reclamation;
import io.gpureclaimer.reclaimer.act.SecondLook;
import io.gpureclaimer.reclaimer.act.WarningWriter;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.audit.Names;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedLeadership;
import io.gpureclaimer.reclaimer.evidence.SignalHistoryStore;
import io.gpureclaimer.reclaimer.plan.BreakerLimits;
import io.gpureclaimer.reclaimer.plan.CircuitBreaker;
import io.gpureclaimer.reclaimer.plan.PlanLimits;
import io.gpureclaimer.reclaimer.plan.Planner;
import io.gpureclaimer.reclaimer.verdict.Judge;
import io.gpureclaimer.reclaimer.verdict.Scene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One process of the reclaimer: everything that it would forget by a crash is in here. */
final class Replica {
  static final PlanLimits LIMITS = new PlanLimits(2, Duration.ofSeconds(30));

  /** A breaker that no event of a single cluster opens, but a source that is blind or astray. */
  static final BreakerLimits NEVER =
      new BreakerLimits(
          0, 1, 1_000, Duration.ZERO, Duration.ZERO, Duration.ZERO, Scene.LIMITS.maxSkew());

  private final SimulatedLeadership leadership;
  private final Wire wire;
  private final ReclaimCycle cycle;

  /** What was witnessed, even if the cycle did not come to its end. */
  private final List<Deed> witnessed = new ArrayList<>();

  private Replica(
      SimulatedLeadership leadership,
      World world,
      PlanLimits limits,
      BreakerLimits breaker,
      boolean dryRun) {
    this.leadership = leadership;
    this.wire = new Wire(world.cluster, leadership);
    this.cycle = cycle(world, limits, breaker, dryRun);
  }

  static Replica leading(String name, World world) {
    return new Replica(SimulatedLeadership.alone(name), world, LIMITS, NEVER, false);
  }

  static Replica leading(String name, World world, PlanLimits limits) {
    return new Replica(SimulatedLeadership.alone(name), world, limits, NEVER, false);
  }

  static Replica leading(String name, World world, PlanLimits limits, BreakerLimits breaker) {
    return new Replica(SimulatedLeadership.alone(name), world, limits, breaker, false);
  }

  static Replica following(String name, World world) {
    return new Replica(SimulatedLeadership.undecided(name), world, LIMITS, NEVER, false);
  }

  static Replica rehearsing(World world) {
    return new Replica(SimulatedLeadership.alone("rehearsal"), world, LIMITS, NEVER, true);
  }

  private ReclaimCycle cycle(
      World world, PlanLimits limits, BreakerLimits breaker, boolean dryRun) {
    var judge = new Judge(World.DEFAULTS, Scene.LIMITS);
    var backoff = new Backoff(world.clock);
    var look = new SecondLook(wire, world.agents, judge, world.clock);
    var warnings =
        new WarningWriter(wire, leadership, world.messenger, backoff, world.clock, dryRun);
    var reclamation = new Reclamation(wire, leadership, world.messenger, look, backoff, dryRun);
    return new ReclaimCycle(
        wire,
        world.agents,
        SignalHistoryStore.none(),
        judge,
        new CircuitBreaker(breaker),
        new Planner(limits),
        backoff,
        new Performer(leadership, warnings, reclamation),
        leadership,
        world.clock);
  }

  /** One cycle, as the job runs it. */
  CycleReport run() {
    CycleReport looked = cycle.look();
    return leadership.isHeld() ? cycle.act(looked, witnessed::add) : looked;
  }

  ReclaimCycle cycle() {
    return cycle;
  }

  Wire wire() {
    return wire;
  }

  SimulatedLeadership leadership() {
    return leadership;
  }

  /** Every deed since the last time this was asked, in words. */
  List<String> takeDeeds() {
    List<String> taken = witnessed.stream().map(Replica::words).toList();
    witnessed.clear();
    return taken;
  }

  private static String words(Deed deed) {
    return Names.of(deed.step())
        + " "
        + deed.step().verdict().workload().name()
        + ": "
        + DeedSentence.of(deed);
  }
}
