package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedLeadership;
import io.gpureclaimer.reclaimer.config.ReclaimerConfig;
import io.gpureclaimer.reclaimer.evidence.SignalHistoryStore;
import io.gpureclaimer.reclaimer.execution.Checkpoints;
import io.gpureclaimer.reclaimer.execution.Checkpoints.CheckpointLimits;
import io.gpureclaimer.reclaimer.execution.NominatedNodes;
import io.gpureclaimer.reclaimer.execution.PlanExecutor;
import io.gpureclaimer.reclaimer.execution.PlanExecutor.StepResult;
import io.gpureclaimer.reclaimer.execution.Postponements;
import io.gpureclaimer.reclaimer.execution.PreActionCheck;
import io.gpureclaimer.reclaimer.execution.WarningWriter;
import io.gpureclaimer.reclaimer.plan.CircuitBreaker;
import io.gpureclaimer.reclaimer.plan.Planner;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import io.gpureclaimer.reclaimer.policy.CheckpointTargets;
import io.gpureclaimer.reclaimer.policy.Policies;
import io.gpureclaimer.reclaimer.reclamation.OwnerReclaimer;
import io.gpureclaimer.reclaimer.reclamation.PodEvictor;
import io.gpureclaimer.reclaimer.reclamation.ReclamationReconciler;
import io.gpureclaimer.reclaimer.reclamation.RestoreTriggers;
import io.gpureclaimer.reclaimer.reclamation.UnfinishedRecords;
import io.gpureclaimer.reclaimer.verdict.Judge;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One process of the reclaimer: everything that it would forget by a crash is in here. */
final class InMemoryReplica {
  static final PlanLimits LIMITS = new PlanLimits(2, Duration.ofSeconds(30));

  static final CheckpointLimits LIMITS_OF_HOOKS = new CheckpointLimits(Duration.ofSeconds(30), 3);

  /** A breaker that no event of a single cluster opens, but a source that is blind or astray. */
  static final CircuitBreaker.Limits NEVER =
      new CircuitBreaker.Limits(
          0, 1, 1_000, Duration.ZERO, Duration.ZERO, Duration.ZERO, JudgeScenario.LIMITS.maxSkew());

  private final SimulatedLeadership leadership;
  private final ApiInterceptor wire;
  private final ReclaimCycle cycle;

  /** What was results, even if the cycle did not come to its end. */
  private final List<StepResult> results = new ArrayList<>();

  private InMemoryReplica(
      SimulatedLeadership leadership,
      SmallCluster world,
      PlanLimits limits,
      CircuitBreaker.Limits breaker,
      boolean dryRun) {
    this.leadership = leadership;
    this.wire = new ApiInterceptor(world.cluster, leadership);
    this.cycle = cycle(world, limits, breaker, dryRun);
  }

  static InMemoryReplica leading(String name, SmallCluster world) {
    return new InMemoryReplica(SimulatedLeadership.alone(name), world, LIMITS, NEVER, false);
  }

  static InMemoryReplica leading(String name, SmallCluster world, PlanLimits limits) {
    return new InMemoryReplica(SimulatedLeadership.alone(name), world, limits, NEVER, false);
  }

  static InMemoryReplica leading(
      String name, SmallCluster world, PlanLimits limits, CircuitBreaker.Limits breaker) {
    return new InMemoryReplica(SimulatedLeadership.alone(name), world, limits, breaker, false);
  }

  static InMemoryReplica following(String name, SmallCluster world) {
    return new InMemoryReplica(SimulatedLeadership.undecided(name), world, LIMITS, NEVER, false);
  }

  static InMemoryReplica rehearsing(SmallCluster world) {
    return new InMemoryReplica(SimulatedLeadership.alone("rehearsal"), world, LIMITS, NEVER, true);
  }

  private ReclaimCycle cycle(
      SmallCluster world, PlanLimits limits, CircuitBreaker.Limits breaker, boolean dryRun) {
    var unfinished = new UnfinishedRecords(wire, leadership, world.clock);
    var judge = new Judge(SmallCluster.DEFAULTS, JudgeScenario.LIMITS);
    var postponements = new Postponements(world.clock);
    var check = new PreActionCheck(wire, world.agents, judge, world.clock);
    var warnings =
        new WarningWriter(wire, leadership, world.messenger, postponements, world.clock, dryRun);
    return new ReclaimCycle(
        wire,
        world.agents,
        SignalHistoryStore.none(),
        judge,
        new PastOfWorkloads(world.agents, Duration.ofDays(7)),
        new CircuitBreaker(breaker),
        new Planner(limits),
        postponements,
        new PlanExecutor(
            wire,
            leadership,
            world.messenger,
            warnings,
            check,
            new Checkpoints(
                dryRun ? CheckpointTargets.NONE : SmallCluster.HOOKS,
                LIMITS_OF_HOOKS,
                world.hooks,
                world.clock),
            new OwnerReclaimer(wire, leadership, unfinished, world.clock),
            new PodEvictor(wire, leadership, world.clock),
            postponements,
            dryRun),
        new ReclamationReconciler(
            wire,
            leadership,
            unfinished,
            new RestoreTriggers(new Policies(SmallCluster.DEFAULTS), RestoreTriggers.SETTLED),
            world.clock,
            dryRun),
        new NominatedNodes(wire, leadership, world.clock, false, Duration.ofMinutes(3)),
        leadership,
        new ReclaimerConfig(Duration.ofMinutes(1), "false", false, "team", "embedded"),
        world.clock);
  }

  /** One cycle, as the job runs it. */
  CycleReport run() {
    CycleReport planned = cycle.plan();
    return leadership.isHeld() ? cycle.act(planned, results::add) : planned;
  }

  ReclaimCycle cycle() {
    return cycle;
  }

  ApiInterceptor wire() {
    return wire;
  }

  SimulatedLeadership leadership() {
    return leadership;
  }

  /** Every deed since the last time this was asked, in words. */
  List<String> takeDeeds() {
    List<String> taken = results.stream().map(InMemoryReplica::words).toList();
    results.clear();
    return taken;
  }

  private static String words(StepResult result) {
    return result.step().name() + " " + result.step().workload().name() + ": " + result.sentence();
  }
}
