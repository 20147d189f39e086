package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.Accelerators;
import io.gpureclaimer.reclaimer.cluster.Accelerators.Claimed;
import io.gpureclaimer.reclaimer.cluster.ClaimableNode;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.plan.PodClasses.PodShape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Free devices, and how many of them pods cannot use because their node has too little left of the
 * devices or another resource that the pods request: the measure of FGD (ATC'23), for whole GPUs,
 * and for the MIG devices of each profile by themselves.
 *
 * <p>A terminating pod holds its devices until it has ended, because kube-scheduler gives them to
 * no other pod before. Where a device plugin offers devices, the claims of a node's pods lower the
 * free devices of each of its resources, because a claim does not say which it allocated. A node of
 * which a claim cannot be read has none that are known to be free. Nodes that offer devices by
 * claims alone count while it is known what they offer, see {@link ClaimableNode}.
 *
 * <p>Nodes may offer MIG devices of a profile as GPUs (MIG strategy {@code single}). They are in
 * the pool of the profile, and a pod fits only on nodes that have the devices by the name that it
 * requests. A pending pod that requests GPUs may run on whole ones or on such nodes, so it is in
 * all pools that its selector of the model permits.
 *
 * @param pools by name, then by resource
 */
public record Fragmentation(List<Pool> pools) {
  /** The class of NVIDIA's driver that any of its GPUs belongs to. */
  private static final String CLASS_OF_GPUS = ResourceNames.CLASS_PREFIX + "gpu.nvidia.com";

  /** The name of devices that pods get by their own claims, whatever those request. */
  private static final String CLAIMED = "claimed";

  public Fragmentation {
    pools = List.copyOf(pools);
  }

  /**
   * Nodes with the same GPUs, and their devices of one resource. Only nodes that are ready and not
   * cordoned count.
   *
   * @param name see {@link NodeView#model} and {@link ClaimableNode#product}
   * @param resource whole GPUs or MIG devices of a profile, see {@link NodeView#unsharedDevices}
   * @param free devices that no pod holds
   * @param stranded free devices on nodes where a pod does not fit, by the number of devices that
   *     it requests: the mean over the pods of that number
   * @param pods how many pods of each number of devices run in the pool, or are pending and may
   */
  public record Pool(
      String name,
      String resource,
      int free,
      SortedMap<Integer, Double> stranded,
      SortedMap<Integer, Integer> pods) {

    /** Free devices that a typical pod cannot use: the mean over the pods. */
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
    return new Fragmentation(
        pools(cluster, cluster.scheduling().claimable()).stream().map(GpuPool::measure).toList());
  }

  /** Pools of what device plugins offer in a cluster, by name, then by resource. */
  static List<GpuPool> pools(ClusterView cluster) {
    return pools(cluster, List.of());
  }

  private static List<GpuPool> pools(ClusterView cluster, List<ClaimableNode> claimable) {
    Map<String, Map<String, Long>> requested = cluster.scheduling().neighbors().requested();
    Map<String, List<PoolNode>> nodes = HashMap.newHashMap(cluster.nodes().size());
    SortedMap<PoolKey, GpuPool> pools = new TreeMap<>();
    for (NodeView view : cluster.nodes()) {
      List<PoolNode> ofNode = new ArrayList<>(1);
      view.unsharedDevices()
          .forEach(
              (resource, count) -> {
                GpuPool pool =
                    pools.computeIfAbsent(new PoolKey(view.model(), resource), GpuPool::new);
                var others = requested.getOrDefault(view.name(), Map.of());
                ofNode.add(new PoolNode(pool, view, count, others));
              });
      nodes.put(view.name(), ofNode);
    }
    for (ClaimableNode node : claimable) {
      String name = node.view().name();
      var others = requested.getOrDefault(name, Map.of());
      node.free()
          .forEach(
              (resource, free) -> {
                var key = new PoolKey(node.product(), resource);
                GpuPool pool = pools.computeIfAbsent(key, GpuPool::new);
                nodes
                    .computeIfAbsent(name, _ -> new ArrayList<>(1))
                    .add(new PoolNode(pool, node, free, others));
              });
    }
    List<PodView> pending = new ArrayList<>();
    for (PodView pod : cluster.pods()) {
      if (pod.holdsGpus() && pod.node().isPresent()) {
        nodes.getOrDefault(pod.node().get(), List.of()).forEach(node -> node.hold(pod));
      } else if (pod.awaitsGpus() && !pod.terminating()) {
        pending.add(pod);
      }
    }
    pools.values().forEach(pool -> pending.forEach(pool::addIfItMayRun));
    return List.copyOf(pools.values());
  }

  /**
   * What pods must ask for to run on some nodes of a pool.
   *
   * @param product the label of the model, which a selector may name; empty where there is none
   * @param resource the name of the devices, see {@link Accelerators#byResource}
   * @param isClaimed whether pods get them by claims
   */
  private record Offer(String product, String resource, boolean isClaimed) {
    private static final Comparator<Offer> ORDER =
        Comparator.comparing(Offer::isClaimed).thenComparing(Offer::resource);

    static Offer of(NodeView node, String resource, boolean isClaimed) {
      return new Offer(node.labels().getOrDefault(NodeView.PRODUCT, ""), resource, isClaimed);
    }

    /** By what a pod requests and its selector of the model; without one, any. */
    boolean suits(PodView pod) {
      String selected = pod.placement().nodeSelector().get(NodeView.PRODUCT);
      return pod.accelerators().count(resource) > 0
          && (selected == null || selected.equals(product));
    }

    /** By which pods and nodes are compared. */
    String name() {
      return resource.startsWith(ResourceNames.CLASS_PREFIX) ? CLAIMED : resource;
    }
  }

  /** What the nodes of a pool have in common. */
  private record PoolKey(String name, String resource) implements Comparable<PoolKey> {
    private static final Comparator<PoolKey> ORDER =
        Comparator.comparing(PoolKey::name).thenComparing(PoolKey::resource);

    @Override
    public int compareTo(PoolKey other) {
      return ORDER.compare(this, other);
    }
  }

  /** Nodes that accept pods, and pods that run in a pool or may. Confined to one computation. */
  static final class GpuPool {
    private final PoolKey key;
    private final Set<Offer> offers = new HashSet<>();
    private final List<PoolNode> nodes = new ArrayList<>();
    private final List<PodShape> pods = new ArrayList<>();

    private GpuPool(PoolKey key) {
      this.key = key;
    }

    String name() {
      return key.name();
    }

    /** Whole GPUs or MIG devices of a profile. */
    String kind() {
      return key.resource();
    }

    List<NodeRoom> nodes() {
      Set<String> claimed = namesOfClaimed();
      return nodes.stream().filter(node -> !node.isUnread).map(node -> node.room(claimed)).toList();
    }

    PodClasses classes() {
      return new PodClasses(pods);
    }

    /** By which names pods get devices by claims, as those that run show. */
    private Set<String> namesOfClaimed() {
      Set<String> names =
          offers.stream().filter(Offer::isClaimed).map(Offer::name).collect(Collectors.toSet());
      names.add(CLAIMED);
      return names;
    }

    /**
     * By claims only if no device plugin offers what it requests: then several of its requests may
     * be for devices of the pool.
     */
    private void addIfItMayRun(PodView pod) {
      List<Offer> suitable = offers.stream().filter(offer -> offer.suits(pod)).toList();
      suitable.stream()
          .min(Offer.ORDER)
          .ifPresent(
              best ->
                  add(
                      pod,
                      best.name(),
                      suitable.stream()
                          .filter(offer -> best.isClaimed() || offer.equals(best))
                          .map(Offer::resource)
                          .distinct()
                          .mapToInt(pod.accelerators()::count)
                          .sum()));
    }

    private void add(PodView pod, String name, int devices) {
      if (devices > 0) {
        pods.add(new PodShape(name, devices, pod.requests()));
      }
    }

    private Pool measure() {
      PodClasses classes = classes();
      List<NodeRoom> free = nodes().stream().filter(node -> node.free() > 0).toList();
      SortedMap<Integer, Double> stranded = new TreeMap<>();
      classes
          .pods()
          .forEach(
              (devices, count) ->
                  stranded.put(
                      devices,
                      free.stream()
                              .mapToLong(
                                  node -> (long) node.free() * classes.misfits(devices, node))
                              .sum()
                          / (double) count));
      return new Pool(
          key.name(),
          key.resource(),
          free.stream().mapToInt(NodeRoom::free).sum(),
          stranded,
          classes.pods());
    }
  }

  /** A node, and what its pods request. Confined to one computation. */
  private static final class PoolNode {
    private final GpuPool pool;
    private final NodeView view;

    /** By which pods request the devices. */
    private final String resource;

    private final Map<String, Long> requested;
    private int free;

    /** Whether it is unknown which devices pods hold by claims. */
    private boolean isUnread;

    /** Empty where a device plugin offers the devices. */
    private final Optional<ClaimableNode> claimable;

    private PoolNode(
        GpuPool pool,
        NodeView view,
        String resource,
        int free,
        Map<String, Long> requested,
        Optional<ClaimableNode> claimable) {
      this.pool = pool;
      this.view = view;
      this.resource = resource;
      this.requested = new HashMap<>(requested);
      this.free = free;
      this.claimable = claimable;
      if (view.accepting()) {
        pool.nodes.add(this);
      }
    }

    /**
     * A node whose device plugin offers devices, without pods that hold some.
     *
     * @param devices how many it has
     * @param requested by pods without accelerators
     */
    PoolNode(GpuPool pool, NodeView view, int devices, Map<String, Long> requested) {
      this(pool, view, view.nameOf(pool.kind()), devices, requested, Optional.empty());
      pool.offers.add(Offer.of(view, resource, false));
    }

    /**
     * A node that offers devices by claims alone.
     *
     * @param free devices that no claim has
     * @param requested by pods without accelerators
     */
    PoolNode(GpuPool pool, ClaimableNode node, int free, Map<String, Long> requested) {
      this(pool, node.view(), CLAIMED, free, requested, Optional.of(node));
      if (pool.kind().equals(ResourceNames.GPU)) {
        pool.offers.add(Offer.of(view, CLASS_OF_GPUS, true));
      }
    }

    void hold(PodView pod) {
      pod.requests().forEach((name, amount) -> requested.merge(name, amount, Long::sum));
      isUnread |= pod.accelerators().claimed() instanceof Claimed.Unread;
      claimable.ifPresentOrElse(node -> holdByClaims(pod, node), () -> holdByPlugin(pod));
    }

    private void holdByPlugin(PodView pod) {
      int devices = pod.accelerators().count(resource);
      free -= devices + pod.accelerators().claimedDevices();
      pool.add(pod, resource, devices);
    }

    /**
     * Claims of pods are a part of all claims, which lowered the free devices already. A pod with
     * devices of several kinds does not show which of its requests gave which.
     */
    private void holdByClaims(PodView pod, ClaimableNode node) {
      int devices = node.held(pool.kind(), pod.ref());
      pool.add(pod, nameOf(pod), devices);
      if (devices > 0 && devices == pod.accelerators().devices()) {
        pod.accelerators()
            .byResource()
            .keySet()
            .forEach(name -> pool.offers.add(Offer.of(view, name, true)));
      }
    }

    /** The scheduler may give devices by claims to pods that request them by name. */
    private String nameOf(PodView pod) {
      return pod.accelerators().requestedByClaims().keySet().stream()
          .filter(name -> !name.startsWith(ResourceNames.CLASS_PREFIX))
          .findFirst()
          .orElse(CLAIMED);
    }

    /**
     * What is left of the node.
     *
     * @param claimed by which names pods get devices by claims
     */
    NodeRoom room(Set<String> claimed) {
      return new NodeRoom(
          view,
          claimable.isPresent() ? claimed : Set.of(resource),
          free,
          new FreeResources(view.allocatable()).less(requested));
    }
  }
}
