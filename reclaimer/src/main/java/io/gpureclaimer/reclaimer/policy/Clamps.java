package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.common.time.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Moves what is asked for to what is allowed, and remarks on it. Confined to one resolution. */
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
}
