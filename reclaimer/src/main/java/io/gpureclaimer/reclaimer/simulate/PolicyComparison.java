package io.gpureclaimer.reclaimer.simulate;

import io.gpureclaimer.reclaimer.simulate.Simulation.ProgramStarter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongFunction;

/**
 * Several policies over the same traces.
 *
 * @param description where the traces are from
 * @param length of each run
 * @param nodes how many nodes the cluster has
 * @param gpus how many GPUs they have
 * @param workloads how many workloads the trace of the first seed has
 * @param seeds one for each trace
 * @param outcomes one for each policy
 * @param remarks what was assumed or left out while traces were read
 */
public record PolicyComparison(
    String description,
    Duration length,
    int nodes,
    int gpus,
    int workloads,
    List<Long> seeds,
    List<PolicyOutcome> outcomes,
    List<String> remarks) {
  public PolicyComparison {
    seeds = List.copyOf(seeds);
    outcomes = List.copyOf(outcomes);
    remarks = List.copyOf(remarks);
  }

  /**
   * Result of one policy.
   *
   * @param runs one for each seed
   */
  public record PolicyOutcome(ComparedPolicy policy, List<SimulationResult> runs) {
    public PolicyOutcome {
      runs = List.copyOf(runs);
    }
  }

  /**
   * Plays every policy over the trace of every seed, as many at once as there are processors.
   *
   * @param traces the trace of a seed
   * @param interval between two cycles of a policy
   * @param starter starts this program for a run
   */
  public static PolicyComparison run(
      LongFunction<WorkloadTrace> traces,
      List<Long> seeds,
      List<ComparedPolicy> policies,
      Duration interval,
      ProgramStarter starter) {
    List<List<SimulationResult>> byPolicy = new ArrayList<>();
    policies.forEach(_ -> byPolicy.add(new ArrayList<>()));
    List<WorkloadTrace> first = new ArrayList<>();
    try (ExecutorService threads =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      for (long seed : seeds) {
        WorkloadTrace trace = traces.apply(seed);
        if (first.isEmpty()) {
          first.add(trace);
        }
        List<Future<SimulationResult>> runs =
            policies.stream()
                .map(
                    policy ->
                        threads.submit(
                            (Callable<SimulationResult>)
                                () -> Simulation.run(trace, seed, policy, interval, starter)))
                .toList();
        for (int i = 0; i < runs.size(); i++) {
          byPolicy.get(i).add(resultOf(runs.get(i)));
        }
      }
    }
    return of(first.getFirst(), seeds, policies, byPolicy);
  }

  private static PolicyComparison of(
      WorkloadTrace trace,
      List<Long> seeds,
      List<ComparedPolicy> policies,
      List<List<SimulationResult>> byPolicy) {
    var outcomes = new ArrayList<PolicyOutcome>();
    for (int i = 0; i < policies.size(); i++) {
      outcomes.add(new PolicyOutcome(policies.get(i), byPolicy.get(i)));
    }
    return new PolicyComparison(
        trace.description(),
        trace.length(),
        trace.nodes().size(),
        trace.gpus(),
        trace.workloads().size(),
        seeds,
        outcomes,
        trace.remarks());
  }

  private static SimulationResult resultOf(Future<SimulationResult> run) {
    try {
      return run.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the simulation was interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a run of the simulation failed", e.getCause());
    }
  }
}
