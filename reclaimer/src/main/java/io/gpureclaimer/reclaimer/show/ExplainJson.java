package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.evidence.SignalHistory;
import io.gpureclaimer.reclaimer.json.JsonObject;
import io.gpureclaimer.reclaimer.json.JsonText;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
import io.gpureclaimer.reclaimer.policy.Remark;
import io.gpureclaimer.reclaimer.verdict.Judgment.PodEvidence;
import java.time.Duration;
import java.util.Optional;

/** One pod as JSON, with the same facts as {@link ExplainText}. */
public final class ExplainJson {
  private ExplainJson() {}

  /** One object, indented and ended by a line feed; empty when the report knows no such pod. */
  public static Optional<String> of(CycleReport report, String namespace, String pod) {
    return Explanation.of(report, namespace, pod)
        .map(about -> JsonText.indented(explanation(about)));
  }

  private static JsonObject explanation(Explanation about) {
    return new JsonObject()
        .put("schema", ReportJson.SCHEMA)
        .put("at", about.report().at())
        .put("workload", ReportJson.workload(about.judgment().verdict().workload()))
        .put("verdict", ReportJson.verdict(about.judgment().verdict()))
        .put("next", about.outlook())
        .list("breaker", about.report().breaker().reasons(), ReportJson::breaker)
        .list("steps", about.planned(), ReportJson::step)
        .list("postponed", about.postponed(), ReportJson::postponed)
        .list("deeds", about.results(), ReportJson::result)
        .list("rules", about.findings(), ExplainJson::finding)
        .put("policy", about.judgment().policy().map(ExplainJson::policy))
        .list("evidence", about.judgment().evidence(), pod -> evidence(pod, about));
  }

  private static JsonObject finding(Finding finding) {
    return new JsonObject()
        .put("rule", finding.rule())
        .put("outcome", finding.outcome().code())
        .put("sentence", finding.sentence());
  }

  private static JsonObject policy(EffectivePolicy policy) {
    return new JsonObject()
        .list("values", PolicyRow.of(policy), ExplainJson::row)
        .put("excludedBy", policy.excludedBy())
        .list("remarks", policy.remarks(), Remark::text);
  }

  private static JsonObject row(PolicyRow row) {
    return new JsonObject()
        .put("key", row.key())
        .put("value", row.value())
        .put("source", row.source());
  }

  private static JsonObject evidence(PodEvidence pod, Explanation about) {
    var object = new JsonObject().put("pod", pod.pod().name()).put("uid", pod.pod().uid());
    state(object, pod.evidence());
    if (about.report().observation() instanceof Observation.Seen seen) {
      about.activity(pod).ifPresent(activity -> measured(object, activity, seen));
    }
    return object;
  }

  private static void state(JsonObject object, Evidence evidence) {
    switch (evidence) {
      case Evidence.Active(var lastActive, _) ->
          object.put("state", "active").put("lastActive", lastActive);
      case Evidence.Idle(var since, var length, var beganAfter) ->
          object
              .put("state", "idle")
              .put("idleSince", since)
              .put("idleSeconds", seconds(length))
              .put("beganAfter", beganAfter);
      case Evidence.Unknown(var cause, var reason) ->
          object.put("state", "unknown").put("cause", cause.code()).put("reason", reason);
    }
  }

  private static void measured(JsonObject object, PodActivity activity, Observation.Seen seen) {
    object
        .list("devices", activity.devices(), device -> device(device, seen))
        .list("signals", activity.signals(), ExplainJson::signal)
        .put("heard", activity.signalHistory().map(ExplainJson::heard));
  }

  private static JsonObject heard(SignalHistory heard) {
    return new JsonObject().put("since", heard.since()).map("work", heard.workByCode(), at -> at);
  }

  private static JsonObject device(DeviceActivity device, Observation.Seen seen) {
    return new JsonObject()
        .put("gpu", device.device().gpu().value())
        .put("instance", device.device().instanceId())
        .put("lastActive", device.lastActive())
        .put("observedSince", device.observedSince())
        .put("observedUntil", device.observedUntil())
        .put("sampledAt", device.sampledAt())
        .put("sampleAgeSeconds", seconds(Duration.between(device.sampledAt(), seen.at())))
        .put("recentUtilization", device.recentUtilization());
  }

  private static JsonObject signal(Signal signal) {
    return new JsonObject()
        .put("kind", signal.kind().code())
        .put("what", signal.what())
        .put("value", signal.value())
        .put("limit", signal.limit())
        .put("saysWork", signal.saysWork());
  }

  private static long seconds(Duration duration) {
    return duration.toSeconds();
  }
}
