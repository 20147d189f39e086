package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
import io.gpureclaimer.reclaimer.policy.HumanDuration;
import io.gpureclaimer.reclaimer.policy.Setting;
import io.gpureclaimer.reclaimer.policy.VerdictSentence;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * One value of a policy.
 *
 * @param key the annotation by which it is set, without our prefix
 * @param value as it is written in annotations
 * @param source who says so, in words
 */
record PolicyRow(String key, String value, String source) {

  /** Every value that always has one. */
  static List<PolicyRow> of(EffectivePolicy policy) {
    return List.of(
        row("mode", policy.mode(), mode -> mode.text()),
        duration("idle-after", policy.idleAfter()),
        duration("warn-before", policy.warnBefore()));
  }

  private static PolicyRow duration(String key, Setting<Duration> setting) {
    return row(key, setting, HumanDuration::of);
  }

  private static <T> PolicyRow row(String key, Setting<T> setting, Function<T, String> text) {
    return new PolicyRow(key, text.apply(setting.value()), VerdictSentence.of(setting.origin()));
  }
}
