package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.ClaimableNode;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownClaim;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownClaim.PooledDevice;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownSlice;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownSlice.SliceDevice;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.NodeParser.KnownNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What claims can allocate on each node, and what they have of it. Confined to one view of the
 * cluster.
 *
 * <p>Nothing is known of a node with an incomplete pool, with a claim of a device that the pool
 * does not list, or with a pod that requests more devices than its claims have: that one got them
 * from a device plugin, or its claim has not been read yet.
 */
final class ClaimableNodes {
  /** The newest generation of each pool. */
  private final Map<String, List<KnownSlice>> pools = new HashMap<>();

  private final Map<String, Set<String>> poolsOfNodes = new HashMap<>();

  /** UIDs of those that a claim is reserved for, by pool, then by device. */
  private final Map<String, Map<String, Set<String>>> allocated = new HashMap<>();

  ClaimableNodes(Collection<KnownSlice> slices, Collection<KnownClaim> claims) {
    Map<String, Long> newest = new HashMap<>();
    slices.forEach(slice -> newest.merge(slice.pool(), slice.generation(), Math::max));
    for (KnownSlice slice : slices) {
      if (newest.getOrDefault(slice.pool(), 0L) == slice.generation()) {
        pools.computeIfAbsent(slice.pool(), _ -> new ArrayList<>(1)).add(slice);
        poolsOfNodes.computeIfAbsent(slice.node(), _ -> new HashSet<>()).add(slice.pool());
      }
    }
    for (KnownClaim claim : claims) {
      for (PooledDevice device : claim.devices()) {
        allocated
            .computeIfAbsent(device.pool(), _ -> new HashMap<>())
            .put(device.name(), claim.holders());
      }
    }
  }

  /** Those of which it is known. */
  List<ClaimableNode> of(Collection<KnownNode> nodes, List<PodView> pods) {
    Map<String, List<PodView>> byNode =
        pods.stream()
            .filter(pod -> poolsOfNodes.containsKey(pod.node().orElse("")))
            .collect(Collectors.groupingBy(pod -> pod.node().orElseThrow()));
    return nodes.stream()
        .filter(node -> poolsOfNodes.containsKey(node.name()) && !node.hasDevicePlugin())
        .flatMap(node -> of(node.view(), byNode.getOrDefault(node.name(), List.of())).stream())
        .toList();
  }

  /**
   * Whether another pod can get all devices that claims of a pod have, once it has ended: the
   * driver lists them without a taint, and its pools on the node are complete.
   */
  boolean couldBeAllocatedAgain(PodView pod) {
    Set<String> names = poolsOfNodes.getOrDefault(pod.node().orElse(""), Set.of());
    List<SliceDevice> held =
        names.stream()
            .flatMap(
                name ->
                    devices(name).stream()
                        .filter(
                            device ->
                                allocated
                                    .getOrDefault(name, Map.of())
                                    .getOrDefault(device.name(), Set.of())
                                    .contains(pod.ref().uid())))
            .toList();
    int byName =
        pod.accelerators().requestedByClaims().entrySet().stream()
            .filter(each -> !each.getKey().startsWith(ResourceNames.CLASS_PREFIX))
            .mapToInt(Map.Entry::getValue)
            .sum();
    return names.stream().allMatch(this::isComplete)
        && held.size() == pod.accelerators().claimedDevices() + byName
        && held.stream().noneMatch(SliceDevice::tainted);
  }

  private Optional<ClaimableNode> of(NodeView view, List<PodView> pods) {
    Set<String> names = poolsOfNodes.getOrDefault(view.name(), Set.of());
    if (!names.stream().allMatch(this::isComplete)) {
      return Optional.empty();
    }
    var counts = new DeviceCounts();
    names.forEach(name -> counts.add(devices(name), allocated.getOrDefault(name, Map.of())));
    return pods.stream().allMatch(counts::cover) ? Optional.of(counts.of(view)) : Optional.empty();
  }

  private boolean isComplete(String name) {
    List<KnownSlice> slices = pools.getOrDefault(name, List.of());
    Set<String> listed = devices(name).stream().map(SliceDevice::name).collect(Collectors.toSet());
    return slices.stream().allMatch(slice -> slice.slices() == slices.size())
        && listed.containsAll(allocated.getOrDefault(name, Map.of()).keySet());
  }

  private List<SliceDevice> devices(String name) {
    return pools.getOrDefault(name, List.of()).stream()
        .flatMap(slice -> slice.devices().stream())
        .toList();
  }

  /** Counts devices of one node. Confined to one node. */
  private static final class DeviceCounts {
    private final Map<String, Integer> free = new HashMap<>();
    private final Map<String, Map<String, Integer>> held = new HashMap<>();

    /** How many devices a pod has by claims, also those that do not count, by its UID. */
    private final Map<String, Integer> all = new HashMap<>();

    private final Set<String> products = new HashSet<>();

    /**
     * A GPU is not free while a partition that consumes counters of the same set is allocated:
     * exact if each set is of one GPU, too few free ones otherwise.
     */
    void add(List<SliceDevice> devices, Map<String, Set<String>> claimed) {
      Set<String> consumed =
          devices.stream()
              .filter(device -> claimed.containsKey(device.name()))
              .flatMap(device -> device.counterSets().stream())
              .collect(Collectors.toSet());
      for (SliceDevice device : devices) {
        Optional<Set<String>> holders = Optional.ofNullable(claimed.get(device.name()));
        boolean isFree =
            holders.isEmpty()
                && !device.tainted()
                && device.counterSets().stream().noneMatch(consumed::contains);
        device.product().ifPresent(products::add);
        device.resource().ifPresent(each -> free.merge(each, isFree ? 1 : 0, Integer::sum));
        holders.orElse(Set.of()).forEach(holder -> addTo(holder, device));
      }
    }

    private void addTo(String holder, SliceDevice device) {
      all.merge(holder, 1, Integer::sum);
      Map<String, Integer> ofHolder = held.computeIfAbsent(holder, _ -> new HashMap<>());
      device.resource().ifPresent(resource -> ofHolder.merge(resource, 1, Integer::sum));
    }

    /** Whether claims have all devices that a pod requests by the names of resources. */
    boolean cover(PodView pod) {
      int devices = pod.accelerators().devices();
      return devices == pod.accelerators().claimedDevices()
          || devices <= all.getOrDefault(pod.ref().uid(), 0);
    }

    ClaimableNode of(NodeView view) {
      String product = products.size() == 1 ? products.iterator().next().replace(' ', '-') : "";
      return new ClaimableNode(view, view.namesModel() ? view.model() : product, free, held);
    }
  }
}
