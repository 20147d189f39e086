package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Everything that a plan is made of.
 *
 * @param verdicts of every workload
 * @param cluster which they were made of
 * @param caps what namespaces allow themselves; one that is missing here has no caps of its own
 * @param health whether they can be built on
 * @param memory of what was done before
 * @param now our clock
 */
public record Situation(
    List<Verdict> verdicts,
    ClusterView cluster,
    Map<String, NamespaceBudget> caps,
    Health health,
    Memory memory,
    Instant now) {
  public Situation {
    verdicts = List.copyOf(verdicts);
    caps = Map.copyOf(caps);
  }

  /** Before the first look. */
  public static Situation nothing(Memory memory, Instant now) {
    var empty = new ClusterView(List.of(), Map.of(), List.of(), Map.of());
    return new Situation(List.of(), empty, Map.of(), Health.GOOD, memory, now);
  }

  NamespaceBudget caps(String namespace) {
    return caps.getOrDefault(namespace, NamespaceBudget.NONE);
  }

  /**
   * How many GPUs nodes tell of. Those that only resource claims can get are not among them: a
   * claim does not say whether its device is a whole GPU, and parts must not make budgets larger.
   */
  int gpus() {
    return cluster.nodes().stream().mapToInt(NodeView::gpus).sum();
  }
}
