package io.gpureclaimer.reclaimer.policy;

import java.time.Duration;

/**
 * Between what a duration may be.
 *
 * @param min the shortest
 * @param minBy who says so, in words that follow a sentence; empty where the cluster does
 * @param max the longest
 * @param maxBy the same for the longest
 */
record Bounds(Duration min, String minBy, Duration max, String maxBy) {

  /** What the cluster's configuration allows. */
  static Bounds ofCluster(Duration min, Duration max) {
    return new Bounds(min, "", max, "");
  }

  /** Narrowed by a namespace. Where its bounds contradict each other, the longer time holds. */
  static Bounds narrowed(
      Bounds cluster,
      Wishes namespace,
      PolicyKey<Duration> min,
      PolicyKey<Duration> max,
      Clamps clamps) {
    String by = " by " + namespace.object();
    var least = namespace.setting(min).map(wish -> clamps.within(min.name(), cluster, wish));
    var asked = namespace.setting(max).map(wish -> clamps.within(max.name(), cluster, wish));
    Duration shortest = least.map(Setting::value).orElse(cluster.min());
    var most = asked.map(wish -> clamps.atLeast(max.name(), wish, shortest, min.name()));
    return new Bounds(
        shortest,
        least.isPresent() ? by : cluster.minBy(),
        most.map(Setting::value).orElse(cluster.max()),
        most.isPresent() ? by : cluster.maxBy());
  }
}
