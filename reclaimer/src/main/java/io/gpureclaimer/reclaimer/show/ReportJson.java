package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.reclaimer.action.ActionId;
import io.gpureclaimer.reclaimer.execution.Postponements.Postponement;
import io.gpureclaimer.reclaimer.execution.StepResult;
import io.gpureclaimer.reclaimer.json.JsonObject;
import io.gpureclaimer.reclaimer.plan.BreakerReason;
import io.gpureclaimer.reclaimer.plan.Plan;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.VerdictCode;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import io.gpureclaimer.reclaimer.workload.Workload;

/** The parts that both JSON reports have in common; their names are promised to stay. */
final class ReportJson {
  static final int SCHEMA = 1;

  private ReportJson() {}

  static JsonObject workload(Workload workload) {
    return new JsonObject()
        .put("namespace", workload.namespace())
        .put("kind", workload.kind())
        .put("name", workload.name())
        .put("uid", workload.uid())
        .put("gpus", workload.gpusHeld())
        .put("slices", workload.slicesHeld())
        .put("claimed", workload.claimedHeld())
        .list("pods", workload.pods(), pod -> pod.ref().name());
  }

  static JsonObject verdict(Verdict verdict) {
    VerdictCode code = VerdictCode.of(verdict);
    return new JsonObject()
        .put("code", code.verdict())
        .put("reason", code.reason())
        .put("sentence", VerdictSentence.of(verdict));
  }

  static JsonObject step(Plan.Entry entry) {
    return new JsonObject()
        .put("step", entry.step().name())
        .put("workload", entry.step().workload().toString())
        .put("uid", entry.step().workload().uid())
        .put("sentence", entry.reason());
  }

  static JsonObject postponed(Postponement postponed) {
    return new JsonObject()
        .put("workload", postponed.verdict().workload().toString())
        .put("uid", postponed.verdict().workload().uid())
        .put("notBefore", postponed.notBefore())
        .put("sentence", postponed.why());
  }

  /** Why nothing new is begun; empty while the circuit breaker is closed. */
  static JsonObject breaker(BreakerReason why) {
    return new JsonObject().put("reason", why.code()).put("sentence", why.sentence());
  }

  static JsonObject result(StepResult result) {
    Step step = result.step();
    return new JsonObject()
        .put("step", step.name())
        .put("workload", step.workload().toString())
        .put("uid", step.workload().uid())
        .put("outcome", result.result().code())
        .put("action", step.actionId().map(ActionId::value))
        .put("sentence", result.sentence());
  }
}
