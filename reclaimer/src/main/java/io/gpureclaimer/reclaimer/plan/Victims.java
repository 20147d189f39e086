package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.policy.Verdict.Due;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Who would have to go on one node so that a waiting pod can run there; maybe nobody.
 *
 * @param node where
 * @param pods who, by descending idle time
 * @param surplus GPUs that would stay free
 */
record Victims(String node, List<Due> pods, int surplus) {

  /**
   * Fewest pods, smallest surplus, longest idle, and the UIDs so that it is the same every time.
   */
  static final Comparator<Victims> BEST_FIRST =
      Comparator.comparingInt((Victims victims) -> victims.pods().size())
          .thenComparingInt(Victims::surplus)
          .thenComparing(Victims::leastIdle, Comparator.reverseOrder())
          .thenComparing(Victims::uids)
          .thenComparing(Victims::node);

  Victims {
    pods = List.copyOf(pods);
  }

  private Duration leastIdle() {
    return pods.stream().map(Due::idleFor).min(Comparator.naturalOrder()).orElse(Duration.ZERO);
  }

  private String uids() {
    return pods.stream()
        .map(due -> due.pod().ref().uid())
        .sorted()
        .collect(Collectors.joining(" "));
  }
}
