package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.core.vocabulary.Annotations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Turns what a pod and its namespace ask for into what holds. The whole order of precedence is
 * here:
 *
 * <ol>
 *   <li>The nearest wins: pod, then namespace, then defaults.
 *   <li>The namespace belongs to the administrator, so its mode is the ceiling: a pod may ask for
 *       less, never for more. In a namespace that says nothing the ceiling is the default mode,
 *       which only reports.
 *   <li>Durations are the user's choice inside the bounds of the defaults, in both directions; what
 *       lies outside is moved to the bound.
 *   <li>{@code exclude: "true"} on either holds, whatever the other says.
 *   <li>Anything that cannot be understood, on either, makes the mode report at most: it may have
 *       meant to protect.
 *   <li>A workload is never due before its warning could have run out, so idle-after is at least
 *       warn-before.
 * </ol>
 *
 * <p>Confined to one resolution.
 */
final class PolicyResolution {
  private final PolicyDefaults defaults;
  private final Wishes namespace;
  private final Wishes pod;
  private final List<Remark> remarks = new ArrayList<>();

  private PolicyResolution(PolicyDefaults defaults, Wishes namespace, Wishes pod) {
    this.defaults = defaults;
    this.namespace = namespace;
    this.pod = pod;
  }

  /** What holds for one pod. */
  static EffectivePolicy of(PolicyDefaults defaults, Wishes namespace, Wishes pod) {
    return new PolicyResolution(defaults, namespace, pod).resolve();
  }

  private EffectivePolicy resolve() {
    remarks.addAll(namespace.notUnderstood());
    remarks.addAll(pod.notUnderstood());
    Optional<Remark> distrusted = remarks.stream().findFirst();
    Setting<Mode> asked = mode();
    Setting<Mode> mode = distrusted.map(remark -> reportAtMost(asked, remark)).orElse(asked);
    Setting<Duration> warnBefore = warnBefore();
    Setting<Duration> idleAfter = atLeast(warnBefore.value(), idleAfter());
    return new EffectivePolicy(
        mode, idleAfter, warnBefore, excludedBy(), List.copyOf(remarks), distrusted);
  }

  private Setting<Mode> mode() {
    Setting<Mode> ceiling = asked(namespace, Wishes::mode).orElse(byDefault(defaults.mode()));
    return asked(pod, Wishes::mode).map(wish -> below(ceiling, wish)).orElse(ceiling);
  }

  private Setting<Mode> below(Setting<Mode> ceiling, Setting<Mode> wish) {
    if (!wish.value().exceeds(ceiling.value())) {
      return wish;
    }
    String rule =
        "may not go further than " + namespace.object() + ", which has " + ceiling.value().text();
    return clamped(ceiling.value(), pod.object(), Annotations.MODE, wish.value().text(), rule);
  }

  private static Setting<Mode> reportAtMost(Setting<Mode> mode, Remark remark) {
    return mode.value().exceeds(Mode.REPORT)
        ? new Setting<>(
            Mode.REPORT,
            new Origin.Clamped(
                remark.object(), mode.value().text(), remark.key() + " cannot be understood"))
        : mode;
  }

  private Setting<Duration> idleAfter() {
    Setting<Duration> nearest = nearest(Wishes::idleAfter, defaults.idleAfter());
    return bounded(
        nearest, Annotations.IDLE_AFTER, defaults.minIdleAfter(), defaults.maxIdleAfter());
  }

  private Setting<Duration> warnBefore() {
    Setting<Duration> nearest = nearest(Wishes::warnBefore, defaults.warnBefore());
    return bounded(
        nearest, Annotations.WARN_BEFORE, defaults.minWarnBefore(), defaults.maxWarnBefore());
  }

  private Setting<Duration> nearest(
      Function<Wishes, Optional<Duration>> which, Duration otherwise) {
    return asked(pod, which)
        .or(() -> asked(namespace, which))
        .orElseGet(() -> byDefault(otherwise));
  }

  private Setting<Duration> bounded(
      Setting<Duration> wish, String key, Duration min, Duration max) {
    if (wish.value().compareTo(min) < 0) {
      return moved(wish, key, min, "at least " + HumanDuration.of(min) + " is allowed");
    }
    if (wish.value().compareTo(max) > 0) {
      return moved(wish, key, max, "at most " + HumanDuration.of(max) + " is allowed");
    }
    return wish;
  }

  private Setting<Duration> atLeast(Duration warnBefore, Setting<Duration> idleAfter) {
    return idleAfter.value().compareTo(warnBefore) < 0
        ? moved(
            idleAfter,
            Annotations.IDLE_AFTER,
            warnBefore,
            "must not be shorter than warn-before, which is " + HumanDuration.of(warnBefore))
        : idleAfter;
  }

  private Setting<Duration> moved(Setting<Duration> wish, String key, Duration to, String rule) {
    return switch (wish.origin()) {
      case Origin.Annotation(var object) ->
          clamped(to, object, key, HumanDuration.of(wish.value()), rule);
      case Origin.Clamped(var object, var asked, _) -> clamped(to, object, key, asked, rule);
      case Origin.Defaults() ->
          clamped(to, "the defaults", key, HumanDuration.of(wish.value()), rule);
    };
  }

  private <T> Setting<T> clamped(T to, String object, String key, String asked, String rule) {
    remarks.add(new Remark(object, key, asked, rule));
    return new Setting<>(to, new Origin.Clamped(object, asked, rule));
  }

  private Optional<String> excludedBy() {
    return Stream.of(pod, namespace).filter(Wishes::exclude).map(Wishes::object).findFirst();
  }

  private static <T> Optional<Setting<T>> asked(
      Wishes wishes, Function<Wishes, Optional<T>> which) {
    return which
        .apply(wishes)
        .map(value -> new Setting<>(value, new Origin.Annotation(wishes.object())));
  }

  private static <T> Setting<T> byDefault(T value) {
    return new Setting<>(value, new Origin.Defaults());
  }
}
