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

  /** The setting, or the nearest bound. */
  Setting<Duration> within(String key, Bounds bounds, Setting<Duration> setting) {
    if (setting.value().compareTo(bounds.min()) < 0) {
      String rule = "at least " + Durations.format(bounds.min()) + " is allowed" + bounds.minBy();
      return moved(key, setting, bounds.min(), rule);
    }
    if (setting.value().compareTo(bounds.max()) > 0) {
      String rule = "at most " + Durations.format(bounds.max()) + " is allowed" + bounds.maxBy();
      return moved(key, setting, bounds.max(), rule);
    }
    return setting;
  }

  /** The setting, or the least where it is shorter. */
  Setting<Duration> atLeast(String key, Setting<Duration> setting, Duration least, String name) {
    return setting.value().compareTo(least) < 0
        ? moved(
            key,
            setting,
            least,
            "must not be shorter than " + name + ", which is " + Durations.format(least))
        : setting;
  }

  /** Something else than what was asked for. */
  <T> Setting<T> clamped(T to, String object, String key, String asked, String rule) {
    remarks.add(new Remark(object, key, asked, rule));
    return new Setting<>(to, new Origin.Clamped(object, asked, rule));
  }

  private Setting<Duration> moved(String key, Setting<Duration> setting, Duration to, String rule) {
    String value = Durations.format(setting.value());
    return switch (setting.origin()) {
      case Origin.Annotation(var object) -> clamped(to, object, key, value, rule);
      case Origin.Clamped(var object, var asked, _) -> clamped(to, object, key, asked, rule);
      case Origin.Defaults() -> clamped(to, "the defaults", key, value, rule);
      case Origin.ByClass(var of) -> clamped(to, "class " + of.text(), key, value, rule);
      case Origin.Detected _ ->
          throw new IllegalStateException("no duration is detected: " + setting);
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
      var least =
          namespace.setting(min).map(setting -> clamps.within(min.name(), cluster, setting));
      var asked =
          namespace.setting(max).map(setting -> clamps.within(max.name(), cluster, setting));
      Duration shortest = least.map(Setting::value).orElse(cluster.min());
      var most = asked.map(setting -> clamps.atLeast(max.name(), setting, shortest, min.name()));
      return new Bounds(
          shortest,
          least.isPresent() ? by : cluster.minBy(),
          most.map(Setting::value).orElse(cluster.max()),
          most.isPresent() ? by : cluster.maxBy());
    }
  }
}
