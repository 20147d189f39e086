package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.json.JsonObject;
import io.gpureclaimer.reclaimer.json.JsonText;
import java.util.Optional;

/** A whole report as JSON, with the same facts as {@link PlanText}. */
public final class PlanJson {
  private PlanJson() {}

  /** One object, indented and ended by a line feed. */
  public static String of(CycleReport report) {
    var object =
        new JsonObject()
            .put("schema", ReportJson.SCHEMA)
            .put("at", report.at())
            .put("blind", blindness(report.observation()))
            .list("breaker", report.breaker().reasons(), ReportJson::breaker)
            .list(
                "workloads",
                report.judgments(),
                judgment ->
                    ReportJson.workload(judgment.verdict().workload())
                        .put("verdict", ReportJson.verdict(judgment.verdict())))
            .list("steps", report.plan().entries(), ReportJson::step)
            .list("postponed", report.postponed(), ReportJson::postponed)
            .list("deeds", report.results(), ReportJson::result)
            .list("remarks", PlanText.remarks(report), remark -> remark);
    return JsonText.indented(object);
  }

  private static Optional<String> blindness(Observation observation) {
    return switch (observation) {
      case Observation.Blind(String reason) -> Optional.of(reason);
      case Observation.Seen _ -> Optional.empty();
    };
  }
}
