package io.gpureclaimer.reclaimer.simulate;

import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedNode;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedWorkload;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * GPUs that no pod holds, and how many of them typical pods cannot use: FGD's measure for whole
 * GPUs. All free GPUs of a node count for each pod of the trace that does not fit on it, by the
 * share of such pods. Confined to the thread of the simulation.
 */
final class FragmentedGpus {
  private final Map<String, Integer> freeByNode = new HashMap<>();

  /** Share of the pods that do not fit, by the node and its number of free GPUs. */
  private final Map<String, double[]> misfitsByNode = new HashMap<>();

  private final Map<String, double[]> misfitsByModel = new HashMap<>();

  private final Map<PodGpuRequest, Long> shapes;
  private final int most;
  private long free;
  private double fragmented;

  private record PodGpuRequest(int gpus, Set<String> models) {}

  FragmentedGpus(List<TracedNode> all, List<TracedWorkload> workloads) {
    most = all.stream().mapToInt(TracedNode::gpus).max().orElse(0);
    shapes =
        workloads.stream()
            .flatMap(
                each -> each.podGpus().stream().map(gpus -> new PodGpuRequest(gpus, each.models())))
            .collect(Collectors.groupingBy(request -> request, Collectors.counting()));
    all.forEach(this::addNode);
  }

  /** A node is there from now on, with as many GPUs as one of those at the start at most. */
  void addNode(TracedNode node) {
    misfitsByNode.put(node.name(), misfitsByModel.computeIfAbsent(node.model(), this::misfits));
    freeByNode.put(node.name(), 0);
    add(node.name(), node.gpus());
  }

  /** A node is gone that no pod used. */
  void removeNode(String node) {
    add(node, -freeByNode.getOrDefault(node, 0));
    freeByNode.remove(node);
    misfitsByNode.remove(node);
  }

  private double[] misfits(String model) {
    double all = shapes.values().stream().mapToLong(Long::longValue).sum();
    double[] shares = new double[most + 1];
    shapes.forEach(
        (shape, count) -> {
          boolean isSuited = shape.models().isEmpty() || shape.models().contains(model);
          for (int left = 0; left <= most; left++) {
            shares[left] += isSuited && shape.gpus() <= left ? 0 : count / all;
          }
        });
    return shares;
  }

  /** Adds GPUs of a node to the free ones; takes them away if the number is negative. */
  void add(String node, int gpus) {
    int before = freeByNode.getOrDefault(node, 0);
    int after = before + gpus;
    freeByNode.put(node, after);
    free += gpus;
    fragmented += fragmented(node, after) - fragmented(node, before);
  }

  private double fragmented(String node, int count) {
    double[] shares = misfitsByNode.getOrDefault(node, new double[count + 1]);
    return count * shares[count];
  }

  /** How many GPUs are free. */
  long free() {
    return free;
  }

  /** How many of them a typical pod cannot use, on average over the pods of the trace. */
  double fragmented() {
    return Math.max(0, fragmented);
  }
}
