package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.policy.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A warning as it is written on a pod. It is a promise about one idle period, and is kept even when
 * the policy changes afterwards.
 *
 * @param warnedAt when it was given, by our clock
 * @param idleSince the idle period that it is about, by the node's clock
 * @param actNotBefore what was promised; absent where it was promised that nothing follows
 * @param mode how far it was said that we may go
 */
public record Warning(
    Instant warnedAt, Instant idleSince, Optional<Instant> actNotBefore, Mode mode) {
  static final String NEVER = "never";

  private static final Map<String, Optional<String>> REMOVAL =
      Map.of(
          Annotations.WARNED_AT, Optional.empty(),
          Annotations.IDLE_SINCE, Optional.empty(),
          Annotations.ACT_NOT_BEFORE, Optional.empty(),
          Annotations.WARNED_MODE, Optional.empty());

  private static final Duration SAME_PERIOD = Duration.ofSeconds(1);

  /** The warning that is given when this verdict is acted on. */
  public static Warning of(Verdict.ToWarn verdict, Instant now) {
    return new Warning(now, verdict.idleSince(), verdict.actNotBefore(), verdict.mode());
  }

  /** The annotations to write. */
  public Map<String, Optional<String>> annotations() {
    return Map.of(
        Annotations.WARNED_AT, Optional.of(warnedAt.toString()),
        Annotations.IDLE_SINCE, Optional.of(idleSince.toString()),
        Annotations.ACT_NOT_BEFORE, Optional.of(actNotBefore.map(Instant::toString).orElse(NEVER)),
        Annotations.WARNED_MODE, Optional.of(mode.text()));
  }

  /** The annotations to remove when it is taken back. */
  public static Map<String, Optional<String>> removal() {
    return REMOVAL;
  }

  /**
   * Why it does not hold for a workload that has been idle since then, if so.
   *
   * @param modeNow under which it would be relied on
   * @param maxSkew how much two clocks may differ
   */
  Optional<Withdrawal> voidedBy(Instant idleNow, Mode modeNow, Instant now, Duration maxSkew) {
    if (Duration.between(idleSince, idleNow).abs().compareTo(SAME_PERIOD) >= 0) {
      return Optional.of(Withdrawal.OTHER_IDLE_PERIOD);
    }
    if (isAfter(warnedAt, now, maxSkew) || isAfter(idleSince, warnedAt, maxSkew)) {
      return Optional.of(Withdrawal.IMPLAUSIBLE_TIME);
    }
    return modeNow.exceeds(mode) || (modeNow.acts() && actNotBefore.isEmpty())
        ? Optional.of(Withdrawal.MODE_RAISED)
        : Optional.empty();
  }

  /** How long until this warning allows the act; zero or less when it does. */
  Duration remaining(Duration warnBefore, Instant now) {
    Duration grace = warnBefore.minus(Duration.between(warnedAt, now));
    Duration promised =
        actNotBefore.map(instant -> Duration.between(now, instant)).orElse(Duration.ZERO);
    return grace.compareTo(promised) >= 0 ? grace : promised;
  }

  private static boolean isAfter(Instant one, Instant other, Duration margin) {
    return Duration.between(other, one).compareTo(margin) > 0;
  }
}
