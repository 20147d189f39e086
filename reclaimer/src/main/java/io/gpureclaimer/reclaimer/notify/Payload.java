package io.gpureclaimer.reclaimer.notify;

import io.gpureclaimer.reclaimer.json.JsonObject;
import io.gpureclaimer.reclaimer.json.JsonText;
import io.gpureclaimer.reclaimer.notify.Message.Topic;
import io.gpureclaimer.reclaimer.policy.Subject;
import java.time.Instant;
import java.util.List;

/** Puts messages into the form that a receiver understands. */
final class Payload {
  static final int SCHEMA = 1;

  private Payload() {}

  /** The body of the request. */
  static String of(Receiver.Kind kind, Message message) {
    return switch (kind) {
      case GENERIC -> JsonText.line(generic(message));
      case SLACK -> JsonText.line(new JsonObject().put("text", slack(message.line())));
      case ALERTMANAGER -> JsonText.line(alerts(message));
    };
  }

  private static JsonObject generic(Message message) {
    return new JsonObject()
        .put("schema", SCHEMA)
        .put("topic", message.topic().code())
        .put("title", message.topic().title())
        .put("at", message.at())
        .put("workload", message.workload().map(Payload::workload))
        .put("text", message.text())
        .put("idleSince", message.idleSince())
        .put("actNotBefore", message.actNotBefore());
  }

  private static JsonObject workload(Subject workload) {
    return new JsonObject()
        .put("namespace", workload.namespace())
        .put("kind", workload.kind())
        .put("name", workload.name())
        .put("uid", workload.uid())
        .put("gpus", workload.gpus());
  }

  /** Slack takes three characters for markup, which names and messages must not become. */
  private static String slack(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** What ends a warning ends the alert about it as well. */
  private static List<JsonObject> alerts(Message message) {
    return switch (message.topic()) {
      case WARNING -> List.of(alert("GPUIdleWarned", message, message.standsUntil()));
      case WITHDRAWAL -> List.of(alert("GPUIdleWarned", message, message.at()));
      case RECLAIMED ->
          List.of(
              alert("GPUIdleWarned", message, message.at()),
              alert("GPUReclaimed", message, message.standsUntil()));
      case BREAKER_OPEN -> List.of(alert("GPUReclaimerObserves", message, message.standsUntil()));
      case BREAKER_CLOSED -> List.of(alert("GPUReclaimerObserves", message, message.at()));
    };
  }

  private static JsonObject alert(String name, Message message, Instant until) {
    var labels = new JsonObject().put("alertname", name).put("severity", severity(message.topic()));
    message
        .workload()
        .ifPresent(
            workload ->
                labels
                    .put("namespace", workload.namespace())
                    .put("workload_kind", workload.kind())
                    .put("workload", workload.name()));
    return new JsonObject()
        .put("labels", labels)
        .put(
            "annotations",
            new JsonObject()
                .put("summary", message.topic().title())
                .put("description", message.text()))
        .put("startsAt", message.at())
        .put("endsAt", until);
  }

  /** The same for the message that ends an alert, or it would be another alert. */
  private static String severity(Topic topic) {
    return switch (topic) {
      case WARNING, WITHDRAWAL, RECLAIMED -> "info";
      case BREAKER_OPEN, BREAKER_CLOSED -> "warning";
    };
  }
}
