package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.reclaimer.act.ActionId;
import io.gpureclaimer.reclaimer.act.Deed;
import io.gpureclaimer.reclaimer.act.DeedSentence;
import io.gpureclaimer.reclaimer.act.Postponement;
import io.gpureclaimer.reclaimer.audit.Names;
import io.gpureclaimer.reclaimer.json.JsonObject;
import io.gpureclaimer.reclaimer.plan.Plan;
import io.gpureclaimer.reclaimer.plan.Trip;
import io.gpureclaimer.reclaimer.plan.TripSentence;
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
        .put("step", Names.of(entry.step()))
        .put("workload", entry.step().verdict().workload().toString())
        .put("uid", entry.step().verdict().workload().uid())
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
  static JsonObject trip(Trip trip) {
    return new JsonObject().put("reason", trip.code()).put("sentence", TripSentence.of(trip));
  }

  static JsonObject deed(Deed deed) {
    return new JsonObject()
        .put("step", Names.of(deed.step()))
        .put("workload", deed.step().verdict().workload().toString())
        .put("uid", deed.step().verdict().workload().uid())
        .put("outcome", Names.of(deed))
        .put("action", deed.actionId().map(ActionId::value))
        .put("sentence", DeedSentence.of(deed));
  }
}
