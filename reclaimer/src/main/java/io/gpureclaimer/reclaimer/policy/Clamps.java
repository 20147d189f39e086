package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.policy.AnnotationReader.AnnotationValues;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Remark;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting.Origin;
import io.gpureclaimer.reclaimer.policy.PolicyKeys.PolicyKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Limits requested values to the allowed range, with a remark. Confined to one resolution. */
final class Clamps {
  private final List<Remark> remarks = new ArrayList<>();

  /** What was moved so far. */
  List<Remark> remarks() {
    return List.copyOf(remarks);
  }

  /** The wish, or the nearer bound. */
  Setting<Duration> within(String key, Bounds bounds, Setting<Duration> wish) {
    if (wish.value().compareTo(bounds.min()) < 0) {
      String rule = "at least " + Durations.format(bounds.min()) + " is allowed" + bounds.minBy();
      return moved(key, wish, bounds.min(), rule);
    }
    if (wish.value().compareTo(bounds.max()) > 0) {
      String rule = "at most " + Durations.format(bounds.max()) + " is allowed" + bounds.maxBy();
      return moved(key, wish, bounds.max(), rule);
    }
    return wish;
  }

  /** The wish, or the least where it is shorter. */
  Setting<Duration> atLeast(String key, Setting<Duration> wish, Duration least, String name) {
    return wish.value().compareTo(least) < 0
        ? moved(
            key,
            wish,
            least,
            "must not be shorter than " + name + ", which is " + Durations.format(least))
        : wish;
  }

  /** Something else than what was asked for. */
  <T> Setting<T> clamped(T to, String object, String key, String asked, String rule) {
    remarks.add(new Remark(object, key, asked, rule));
    return new Setting<>(to, new Origin.Clamped(object, asked, rule));
  }

  private Setting<Duration> moved(String key, Setting<Duration> wish, Duration to, String rule) {
    String value = Durations.format(wish.value());
    return switch (wish.origin()) {
      case Origin.Annotation(var object) -> clamped(to, object, key, value, rule);
      case Origin.Clamped(var object, var asked, _) -> clamped(to, object, key, asked, rule);
      case Origin.Defaults() -> clamped(to, "the defaults", key, value, rule);
      case Origin.ByClass(var of) -> clamped(to, "class " + of.text(), key, value, rule);
      case Origin.Detected _ -> throw new IllegalStateException("no duration is detected: " + wish);
    };
  }

  /**
   * Allowed range of a duration.
   *
   * @param minBy who says so, in words that follow a sentence; empty where the cluster does
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
        AnnotationValues namespace,
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
}
