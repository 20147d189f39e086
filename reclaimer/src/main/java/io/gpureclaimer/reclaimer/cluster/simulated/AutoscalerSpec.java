package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.NodeSpec;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What an autoscaler may do.
 *
 * @param startup from its decision until a node accepts pods
 * @param idle for how long a node has no pod before it is removed
 */
public record AutoscalerSpec(List<NodePool> pools, Duration startup, Duration idle) {
  public AutoscalerSpec {
    pools = List.copyOf(pools);
  }

  /**
   * Nodes that are all alike.
   *
   * @param template of a new node; its name begins the names of the new ones
   * @param members that exist from the start
   * @param least so many nodes stay, even if they are empty
   * @param most so many there are at most
   */
  public record NodePool(NodeSpec template, Set<String> members, int least, int most) {
    public NodePool {
      members = Set.copyOf(members);
    }
  }
}
