package io.gpureclaimer.reclaimer.faults;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.gpureclaimer.reclaimer.audit.Auditor.CycleListener;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedLeadership;
import io.gpureclaimer.reclaimer.cycle.ReclaimCycle;
import io.gpureclaimer.reclaimer.evidence.SignalHistoryStore;
import io.gpureclaimer.reclaimer.reclamation.OwnerReclaimer;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.RuntimeBeanDefinition;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/** One process of the real program, wired by itself, with only the world around it replaced. */
final class WiredReplica implements AutoCloseable {
  static {
    // Other classes of the same JVM read what a program prints.
    ((Logger) LoggerFactory.getLogger(OwnerReclaimer.class.getPackageName())).setLevel(Level.OFF);
  }

  private final FaultyApi api;
  private final SimulatedLeadership leadership;
  private final ApplicationContext context;

  private WiredReplica(FaultyApi api, SimulatedLeadership leadership, ApplicationContext context) {
    this.api = api;
    this.leadership = leadership;
    this.context = context;
  }

  /**
   * Starts it.
   *
   * @param others parts that stand in for the program's own
   */
  static WiredReplica start(
      String name, FaultyApi api, Clock clock, Map<String, Object> properties, Object... others) {
    var leadership = SimulatedLeadership.alone(name);
    var parts = new ArrayList<Object>(List.of(api, leadership));
    parts.addAll(List.of(others));
    ApplicationContext context =
        ApplicationContext.builder()
            .properties(properties)
            .singletons(parts.toArray())
            .beanDefinitions(
                RuntimeBeanDefinition.builder(Clock.class, () -> clock)
                    .singleton(true)
                    .replaces(Clock.class)
                    .build(),
                RuntimeBeanDefinition.builder(
                        SignalHistoryStore.class,
                        () -> new SignalHistoryStore(Duration.ofMinutes(2)))
                    .singleton(true)
                    .replaces(SignalHistoryStore.class)
                    .build())
            .deduceEnvironment(false)
            .banner(false)
            .start();
    return new WiredReplica(api, leadership, context);
  }

  /** One cycle, as the job runs it; nothing if it had to be abandoned. */
  Optional<CycleReport> run() {
    ReclaimCycle cycle = context.getBean(ReclaimCycle.class);
    try {
      CycleReport looked = cycle.plan();
      context
          .getBeansOfType(CycleListener.class)
          .forEach(listener -> listener.onPlan(looked, leadership.isHeld()));
      return Optional.of(leadership.isHeld() ? cycle.act(looked, _ -> {}) : looked);
    } catch (ClusterUnreachable _) {
      return Optional.empty();
    }
  }

  <T> T part(Class<T> type) {
    return context.getBean(type);
  }

  FaultyApi api() {
    return api;
  }

  SimulatedLeadership leadership() {
    return leadership;
  }

  @Override
  public void close() {
    context.close();
  }
}
