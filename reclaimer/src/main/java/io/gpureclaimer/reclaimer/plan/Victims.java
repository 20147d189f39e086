package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Who would have to go on one node so that a waiting pod can run there; maybe nobody.
 *
 * <p>The best come first: fewest pods, smallest surplus, longest idle, and the UIDs so that it is
 * the same every time.
 *
 * @param node where
 * @param pods who, by descending idle time
 * @param surplus GPUs that would stay free
 * @param leastIdle how long each of them has been idle at least
 */
record Victims(String node, List<Due> pods, int surplus, Duration leastIdle)
    implements Comparable<Victims> {

  Victims {
    pods = List.copyOf(pods);
  }

  static Victims of(String node, List<Due> pods, int surplus) {
    Duration least = Duration.ZERO;
    for (Due due : pods) {
      boolean first = least.isZero();
      least = first || due.idleFor().compareTo(least) < 0 ? due.idleFor() : least;
    }
    return new Victims(node, pods, surplus, least);
  }

  @Override
  public int compareTo(Victims other) {
    int order = Integer.compare(pods.size(), other.pods.size());
    order = order != 0 ? order : Integer.compare(surplus, other.surplus);
    order = order != 0 ? order : other.leastIdle.compareTo(leastIdle);
    order = order != 0 ? order : uids().compareTo(other.uids());
    return order != 0 ? order : node.compareTo(other.node);
  }

  private String uids() {
    return pods.stream()
        .map(due -> due.pod().ref().uid())
        .sorted()
        .collect(Collectors.joining(" "));
  }
}
