package io.gpureclaimer.reclaimer.cycle;

import com.sun.management.OperatingSystemMXBean;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.SignalHistoryStore;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.source.PrometheusSource;
import io.gpureclaimer.reclaimer.plan.ActionBudgets;
import io.gpureclaimer.reclaimer.plan.ActionBudgets.NamespaceBudget;
import io.gpureclaimer.reclaimer.plan.CircuitBreaker;
import io.gpureclaimer.reclaimer.plan.PlanHistory;
import io.gpureclaimer.reclaimer.plan.Planner;
import io.gpureclaimer.reclaimer.plan.Planner.Plan;
import io.gpureclaimer.reclaimer.plan.Planner.PlanInput;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.verdict.Judge;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;

/**
 * Measures the work of a whole cycle over {@link ClusterAtScale}, phase by phase, in CPU time of
 * the process: compiler, collector and all. The plan is made again with 500 evictions allowed, for
 * gangs, and for pending pods with rules about other pods. Arguments: how many nodes, the port of
 * {@link PrometheusAtScale}, how many cycles to warm up and how many to measure.
 */
final class CycleAtScale {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final Duration LISTENED = Duration.ofHours(6);
  private static final Duration LONGEST_GAP = Duration.ofMinutes(2);
  private static final List<String> PHASES =
      List.of("read", "judge", "breaker", "plan", "plan-500", "victims", "rules");

  private final PrometheusSource source;
  private final SignalHistoryStore signals = new SignalHistoryStore(LONGEST_GAP);
  private final ClusterView view;
  private final ClusterView withGangs;
  private final ClusterView withRules;
  private final Judge judge = new Judge(JudgeScenario.DEFAULTS, JudgeScenario.LIMITS);
  private final CircuitBreaker breaker =
      new CircuitBreaker(
          new CircuitBreaker.Limits(
              0.95,
              0.2,
              5,
              Duration.ofMinutes(30),
              Duration.ofMinutes(5),
              Duration.ofMinutes(5),
              Duration.ofSeconds(30)));
  private final Planner usual =
      new Planner(
          new PlanLimits(
              new ActionBudgets(2, 30, new NamespaceBudget(2, 10), 3, 0.1),
              Duration.ofSeconds(30),
              Duration.ofMinutes(5)));
  private final Planner generous = new Planner(new PlanLimits(500, Duration.ofSeconds(30)));
  private final double[] millis = new double[PHASES.size()];
  private int phase;

  /** Kept until the next cycle, as the last report is. */
  private Object report = "";

  private CycleAtScale(int nodes, int port) {
    view = new ClusterAtScale(nodes).view();
    withGangs = ClusterAtScale.withGangs(view);
    withRules = ClusterAtScale.withRules(withGangs);
    source =
        new PrometheusSource(
            PrometheusConnection.to(URI.create("http://127.0.0.1:" + port), Duration.ofMinutes(2)),
            Clock.fixed(ClusterAtScale.NOW, ZoneOffset.UTC));
    rememberSignals();
  }

  /** A program that has just started knows no earlier idle time, and warns no workload. */
  private void rememberSignals() {
    if (source.fetchAll().joined(Judge.identities(view.pods())) instanceof Seen seen) {
      for (Instant at = ClusterAtScale.NOW.minus(LISTENED);
          at.isBefore(ClusterAtScale.NOW);
          at = at.plus(LONGEST_GAP)) {
        signals.update(
            new Seen(
                at,
                seen.pods(),
                seen.oddities(),
                seen.unjoined(),
                seen.sourceStartedAt(),
                seen.format()));
      }
    }
  }

  public static void main(String... arguments) {
    var cycle = new CycleAtScale(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
    int warmUp = Integer.parseInt(arguments[2]);
    int measured = Integer.parseInt(arguments[3]);
    double[][] all = new double[measured][];
    for (int i = -warmUp; i < measured; i++) {
      cycle.run();
      if (i >= 0) {
        all[i] = cycle.millis.clone();
      }
    }
    for (int i = 0; i < PHASES.size(); i++) {
      int column = i;
      print(PHASES.get(i), Arrays.stream(all).mapToDouble(row -> row[column]));
    }
    print("total", Arrays.stream(all).mapToDouble(row -> row[0] + row[1] + row[2] + row[3]));
    cycle.printMemory();
  }

  private static void print(String name, DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    System.out.println(name + ".median " + Math.round(sorted[sorted.length / 2]) + " ms");
    System.out.println(name + ".slowest " + Math.round(sorted[sorted.length - 1]) + " ms");
  }

  private void run() {
    phase = 0;
    Observation observation =
        timed(() -> signals.update(source.fetchAll().joined(Judge.identities(view.pods()))));
    if (observation instanceof Observation.Blind(String reason)) {
      throw new IllegalStateException(reason);
    }
    List<Judgment> judgments = timed(() -> judge.judge(view, observation, ClusterAtScale.NOW));
    CircuitBreaker.BreakerCheck check =
        timed(
            () ->
                breaker.check(
                    observation,
                    judgments,
                    PlanHistory.none(ClusterAtScale.NOW),
                    ClusterAtScale.NOW));
    List<Verdict> verdicts = judgments.stream().map(Judgment::verdict).toList();
    var situation =
        new PlanInput(
            verdicts, view, Map.of(), check.status(), check.history(), ClusterAtScale.NOW);
    Plan plan = timed(() -> usual.plan(situation));
    Plan large = timed(() -> generous.plan(situation));
    var gangs =
        new PlanInput(
            verdicts, withGangs, Map.of(), check.status(), check.history(), ClusterAtScale.NOW);
    Plan victims = timed(() -> generous.plan(gangs));
    var restricted =
        new PlanInput(
            verdicts, withRules, Map.of(), check.status(), check.history(), ClusterAtScale.NOW);
    Plan rules = timed(() -> generous.plan(restricted));
    require("due", 5_000, verdicts.stream().filter(Verdict.Due.class::isInstance).count());
    require("evicted", 2, evictions(plan));
    require("pending units", ClusterAtScale.WAITING, victims.pending().size());
    require("pending units with rules", ClusterAtScale.WAITING, rules.pending().size());
    report =
        List.of(
            observation, judgments, plan, evictions(large), evictions(victims), evictions(rules));
  }

  private static long evictions(Plan plan) {
    return plan.entries().stream().filter(entry -> entry.step() instanceof Step.Act).count();
  }

  private void require(String what, int expected, long found) {
    if (view.nodes().size() == 10_000 && found != expected) {
      throw new IllegalStateException(expected + " should be " + what + ", was " + found);
    }
  }

  private <T> T timed(Supplier<T> work) {
    long before = SYSTEM.getProcessCpuTime();
    T result = work.get();
    millis[phase++] = (SYSTEM.getProcessCpuTime() - before) / 1e6;
    return result;
  }

  private void printMemory() {
    long peak =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .mapToLong(CycleAtScale::peak)
            .sum();
    System.gc();
    long after = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    System.out.println("heap.live " + (after >> 20) + " MiB");
    System.out.println("heap.peak " + (peak >> 20) + " MiB");
    if (report.equals("")) {
      throw new IllegalStateException("nothing was measured");
    }
  }

  private static long peak(MemoryPoolMXBean pool) {
    return pool.getPeakUsage().getUsed();
  }
}
