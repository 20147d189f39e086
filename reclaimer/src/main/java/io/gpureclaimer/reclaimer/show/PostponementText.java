package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.reclaimer.execution.Postponements.Postponement;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import java.time.temporal.ChronoUnit;

/** Says why a workload has to wait although its time has come. */
final class PostponementText {
  private PostponementText() {}

  static String of(Postponement postponed) {
    return VerdictSentence.of(postponed.verdict())
        + ", but not before "
        + postponed.notBefore().truncatedTo(ChronoUnit.SECONDS)
        + ": "
        + postponed.why();
  }
}
