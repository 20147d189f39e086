package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedLeadership;
import io.gpureclaimer.reclaimer.cycle.ReclaimCycle;
import io.gpureclaimer.reclaimer.evidence.ActivitySource;
import io.gpureclaimer.reclaimer.execution.NominatedNodes;
import io.gpureclaimer.reclaimer.execution.PlanExecutor.StepResult;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.plan.VictimCost;
import io.gpureclaimer.reclaimer.simulate.Simulation.FreedForPod;
import io.gpureclaimer.reclaimer.simulate.Simulation.ReclaimerProgram;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.RuntimeBeanDefinition;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * This program as it runs in a cluster, wired by itself, with only its surroundings replaced: the
 * cluster, the activity source, the clock and the Lease. It has no server, no schedule, and no
 * receivers of messages.
 */
final class SimulatedProgram implements ReclaimerProgram {
  private final ApplicationContext context;
  private final ReclaimCycle cycle;
  private final NominatedNodes nominatedNodes;

  private SimulatedProgram(ApplicationContext context) {
    this.context = context;
    this.cycle = context.getBean(ReclaimCycle.class);
    this.nominatedNodes = context.getBean(NominatedNodes.class);
  }

  static SimulatedProgram start(
      Map<String, Object> properties,
      SimulatedCluster cluster,
      ActivitySource source,
      Clock clock,
      Optional<VictimCost> cost) {
    var surroundings = new ArrayList<RuntimeBeanDefinition<?>>();
    surroundings.add(replacement(Clock.class, clock));
    surroundings.add(replacement(ActivitySource.class, source));
    cost.ifPresent(other -> surroundings.add(replacement(VictimCost.class, other)));
    return new SimulatedProgram(
        ApplicationContext.builder()
            .properties(properties)
            .deduceEnvironment(false)
            .banner(false)
            .eagerBeansEnabled(false)
            .singletons(cluster, SimulatedLeadership.alone("simulated"))
            .beanDefinitions(surroundings.toArray(RuntimeBeanDefinition[]::new))
            .start());
  }

  private static <T> RuntimeBeanDefinition<T> replacement(Class<T> type, T bean) {
    return RuntimeBeanDefinition.builder(type, () -> bean).singleton(true).replaces(type).build();
  }

  @Override
  public List<FreedForPod> runCycle() {
    return cycle.run().results().stream()
        .filter(result -> result.result() instanceof ActionResult.Done)
        .map(StepResult::step)
        .filter(Step.Act.class::isInstance)
        .map(Step.Act.class::cast)
        .flatMap(
            act ->
                act.demand().stream()
                    .map(
                        demand ->
                            new FreedForPod(
                                act.workload().pods().stream().map(PodView::ref).toList(),
                                demand.pod())))
        .toList();
  }

  @Override
  public void betweenCycles() {
    nominatedNodes.update();
  }

  @Override
  public void close() {
    context.close();
  }
}
