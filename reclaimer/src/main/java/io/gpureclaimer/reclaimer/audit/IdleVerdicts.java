package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.verdict.Verdict;
import java.time.Duration;
import java.util.Optional;

/** Which verdicts say that a workload is idle, and for how long. */
final class IdleVerdicts {
  private IdleVerdicts() {}

  /** How long it has been idle; empty if it is not, or nobody knows. */
  static Optional<Duration> idleFor(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Watching(_, _, var idleFor, _, _, _, _) -> Optional.of(idleFor);
      case Verdict.Reported(_, _, var idleFor, _, _) -> Optional.of(idleFor);
      case Verdict.ToWarn(_, _, var idleFor, _, _) -> Optional.of(idleFor);
      case Verdict.Warned(_, _, var idleFor, _, _, _) -> Optional.of(idleFor);
      case Verdict.Notified(_, _, var idleFor, _) -> Optional.of(idleFor);
      case Verdict.Due(_, _, var idleFor, _, _) -> Optional.of(idleFor);
      case Verdict.Protected _,
          Verdict.NotRunning _,
          Verdict.Starting _,
          Verdict.Vetoed _,
          Verdict.Active _,
          Verdict.Unknown _,
          Verdict.ToWithdraw _ ->
          Optional.empty();
    };
  }
}
