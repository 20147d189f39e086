package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.execution.PlanExecutor.StepResult;
import io.gpureclaimer.reclaimer.execution.Postponements.Postponement;
import io.gpureclaimer.reclaimer.plan.FloorStatus;
import io.gpureclaimer.reclaimer.plan.PendingStatus;
import io.gpureclaimer.reclaimer.plan.Planner.Plan;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.show.RuleResults.RuleResult;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment.PodEvidence;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Complete explanation of one workload, for text and JSON. */
public record Explanation(CycleReport report, Judgment judgment) {
  private static final String NOTHING = "nothing, as long as this is so";

  /** About the workload of this pod or owner; empty when the report has none. */
  public static Optional<Explanation> of(CycleReport report, ExplainedObject subject) {
    return report.judgments().stream()
        .filter(judgment -> subject.isPartOf(judgment.verdict().workload()))
        .findFirst()
        .map(judgment -> new Explanation(report, judgment));
  }

  List<Plan.PlanEntry> planned() {
    return report.plan().entries().stream().filter(entry -> concernsIt(entry.step())).toList();
  }

  List<Postponement> postponed() {
    return report.postponed().stream()
        .filter(postponed -> postponed.verdict().equals(judgment.verdict()))
        .toList();
  }

  /** What the plan does for pods of it that are pending. */
  List<PendingStatus> pending() {
    return report.plan().pending().stream()
        .filter(
            unit ->
                judgment.verdict().workload().allPods().stream()
                    .anyMatch(pod -> unit.pods().contains(pod.ref())))
        .toList();
  }

  /** Floors for which the workload may be reclaimed. */
  List<FloorStatus> floors() {
    Verdict verdict = judgment.verdict();
    return report.plan().floors().stream()
        .filter(_ -> judgment.policy().filter(p -> p.mode().value() == Mode.ON_DEMAND).isPresent())
        .filter(floor -> floor.concerns(verdict.workload()))
        .toList();
  }

  List<StepResult> results() {
    return report.results().stream().filter(result -> concernsIt(result.step())).toList();
  }

  Optional<ActionSummary> action() {
    return ActionSummary.of(judgment, report.at());
  }

  List<RuleResult> findings() {
    return RuleResults.of(judgment);
  }

  /** What the source said of one of its pods; nothing if it did not answer. */
  Optional<PodActivity> activity(PodEvidence pod) {
    return switch (report.observation()) {
      case Observation.Seen seen -> seen.pod(pod.pod().uid());
      case Observation.Blind _ -> Optional.empty();
    };
  }

  private boolean concernsIt(Step step) {
    return step.verdict().equals(judgment.verdict());
  }

  /** What happens next to the workload if nothing changes, without the final stop. */
  String outlook() {
    Instant now = report.at();
    return switch (judgment.verdict()) {
      case Verdict.Protected _,
          Verdict.NotRunning _,
          Verdict.Active _,
          Verdict.Unknown _,
          Verdict.Vetoed _,
          Verdict.Reported _ ->
          NOTHING;
      case Verdict.Starting(_, _, var until) ->
          until.map(at -> "its idle time begins at " + text(at)).orElse(NOTHING);
      case Verdict.Watching(_, _, _, _, _, var next, var remaining) ->
          switch (next) {
            case WARNING -> "a warning" + at(now, remaining) + ", if it stays idle";
            case REPORT -> "it is reported" + at(now, remaining) + ", if it stays idle";
          };
      case Verdict.ToWarn _ when isOnHold() -> "a warning, when no rule prevents it";
      case Verdict.ToWarn(_, _, _, var mode, var actNotBefore, _, _) ->
          "a warning now"
              + actNotBefore
                  .map(at -> "; then it is reclaimed at " + text(at) + " or later" + when(mode))
                  .orElse("; no action follows");
      case Verdict.Warned(_, _, _, _, var mode, var remaining) ->
          "it is reclaimed" + at(now, remaining) + " or later, if it stays idle" + and(mode);
      case Verdict.Notified _ -> "no action follows the warning";
      case Verdict.ToWithdraw _ -> "the warning is withdrawn now";
      case Verdict.Due due ->
          switch (due.mode()) {
            case ALWAYS -> "it is reclaimed as soon as a second look confirms it";
            case ON_DEMAND ->
                "it is reclaimed as soon as a pending pod needs its GPUs"
                    + orFloors(", or ", ",")
                    + " and a second look confirms it";
            case OFF, REPORT, NOTIFY ->
                throw new IllegalArgumentException("mode " + due.mode().text() + " never acts");
          };
    };
  }

  private boolean isOnHold() {
    return !postponed().isEmpty()
        || planned().stream().anyMatch(entry -> entry.step() instanceof Step.Wait);
  }

  private static String at(Instant now, Duration remaining) {
    return " at " + text(now.plus(remaining)) + ", in " + Durations.format(remaining);
  }

  private String when(Mode mode) {
    return mode == Mode.ON_DEMAND ? ", if a pending pod needs its GPUs" + orFloors(" or ", "") : "";
  }

  private String and(Mode mode) {
    return mode == Mode.ON_DEMAND ? " and a pending pod needs its GPUs" + orFloors(" or ", "") : "";
  }

  /** {@code fewer than 8 H100 are free} for each floor. */
  private String orFloors(String before, String after) {
    return floors().stream()
            .map(each -> before + "fewer than " + each.floor().amount() + " are free")
            .collect(Collectors.joining())
        + (floors().isEmpty() ? "" : after);
  }

  private static String text(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
