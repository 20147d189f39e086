package io.gpureclaimer.reclaimer.cluster;

import java.util.List;
import java.util.Map;

/**
 * A node with GPUs.
 *
 * @param gpus how many whole GPUs it can allocate
 * @param accepting ready and not cordoned
 */
public record NodeView(
    String name, int gpus, Map<String, String> labels, List<Taint> taints, boolean accepting) {
  public NodeView {
    labels = Map.copyOf(labels);
    taints = List.copyOf(taints);
  }

  /** Whether the placement allows this node, as far as selectors and taints say. */
  public boolean suits(Placement placement) {
    return accepting
        && carries(placement.nodeSelector())
        && taints.stream()
            .filter(Taint::forbids)
            .allMatch(taint -> placement.tolerations().stream().anyMatch(t -> t.covers(taint)));
  }

  /** Whether the node has all of the labels. */
  public boolean carries(Map<String, String> wanted) {
    return wanted.entrySet().stream()
        .allMatch(label -> label.getValue().equals(labels.get(label.getKey())));
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
