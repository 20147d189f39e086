package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.cluster.NodeView.Taint;
import java.util.List;
import java.util.Map;

/**
 * A node to simulate.
 *
 * @param gpus its GPUs, in the order in which they are given out
 */
public record NodeSpec(
    String name, List<GpuUuid> gpus, Map<String, String> labels, List<Taint> taints) {
  public NodeSpec {
    gpus = List.copyOf(gpus);
    labels = Map.copyOf(labels);
    taints = List.copyOf(taints);
  }

  /** A node without labels and taints. */
  public static NodeSpec of(String name, List<GpuUuid> gpus) {
    return new NodeSpec(name, gpus, Map.of(), List.of());
  }
}
