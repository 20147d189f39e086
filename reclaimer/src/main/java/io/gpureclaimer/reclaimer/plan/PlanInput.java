package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Everything that a plan is made from.
 *
 * @param verdicts on every workload
 * @param cluster that they were made from
 * @param caps what namespaces allow themselves; one that is missing here has no caps of its own
 * @param breaker whether anything may follow from them
 * @param history of earlier cycles
 * @param now our clock
 */
public record PlanInput(
    List<Verdict> verdicts,
    ClusterView cluster,
    Map<String, NamespaceBudget> caps,
    CircuitBreaker.BreakerStatus breaker,
    PlanHistory history,
    Instant now) {
  public PlanInput {
    verdicts = List.copyOf(verdicts);
    caps = Map.copyOf(caps);
  }

  /** Before the first observation. */
  public static PlanInput empty(PlanHistory history, Instant now) {
    var empty = new ClusterView(List.of(), Map.of(), List.of(), Map.of());
    return new PlanInput(
        List.of(), empty, Map.of(), CircuitBreaker.BreakerStatus.CLOSED, history, now);
  }

  NamespaceBudget caps(String namespace) {
    return caps.getOrDefault(namespace, NamespaceBudget.NONE);
  }

  /**
   * GPUs of all nodes. Those that only resource claims can get are not counted: a claim does not
   * say whether its device is a whole GPU, and parts must not make budgets larger.
   */
  int gpus() {
    return cluster.nodes().stream().mapToInt(NodeView::gpus).sum();
  }
}
