package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.NodeSpec;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A node, and which of its GPUs, CPU and memory are allocated. Confined to the cluster's lock. */
final class SimulatedNode {
  /** Of a node of which CPU and memory are not known; sums of requests stay below. */
  private static final Map<String, Long> UNLIMITED =
      new ComputeResources(Integer.MAX_VALUE, Long.MAX_VALUE / 10_000).byName();

  private final NodeSpec spec;
  private final BitSet taken = new BitSet();
  private ComputeResources requests = ComputeResources.NONE;
  private ComputeResources countedRequests = ComputeResources.NONE;
  private NodeView view;

  SimulatedNode(NodeSpec spec) {
    this.spec = spec;
    this.view = view(spec, true);
  }

  NodeView view() {
    return view;
  }

  /** Why pods on it are not to be touched. */
  Optional<String> trouble() {
    return view.accepting()
        ? Optional.empty()
        : Optional.of("on node " + spec.name() + ", which is cordoned");
  }

  /** Whether no pod requests anything of it. */
  boolean isEmpty() {
    return taken.isEmpty() && requests.equals(ComputeResources.NONE);
  }

  NodeSpec spec() {
    return spec;
  }

  int free() {
    return spec.gpus().size() - taken.cardinality();
  }

  void accept(boolean accepting) {
    view = view(spec, accepting);
  }

  /** CPU and memory of the node; empty if nothing is known of them. */
  Optional<ComputeResources> compute() {
    return spec.compute();
  }

  /** CPU and memory that its pods request. */
  ComputeResources requests() {
    return requests;
  }

  /** The same, with usual amounts for pods that request none. */
  ComputeResources countedRequests() {
    return countedRequests;
  }

  boolean hasCpu(ComputeResources wanted) {
    return wanted.cpuMillis() == 0
        || compute()
            .map(all -> all.cpuMillis() >= requests.cpuMillis() + wanted.cpuMillis())
            .orElse(true);
  }

  boolean hasMemory(ComputeResources wanted) {
    return wanted.memoryBytes() == 0
        || compute()
            .map(all -> all.memoryBytes() >= requests.memoryBytes() + wanted.memoryBytes())
            .orElse(true);
  }

  /** Allocates the first free GPUs; the caller has checked that there is enough of everything. */
  List<GpuUuid> take(PodSpec pod) {
    requests = requests.plus(pod.requests());
    countedRequests = countedRequests.plus(pod.requests().orUsual());
    int count = pod.gpus();
    List<GpuUuid> given = new ArrayList<>(count);
    for (int index = taken.nextClearBit(0);
        given.size() < count;
        index = taken.nextClearBit(index)) {
      taken.set(index);
      given.add(spec.gpus().get(index));
    }
    return given;
  }

  void release(PodSpec pod, List<GpuUuid> devices) {
    requests = requests.minus(pod.requests());
    countedRequests = countedRequests.minus(pod.requests().orUsual());
    devices.forEach(device -> taken.clear(taken(device)));
  }

  /** A shared GPU is in the list once for each replica. */
  private int taken(GpuUuid device) {
    return taken.stream()
        .filter(index -> spec.gpus().get(index).equals(device))
        .findFirst()
        .orElseThrow();
  }

  private static NodeView view(NodeSpec spec, boolean accepting) {
    return new NodeView(
        spec.name(),
        Map.of(ResourceNames.GPU, spec.gpus().size()),
        spec.compute().map(ComputeResources::byName).orElse(UNLIMITED),
        spec.labels(),
        spec.taints(),
        accepting,
        false);
  }
}
