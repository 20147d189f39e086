package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedLeadership;
import io.gpureclaimer.reclaimer.cycle.ReclaimCycle;
import io.gpureclaimer.reclaimer.evidence.ActivitySource;
import io.gpureclaimer.reclaimer.simulate.Simulation.ReclaimerProgram;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.RuntimeBeanDefinition;
import java.time.Clock;
import java.util.Map;

/**
 * This program as it runs in a cluster, wired by itself, with only its surroundings replaced: the
 * cluster, the activity source, the clock and the Lease. It has no server, no schedule, and no
 * receivers of messages.
 */
final class SimulatedProgram implements ReclaimerProgram {
  private final ApplicationContext context;
  private final ReclaimCycle cycle;

  private SimulatedProgram(ApplicationContext context) {
    this.context = context;
    this.cycle = context.getBean(ReclaimCycle.class);
  }

  static SimulatedProgram start(
      Map<String, Object> properties,
      SimulatedCluster cluster,
      ActivitySource source,
      Clock clock) {
    return new SimulatedProgram(
        ApplicationContext.builder()
            .properties(properties)
            .deduceEnvironment(false)
            .banner(false)
            .eagerBeansEnabled(false)
            .singletons(cluster, SimulatedLeadership.alone("simulated"))
            .beanDefinitions(
                RuntimeBeanDefinition.builder(Clock.class, () -> clock)
                    .singleton(true)
                    .replaces(Clock.class)
                    .build(),
                RuntimeBeanDefinition.builder(ActivitySource.class, () -> source)
                    .singleton(true)
                    .replaces(ActivitySource.class)
                    .build())
            .start());
  }

  @Override
  public void runCycle() {
    cycle.run();
  }

  @Override
  public void close() {
    context.close();
  }
}
