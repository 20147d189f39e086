package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.reclaimer.cluster.simulated.Scheduler.PodShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Chooses nodes as kube-scheduler 1.36 does with its default profile. The plugins NodeResourcesFit
 * (LeastAllocated) and NodeResourcesBalancedAllocation score CPU and memory; all others give each
 * node the same score, because simulated pods have no preferences. As there, only a part of a large
 * cluster is scored, and the next search begins where the last one ended. Confined to the cluster's
 * lock.
 */
final class NodeScores {
  private static final int BEST = 100;
  private static final int FEWEST = 100;
  private static final int USUAL_PERCENT = 50;
  private static final int NODES_PER_PERCENT = 125;
  private static final int LEAST_PERCENT = 5;

  /** Index of the node with which the next search begins. */
  private int start;

  private record ScoredNode(SimulatedNode node, long score) {}

  /**
   * The best of the nodes that fit; empty if none fits.
   *
   * @param nodes all, always in the same order
   */
  Optional<SimulatedNode> choose(PodShape shape, List<SimulatedNode> nodes) {
    int wanted = wanted(nodes.size());
    List<ScoredNode> fitting = new ArrayList<>();
    int passed = 0;
    for (; passed < nodes.size(); passed++) {
      SimulatedNode node = nodes.get((start + passed) % nodes.size());
      if (shape.fits(node)) {
        if (fitting.size() == wanted) {
          break;
        }
        fitting.add(new ScoredNode(node, score(node, shape.requests())));
      }
    }
    if (!nodes.isEmpty()) {
      start = (start + passed) % nodes.size();
    }
    return first(fitting);
  }

  /** How many fitting nodes are enough. */
  private static int wanted(int nodes) {
    int percent = Math.max(LEAST_PERCENT, USUAL_PERCENT - nodes / NODES_PER_PERCENT);
    return nodes < FEWEST ? nodes : Math.max(FEWEST, nodes * percent / 100);
  }

  /** The highest score; among equals the one that is first in Go's heap. */
  private static Optional<SimulatedNode> first(List<ScoredNode> heap) {
    for (int root = heap.size() / 2 - 1; root >= 0; root--) {
      siftDown(heap, root);
    }
    return heap.stream().findFirst().map(ScoredNode::node);
  }

  private static void siftDown(List<ScoredNode> heap, int from) {
    int parent = from;
    for (int child = 2 * parent + 1; child < heap.size(); child = 2 * parent + 1) {
      if (child + 1 < heap.size() && heap.get(child + 1).score() > heap.get(child).score()) {
        child++;
      }
      if (heap.get(child).score() <= heap.get(parent).score()) {
        return;
      }
      ScoredNode larger = heap.get(child);
      heap.set(child, heap.get(parent));
      heap.set(parent, larger);
      parent = child;
    }
  }

  private static long score(SimulatedNode node, ComputeResources requests) {
    ComputeResources all = node.compute().orElse(ComputeResources.NONE);
    long free = leastAllocated(node.countedRequests().plus(requests.orUsual()), all);
    return requests.equals(ComputeResources.NONE)
        ? free
        : free + balance(node.requests(), requests, all);
  }

  private static long leastAllocated(ComputeResources requested, ComputeResources all) {
    int resources = (all.cpuMillis() > 0 ? 1 : 0) + (all.memoryBytes() > 0 ? 1 : 0);
    long sum =
        freeShare(requested.cpuMillis(), all.cpuMillis())
            + freeShare(requested.memoryBytes(), all.memoryBytes());
    return resources == 0 ? 0 : sum / resources;
  }

  private static long freeShare(long requested, long all) {
    return requested > all || all == 0 ? 0 : (all - requested) * BEST / all;
  }

  /** How the pod changes the balance of CPU and memory. */
  private static long balance(
      ComputeResources before, ComputeResources requests, ComputeResources all) {
    return BEST / 2 + (BEST / 2 + evenness(before.plus(requests), all) - evenness(before, all)) / 2;
  }

  private static long evenness(ComputeResources requested, ComputeResources all) {
    if (all.cpuMillis() == 0 || all.memoryBytes() == 0) {
      return BEST;
    }
    double cpu = Math.min(1, (double) requested.cpuMillis() / all.cpuMillis());
    double memory = Math.min(1, (double) requested.memoryBytes() / all.memoryBytes());
    return (long) ((1 - Math.abs((cpu - memory) / 2)) * BEST);
  }
}
