package io.gpureclaimer.reclaimer.cluster;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What other components say about pending pods.
 *
 * @param announcements of nodes for a pending pod
 * @param doubt why announcements cannot be read; empty while they can, or while nobody wants to
 *     know them
 */
public record SchedulingFacts(
    Map<PodRef, List<Announcement>> announcements, Optional<String> doubt) {

  /** No component says anything. */
  public static final SchedulingFacts NONE = new SchedulingFacts(Map.of(), Optional.empty());

  public SchedulingFacts {
    announcements = Map.copyOf(announcements);
  }

  /** What is announced for one pod. */
  public List<Announcement> of(PodRef pod) {
    return announcements.getOrDefault(pod, List.of());
  }

  /**
   * A component says that it provides a node for a pending pod, or that it cannot.
   *
   * @param component its name, for people
   * @param provides whether a node will come
   * @param first when it first said so
   * @param last when it said so again
   */
  public record Announcement(String component, boolean provides, Instant first, Instant last) {}
}
