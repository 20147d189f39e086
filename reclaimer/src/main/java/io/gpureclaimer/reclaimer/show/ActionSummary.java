package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.reclaimer.action.Action;
import io.gpureclaimer.reclaimer.action.Action.ActionCheck;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.workload.Workload;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The action that would free the GPUs of a workload, in words.
 *
 * @param name of the action; {@code none} if none is possible
 * @param refusal stable name of the reason why none is possible
 * @param sentence what it changes, or why it is not possible
 * @param restore how people get the workload back
 */
@Serdeable
record ActionSummary(
    String name, Optional<String> refusal, String sentence, Optional<String> restore) {

  /** Empty where the workload is not idle, or the policy allows no action, which the rules say. */
  static Optional<ActionSummary> of(Judgment judgment, Instant now) {
    Workload workload = judgment.verdict().workload();
    return judgment
        .action()
        .filter(_ -> judgment.verdict().idleTime().isPresent())
        .map(check -> of(check, workload, now));
  }

  private static ActionSummary of(ActionCheck check, Workload workload, Instant now) {
    return switch (check) {
      case ActionCheck.Refused(var code, _, var reason) ->
          new ActionSummary("none", Optional.of(code), "none: " + reason, Optional.empty());
      case ActionCheck.Possible(Action.Evict evict) ->
          new ActionSummary(
              evict.name(),
              Optional.empty(),
              "evict pod " + workload.firstPod().ref(),
              Optional.of(evict.wayBack(workload)));
      case ActionCheck.Possible(Action.ChangeOwner change) ->
          new ActionSummary(
              change.name(),
              Optional.empty(),
              change.name()
                  + " "
                  + change.changes(workload, now).stream()
                      .map(ActionSummary::words)
                      .collect(Collectors.joining("; ")),
              Optional.of(
                  "gpu-reclaimer restore "
                      + workload.namespace()
                      + "/"
                      + change.target(workload).owner().kind().toLowerCase(Locale.ROOT)
                      + "/"
                      + change.target(workload).owner().name()));
    };
  }

  private static String words(FieldChange change) {
    return change.object()
        + ": "
        + change.field()
        + " from "
        + change.former().orElse("unset")
        + " to "
        + change.written().orElse("unset");
  }
}
