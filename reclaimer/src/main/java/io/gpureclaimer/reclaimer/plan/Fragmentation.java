package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Free whole GPUs, and how many of them pods cannot use because their node has too little left of
 * GPUs or another resource that the pods request: the measure of FGD (ATC'23).
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
   * @param stranded free GPUs on nodes where a pod does not fit, by the number of GPUs that it
   *     requests: the mean over the pods of that number
   * @param pods how many pods of each number of GPUs run in the pool, or are pending and may
   */
  public record Pool(
      String name,
      int free,
      SortedMap<Integer, Double> stranded,
      SortedMap<Integer, Integer> pods) {

    /** Free GPUs that a typical pod cannot use: the mean over the pods. */
    public double fragmented() {
      double all = pods.values().stream().mapToInt(Integer::intValue).sum();
      double sum = 0;
      for (Map.Entry<Integer, Integer> shape : pods.entrySet()) {
        sum += shape.getValue() / all * stranded.getOrDefault(shape.getKey(), 0.0);
      }
      return sum;
    }
  }

  /** That of a cluster, in one pass over its nodes and one over its pods. */
  public static Fragmentation of(ClusterView cluster) {
    return new Fragmentation(pools(cluster).stream().map(GpuPool::measure).toList());
  }

  /** Pools of a cluster, by name. */
  static List<GpuPool> pools(ClusterView cluster) {
    Map<String, Map<String, Long>> requested = cluster.scheduling().neighbors().requested();
    Map<String, PoolNode> nodes = HashMap.newHashMap(cluster.nodes().size());
    SortedMap<String, GpuPool> pools = new TreeMap<>();
    for (NodeView view : cluster.nodes()) {
      // Others offer MIG devices or have claimed ones.
      if (view.gpus() > 0) {
        String name = view.labels().getOrDefault(NodeView.PRODUCT, "");
        GpuPool pool = pools.computeIfAbsent(name, GpuPool::new);
        nodes.put(
            view.name(), new PoolNode(pool, view, requested.getOrDefault(view.name(), Map.of())));
      }
    }
    for (PodView pod : cluster.pods()) {
      if (pod.holdsGpus()) {
        pod.node().map(nodes::get).ifPresent(node -> node.hold(pod));
      } else if (pod.gpus() > 0 && pod.awaitsGpus() && !pod.terminating()) {
        mayRunIn(pod, pools).forEach(pool -> pool.pods.add(pod));
      }
    }
    return List.copyOf(pools.values());
  }

  /** By the selector of the model; without one, any. */
  private static Collection<GpuPool> mayRunIn(PodView pod, Map<String, GpuPool> pools) {
    String product = pod.placement().nodeSelector().get(NodeView.PRODUCT);
    if (product == null) {
      return pools.values();
    }
    GpuPool pool = pools.get(product);
    return pool == null ? List.of() : List.of(pool);
  }

  /** Nodes that accept pods, and pods that run in a pool or may. Confined to one computation. */
  static final class GpuPool {
    private final String name;
    private final List<PoolNode> nodes = new ArrayList<>();
    private final List<PodView> pods = new ArrayList<>();

    private GpuPool(String name) {
      this.name = name;
    }

    String name() {
      return name;
    }

    List<NodeRoom> nodes() {
      return nodes.stream().map(PoolNode::room).toList();
    }

    PodClasses classes() {
      return new PodClasses(pods);
    }

    private Pool measure() {
      PodClasses classes = classes();
      List<NodeRoom> free =
          nodes.stream().filter(node -> node.free > 0).map(PoolNode::room).toList();
      SortedMap<Integer, Double> stranded = new TreeMap<>();
      classes
          .pods()
          .forEach(
              (gpus, count) ->
                  stranded.put(
                      gpus,
                      free.stream()
                              .mapToLong(node -> (long) node.free() * classes.misfits(gpus, node))
                              .sum()
                          / (double) count));
      return new Pool(name, free.stream().mapToInt(NodeRoom::free).sum(), stranded, classes.pods());
    }
  }

  /** A node, and what its pods request. Confined to one computation. */
  private static final class PoolNode {
    private final GpuPool pool;
    private final NodeView view;
    private final Map<String, Long> requested;
    private int free;

    /**
     * A node without pods that hold GPUs.
     *
     * @param requested by pods without accelerators
     */
    PoolNode(GpuPool pool, NodeView view, Map<String, Long> requested) {
      this.pool = pool;
      this.view = view;
      this.requested = new HashMap<>(requested);
      this.free = view.gpus();
      if (view.accepting()) {
        pool.nodes.add(this);
      }
    }

    void hold(PodView pod) {
      pod.requests().forEach((name, amount) -> requested.merge(name, amount, Long::sum));
      if (pod.gpus() > 0) {
        free -= pod.gpus();
        pool.pods.add(pod);
      }
    }

    NodeRoom room() {
      return new NodeRoom(view, free, new FreeResources(view.allocatable()).less(requested));
    }
  }
}
