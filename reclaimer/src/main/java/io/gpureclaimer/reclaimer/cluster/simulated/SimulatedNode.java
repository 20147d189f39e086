package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.NodeSpec;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** A node and which of its GPUs are allocated. Confined to the cluster's lock. */
final class SimulatedNode {
  private final NodeSpec spec;
  private final BitSet taken = new BitSet();
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

  int free() {
    return spec.gpus().size() - taken.cardinality();
  }

  void accept(boolean accepting) {
    view = view(spec, accepting);
  }

  /** Allocates the first free GPUs; the caller has checked that there are enough. */
  List<GpuUuid> take(int count) {
    List<GpuUuid> given = new ArrayList<>(count);
    for (int index = taken.nextClearBit(0);
        given.size() < count;
        index = taken.nextClearBit(index)) {
      taken.set(index);
      given.add(spec.gpus().get(index));
    }
    return given;
  }

  void giveBack(List<GpuUuid> devices) {
    devices.forEach(device -> taken.clear(spec.gpus().indexOf(device)));
  }

  private static NodeView view(NodeSpec spec, boolean accepting) {
    return new NodeView(spec.name(), spec.gpus().size(), spec.labels(), spec.taints(), accepting);
  }
}
