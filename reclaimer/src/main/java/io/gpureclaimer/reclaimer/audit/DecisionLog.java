package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.action.Action.ActionId;
import io.gpureclaimer.reclaimer.audit.record.CycleInputs;
import io.gpureclaimer.reclaimer.audit.record.Decision;
import io.gpureclaimer.reclaimer.audit.record.Decision.NamedText;
import io.gpureclaimer.reclaimer.audit.record.Decision.RecheckText;
import io.gpureclaimer.reclaimer.audit.record.VerdictInputs;
import io.gpureclaimer.reclaimer.audit.record.VerdictInputs.JudgmentTerms;
import io.gpureclaimer.reclaimer.execution.PlanExecutor.StepResult;
import io.gpureclaimer.reclaimer.execution.PreActionCheck.Recheck;
import io.gpureclaimer.reclaimer.plan.Planner.Plan;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.VerdictCode;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records each decision of the replica that leads: a verdict or a step that differs from the last
 * cycle, and the result of every step. A follower records nothing; a new leader records everything.
 * Confined to the thread of the cycle.
 */
final class DecisionLog {
  private final JudgmentTerms terms;
  private final RecordSink sink;

  private Map<String, String> decided = Map.of();
  private @Nullable CycleInputs circumstances;
  private @Nullable Recheck again;

  DecisionLog(JudgmentTerms terms, RecordSink sink) {
    this.terms = terms;
    this.sink = sink;
  }

  /**
   * @param leads whether this replica decides
   */
  void onPlan(CycleReport report, boolean leads) {
    var seen = new CycleInputs(report.at(), terms, report.observation(), report.cluster());
    circumstances = seen;
    again = null;
    if (!leads) {
      decided = Map.of();
      return;
    }
    Map<String, Plan.PlanEntry> entries = entries(report.plan());
    var now = new HashMap<String, String>();
    var lines = new ArrayList<String>();
    for (Judgment judgment : report.judgments()) {
      Verdict verdict = judgment.verdict();
      String uid = verdict.workload().uid();
      Optional<Plan.PlanEntry> entry = Optional.ofNullable(entries.get(uid));
      String key = key(verdict, entry.map(Plan.PlanEntry::step));
      now.put(uid, key);
      if (!key.equals(decided.get(uid))) {
        lines.add(line(verdict, entry.map(DecisionLog::account), seen));
      }
    }
    sink.write(lines);
    decided = Map.copyOf(now);
  }

  void onRecheck(Recheck recheck) {
    again = recheck;
  }

  void onResult(StepResult result) {
    if (circumstances == null) {
      throw new IllegalStateException("a result before the first observation: " + result);
    }
    Step step = result.step();
    var planned = new NamedText(step.name(), "");
    var outcome = new NamedText(result.result().code(), result.sentence());
    VerdictInputs inputs = circumstances.about(step.workload());
    sink.write(
        List.of(
            Decision.on(step.verdict(), Optional.of(planned), Optional.of(outcome), inputs)
                .acted(step.actionId().map(ActionId::value), recheckOf(step.workload()))
                .toJson()));
  }

  private Optional<RecheckText> recheckOf(Workload workload) {
    return Optional.ofNullable(again)
        .filter(recheck -> recheck.planned().uid().equals(workload.uid()))
        .map(
            recheck ->
                RecheckText.of(
                    recheck.verdict(),
                    new CycleInputs(recheck.now(), terms, recheck.observation(), recheck.cluster())
                        .about(recheck.verdict().workload())));
  }

  private static String line(Verdict verdict, Optional<NamedText> step, CycleInputs seen) {
    return Decision.on(verdict, step, Optional.empty(), seen.about(verdict.workload())).toJson();
  }

  private static Map<String, Plan.PlanEntry> entries(Plan plan) {
    var entries = new HashMap<String, Plan.PlanEntry>();
    plan.entries().forEach(entry -> entries.put(entry.step().workload().uid(), entry));
    return entries;
  }

  private static NamedText account(Plan.PlanEntry entry) {
    return new NamedText(entry.step().name(), entry.reason());
  }

  /** What makes two decisions the same, whatever the time. */
  private static String key(Verdict verdict, Optional<Step> step) {
    VerdictCode code = VerdictCode.of(verdict);
    return code.verdict() + " " + code.reason() + step.map(DecisionLog::key).orElse("");
  }

  private static String key(Step step) {
    return " "
        + step.name()
        + switch (step) {
          case Step.Wait(_, var why) -> " " + why.code();
          case Step.Warn _, Step.Withdraw _, Step.Act _ -> "";
        };
  }
}
