package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.verdict.Verdict;
import java.util.Optional;

/** One thing to do now, or the decision not to do it now. */
public sealed interface Step {

  Verdict verdict();

  /** Give the warning. */
  record Warn(Verdict.ToWarn verdict) implements Step {}

  /** Take the warning back. */
  record Withdraw(Verdict.ToWithdraw verdict) implements Step {}

  /**
   * Evict the pod.
   *
   * @param forWhom the waiting pod that needs its GPUs; absent where it is evicted in any case
   */
  record Evict(Verdict.Due verdict, Optional<Demand> forWhom) implements Step {}

  /** It may be warned or reclaimed, but not now. */
  record Wait(Verdict verdict, NotNow why) implements Step {}
}
