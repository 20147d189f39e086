package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.evidence.IdlePast.IdleOutcomes;
import io.gpureclaimer.reclaimer.policy.WorkloadClass;
import io.gpureclaimer.reclaimer.verdict.OwnPast;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.time.Duration;
import java.util.Collection;

/**
 * How much GPU time workloads that are reclaimed are expected to lose: the GPUs of each, times the
 * probability that it works again within an hour, times the {@link RestartTime}.
 *
 * <p>The prior of that probability depends on the class: idle times are taken to be distributed
 * with the survival function {@code S(t) = (1 + t/1h)^-a}, a Lomax distribution. So the longer a
 * workload has been idle, the longer it is expected to stay so: {@code p0 = 1 - S(t + 1h) / S(t)}.
 *
 * <p>The prior counts as much as {@link #PRIOR_PERIODS} idle periods of the workload itself. Of n
 * periods in its past that lasted for t, d ended within the next hour: {@code p1 = (m p0 + d) / (m
 * + n)}, the mean of a beta-binomial distribution. That is the prior of those of the periods that
 * lasted for t at about this time of day.
 *
 * <p>Whole millionths of a GPU-second, so that sums are exact and do not depend on their order.
 */
public final class ExpectedLoss {
  /** How many idle periods the prior counts for. */
  static final int PRIOR_PERIODS = 2;

  private static final int MILLION = 1_000_000;
  private static final int SECONDS_PER_MINUTE = 60;
  private static final double HOUR = Duration.ofHours(1).toMillis();

  private ExpectedLoss() {}

  /** Of one workload, in millionths of a GPU-second; of devices that are not whole GPUs too. */
  static long of(Due due) {
    return Math.round(probability(due) * MILLION)
        * due.workload().devicesHeld()
        * RestartTime.of(due.workload()).total().toSeconds();
  }

  /** Of several workloads. */
  static long ofAll(Collection<Due> together) {
    return together.stream().mapToLong(ExpectedLoss::of).sum();
  }

  /** The probability that a workload works again within an hour. */
  public static double probability(Due due) {
    return switch (due.past()) {
      case OwnPast.Counted(IdleOutcomes all, IdleOutcomes atThisTime, _) ->
          with(atThisTime, with(all, prior(due)));
      case OwnPast.Unread _ -> prior(due);
    };
  }

  private static double with(IdleOutcomes outcomes, double prior) {
    return (PRIOR_PERIODS * prior + outcomes.ended()) / (PRIOR_PERIODS + outcomes.periods());
  }

  /** The same of a workload of which only the class is known. */
  public static double prior(Due due) {
    return prior(due.workloadClass(), due.idleFor());
  }

  /** The same of any workload of a class. */
  static double prior(WorkloadClass kind, Duration idleFor) {
    double idle = idleFor.toMillis() / HOUR;
    return 1 - Math.pow((1 + idle) / (2 + idle), exponent(kind));
  }

  private static double exponent(WorkloadClass kind) {
    return switch (kind) {
      case SERVING -> 1.5;
      case INTERACTIVE, OTHER -> 1;
      case ELASTIC -> 0.75;
      case BATCH -> 0.5;
    };
  }

  /** In words, for example {@code 7.5 GPU-minutes: 2 GPUs, needed again within an hour …}. */
  public static String sentence(Due due) {
    int gpus = due.workload().devicesHeld();
    return gpuMinutes(due)
        + " GPU-minutes: "
        + gpus
        + (gpus == 1 ? " GPU" : " GPUs")
        + ", needed again within an hour with a probability of "
        + percent(probability(due))
        + " (class "
        + due.workloadClass().text()
        + ": "
        + percent(prior(due))
        + "), "
        + RestartTime.of(due.workload()).sentence();
  }

  /** What the past of a workload says, in words. */
  public static String past(Due due) {
    return switch (due.past()) {
      case OwnPast.Counted(IdleOutcomes all, IdleOutcomes atThisTime, Duration length) ->
          "idle for as long "
              + times(all)
              + " in the last "
              + Durations.format(length)
              + (all.periods() == 0
                  ? ""
                  : ", "
                      + all.ended()
                      + " of them ended within the next hour; at about this time of day "
                      + times(atThisTime)
                      + (atThisTime.periods() == 0 ? "" : ", " + atThisTime.ended() + " of them"));
      case OwnPast.Unread(String why) -> "unknown, only the class counts: " + why;
    };
  }

  private static String times(IdleOutcomes outcomes) {
    return outcomes.periods() == 1 ? "once" : outcomes.periods() + " times";
  }

  private static String percent(double probability) {
    return Math.round(100 * probability) + " %";
  }

  /** Of one workload, in GPU-minutes, rounded to tenths. */
  public static double gpuMinutes(Due due) {
    return gpuMinutes(of(due));
  }

  /** In GPU-minutes, rounded to tenths. */
  static double gpuMinutes(long millionths) {
    return Math.round(10.0 * millionths / MILLION / SECONDS_PER_MINUTE) / 10.0;
  }
}
