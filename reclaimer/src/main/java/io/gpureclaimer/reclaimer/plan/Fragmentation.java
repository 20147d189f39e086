package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Free whole GPUs, and how many of them pods cannot use because too few are free on one node: the
 * measure of FGD (ATC'23) for GPU counts. CPU and memory of nodes are not read, so that the real
 * fragmentation may be higher.
 *
 * @param pools by name
 */
public record Fragmentation(List<Pool> pools) {

  public Fragmentation {
    pools = List.copyOf(pools);
  }

  /**
   * Nodes with the same GPUs. Only nodes that are ready and not cordoned count.
   *
   * @param name the label {@code nvidia.com/gpu.product} of its nodes; empty where they have none
   * @param free GPUs that no pod holds
   * @param stranded free GPUs on nodes that have too few of them for a pod, by the number of GPUs
   *     that it requests
   * @param pods how many pods of each number of GPUs run in the pool, or are pending and may
   */
  public record Pool(
      String name,
      int free,
      SortedMap<Integer, Integer> stranded,
      SortedMap<Integer, Integer> pods) {

    /** Free GPUs that a typical pod cannot use: the mean over the pods. */
    public double fragmented() {
      double all = pods.values().stream().mapToInt(Integer::intValue).sum();
      double sum = 0;
      for (Map.Entry<Integer, Integer> shape : pods.entrySet()) {
        sum += shape.getValue() / all * stranded.getOrDefault(shape.getKey(), 0);
      }
      return sum;
    }
  }

  /** That of a cluster, in one pass over its nodes and one over its pods. */
  public static Fragmentation of(ClusterView cluster) {
    Map<String, PoolNode> nodes = HashMap.newHashMap(cluster.nodes().size());
    SortedMap<String, PoolTotals> pools = new TreeMap<>();
    for (NodeView view : cluster.nodes()) {
      // Others offer MIG devices or have claimed ones.
      if (view.gpus() > 0) {
        PoolTotals pool = pools.computeIfAbsent(poolOf(view), _ -> new PoolTotals());
        nodes.put(view.name(), new PoolNode(pool, view));
      }
    }
    for (PodView pod : cluster.pods()) {
      if (pod.gpus() > 0) {
        count(pod, nodes, pools);
      }
    }
    nodes.values().forEach(PoolNode::addFree);
    return new Fragmentation(
        pools.entrySet().stream().map(entry -> entry.getValue().close(entry.getKey())).toList());
  }

  /** The name of the pool of a node with whole GPUs. */
  static String poolOf(NodeView node) {
    return node.labels().getOrDefault(NodeView.PRODUCT, "");
  }

  private static void count(
      PodView pod, Map<String, PoolNode> nodes, Map<String, PoolTotals> pools) {
    if (pod.holdsGpus()) {
      pod.node().map(nodes::get).ifPresent(node -> node.hold(pod.gpus()));
    } else if (pod.awaitsGpus() && !pod.terminating()) {
      mayRunIn(pod, pools).forEach(pool -> pool.pods.merge(pod.gpus(), 1, Integer::sum));
    }
  }

  /** By the selector of the model; without one, any. */
  private static Collection<PoolTotals> mayRunIn(PodView pod, Map<String, PoolTotals> pools) {
    String product = pod.placement().nodeSelector().get(NodeView.PRODUCT);
    if (product == null) {
      return pools.values();
    }
    PoolTotals pool = pools.get(product);
    return pool == null ? List.of() : List.of(pool);
  }

  /** GPUs of one node. Confined to one computation. */
  private static final class PoolNode {
    private final PoolTotals pool;
    private final boolean accepting;
    private int free;

    PoolNode(PoolTotals pool, NodeView view) {
      this.pool = pool;
      this.accepting = view.accepting();
      this.free = view.gpus();
    }

    void hold(int gpus) {
      free -= gpus;
      pool.pods.merge(gpus, 1, Integer::sum);
    }

    void addFree() {
      if (accepting && free > 0) {
        pool.nodesByFree.merge(free, 1, Integer::sum);
      }
    }
  }

  /** Sums of one pool. Confined to one computation. */
  private static final class PoolTotals {
    private final SortedMap<Integer, Integer> nodesByFree = new TreeMap<>();
    private final SortedMap<Integer, Integer> pods = new TreeMap<>();

    Pool close(String name) {
      SortedMap<Integer, Integer> stranded = new TreeMap<>();
      pods.keySet().forEach(gpus -> stranded.put(gpus, free(nodesByFree.headMap(gpus))));
      return new Pool(name, free(nodesByFree), stranded, pods);
    }

    private static int free(Map<Integer, Integer> nodesByFree) {
      return nodesByFree.entrySet().stream()
          .mapToInt(entry -> entry.getKey() * entry.getValue())
          .sum();
    }
  }
}
