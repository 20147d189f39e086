package io.gpureclaimer.reclaimer.act;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/**
 * The name of one act: the same for the warning that announces it, the act itself and everything
 * that is told of it, whichever replica does it, and another one for the next idle period.
 *
 * @param value a UUID
 */
public record ActionId(String value) {

  /** The act that a step announces or is; nothing where none follows. */
  static Optional<ActionId> of(Step step) {
    return switch (step) {
      case Step.Warn(var verdict) when verdict.mode().acts() ->
          Optional.of(of(verdict, verdict.idleSince().toString()));
      case Step.Evict(var verdict, _) -> Optional.of(of(verdict, warnedOf(verdict)));
      case Step.Warn _, Step.Withdraw _, Step.Wait _ -> Optional.empty();
    };
  }

  /** The idle period as the warning names it: the same one may look a moment shorter later. */
  private static String warnedOf(Verdict.Due due) {
    return due.pod().annotations().getOrDefault(Annotations.IDLE_SINCE, due.idleSince().toString());
  }

  private static ActionId of(Verdict verdict, String idleSince) {
    String text = verdict.workload().uid() + " " + idleSince + " " + EvictPod.NAME;
    return new ActionId(UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString());
  }

  @Override
  public String toString() {
    return value;
  }
}
