package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.policy.ActionChoice;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.NamespaceCaps;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.ProtectedHours;
import io.gpureclaimer.reclaimer.policy.RestoreChoice;
import io.gpureclaimer.reclaimer.policy.WorkloadClass;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * One value of a policy.
 *
 * @param key the annotation by which it is set, without our prefix
 * @param value as it is written in annotations
 * @param source who says so, in words
 */
@Serdeable
record PolicyRow(String key, String value, String source) {

  /** Every value that it has. */
  static List<PolicyRow> of(EffectivePolicy policy) {
    var rows = new ArrayList<PolicyRow>();
    rows.add(row("mode", policy.mode(), Mode::text));
    rows.add(row("class", policy.workloadClass(), WorkloadClass::text));
    rows.add(duration("idle-after", policy.idleAfter()));
    rows.add(duration("warn-before", policy.warnBefore()));
    rows.add(duration("startup-grace", policy.startupGrace()));
    rows.add(row("action", policy.action(), ActionChoice::text));
    rows.add(row("restore", policy.restore(), RestoreChoice::text));
    rows.add(row("partial", policy.partial(), String::valueOf));
    rows.add(duration("max-keep", policy.maxKeep()));
    policy.protectedHours().forEach(h -> rows.add(row("protected-hours", h, ProtectedHours::text)));
    policy.keeps().forEach(k -> rows.add(row("keep-until", k, keep -> keep.until().toString())));
    policy.lastActivity().ifPresent(at -> rows.add(row("last-activity", at, Instant::toString)));
    policy.receivers().forEach(name -> rows.add(row("notify", name, text -> text)));
    NamespaceCaps caps = policy.caps();
    caps.maxPerRun().ifPresent(cap -> rows.add(row("max-per-run", cap, Object::toString)));
    caps.maxPerHour().ifPresent(cap -> rows.add(row("max-per-hour", cap, Object::toString)));
    caps.victimPriorityMax()
        .ifPresent(cap -> rows.add(row("victim-priority-max", cap, Object::toString)));
    return rows;
  }

  private static PolicyRow duration(String key, Setting<Duration> setting) {
    return row(key, setting, Durations::format);
  }

  private static <T> PolicyRow row(String key, Setting<T> setting, Function<T, String> text) {
    return new PolicyRow(key, text.apply(setting.value()), VerdictSentence.of(setting.origin()));
  }
}
