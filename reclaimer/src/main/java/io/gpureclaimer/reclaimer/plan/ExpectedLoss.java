package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.policy.WorkloadClass;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.time.Duration;
import java.util.Collection;

/**
 * How many GPUs are expected to be needed again within an hour by workloads that are reclaimed: the
 * GPUs of each, times the probability that it works again.
 *
 * <p>The probability is a prior, not measured: idle times are taken to be distributed with the
 * survival function {@code S(t) = (1 + t/1h)^-a}, a Lomax distribution, of which the exponent
 * depends on the class. So the longer a workload has been idle, the longer it is expected to stay
 * so: {@code p = 1 - S(t + 1h) / S(t)}.
 *
 * <p>Whole millionths, so that sums are exact and do not depend on their order.
 */
public final class ExpectedLoss {
  private static final int MILLION = 1_000_000;
  private static final double HOUR = Duration.ofHours(1).toMillis();

  private ExpectedLoss() {}

  /** Of one workload, in millionths of a GPU; of devices that are not whole GPUs too. */
  static long of(Due due) {
    return Math.round(probability(due) * MILLION) * due.workload().devicesHeld();
  }

  /** Of several workloads. */
  static long ofAll(Collection<Due> together) {
    return together.stream().mapToLong(ExpectedLoss::of).sum();
  }

  /** The probability that a workload works again within an hour. */
  public static double probability(Due due) {
    return probability(due.workloadClass(), due.idleFor());
  }

  /** The same of any workload of a class. */
  static double probability(WorkloadClass kind, Duration idleFor) {
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

  /** In words, for example {@code 0.5 GPUs: 2 GPUs, 25 % probable to be needed again …}. */
  public static String sentence(Due due) {
    long percent = Math.round(100 * probability(due));
    int gpus = due.workload().devicesHeld();
    return gpus(due)
        + " GPUs: "
        + gpus
        + (gpus == 1 ? " GPU" : " GPUs")
        + ", needed again within an hour with a probability of "
        + percent
        + " % (class "
        + due.workloadClass().text()
        + ")";
  }

  /** Of one workload, in GPUs, rounded to hundredths. */
  public static double gpus(Due due) {
    return gpus(of(due));
  }

  /** In GPUs, rounded to hundredths. */
  static double gpus(long millionths) {
    return Math.round(100.0 * millionths / MILLION) / 100.0;
  }
}
