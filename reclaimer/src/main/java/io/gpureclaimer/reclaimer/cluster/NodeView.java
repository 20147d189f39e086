package io.gpureclaimer.reclaimer.cluster;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import java.util.List;
import java.util.Map;

/**
 * A node with GPUs.
 *
 * @param devices how many it can allocate, by the name of the extended resource: whole GPUs, and
 *     instances by MIG profile
 * @param accepting ready and not cordoned
 * @param unready not ready, and not cordoned either: it may accept pods again soon
 */
public record NodeView(
    String name,
    Map<String, Integer> devices,
    Map<String, String> labels,
    List<Taint> taints,
    boolean accepting,
    boolean unready) {
  /** The label of the GPU's model, as GPU feature discovery writes it. */
  public static final String PRODUCT = "nvidia.com/gpu.product";

  public NodeView {
    devices = Map.copyOf(devices);
    labels = Map.copyOf(labels);
    taints = List.copyOf(taints);
    if (accepting && unready) {
      throw new IllegalArgumentException("a node that is not ready accepts no pods: " + name);
    }
  }

  /** A node that accepts pods, or is cordoned. */
  public NodeView(
      String name,
      Map<String, Integer> devices,
      Map<String, String> labels,
      List<Taint> taints,
      boolean accepting) {
    this(name, devices, labels, taints, accepting, false);
  }

  /** A node with whole GPUs alone. */
  public NodeView(
      String name, int gpus, Map<String, String> labels, List<Taint> taints, boolean accepting) {
    this(name, Map.of(ResourceNames.GPU, gpus), labels, taints, accepting);
  }

  /** How many whole GPUs it can allocate. */
  public int gpus() {
    return devices.getOrDefault(ResourceNames.GPU, 0);
  }

  /** Whether the placement allows this node, as far as selectors, node affinity and taints say. */
  public boolean suits(Placement placement) {
    return accepting && matches(placement) && isTolerated(placement);
  }

  /** Whether selector and node affinity of the placement allow this node. */
  public boolean matches(Placement placement) {
    return carries(placement.nodeSelector()) && placement.allows(this);
  }

  /** Whether the placement tolerates all taints; loops, because a planning asks every node. */
  public boolean isTolerated(Placement placement) {
    for (Taint taint : taints) {
      if (taint.forbids() && placement.tolerations().stream().noneMatch(t -> t.covers(taint))) {
        return false;
      }
    }
    return true;
  }

  /** Whether the node has all of the labels. */
  public boolean carries(Map<String, String> wanted) {
    for (Map.Entry<String, String> label : wanted.entrySet()) {
      if (!label.getValue().equals(labels.get(label.getKey()))) {
        return false;
      }
    }
    return true;
  }

  /**
   * A node's mark that keeps pods away.
   *
   * @param value its value, maybe empty
   * @param effect {@code NoSchedule}, {@code PreferNoSchedule} or {@code NoExecute}
   */
  public record Taint(String key, String value, String effect) {

    /** Whether the taint forbids scheduling, rather than advising against it. */
    public boolean forbids() {
      return !effect.equals("PreferNoSchedule");
    }
  }
}
