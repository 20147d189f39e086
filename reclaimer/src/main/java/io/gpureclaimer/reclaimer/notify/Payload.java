package io.gpureclaimer.reclaimer.notify;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.gpureclaimer.reclaimer.json.Json;
import io.gpureclaimer.reclaimer.notify.Message.Topic;
import io.gpureclaimer.reclaimer.workload.Workload.WorkloadSummary;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Puts messages into the form that a receiver understands. */
final class Payload {
  static final int SCHEMA = 1;

  private Payload() {}

  /** The body of the request. */
  static String of(Receiver.PayloadFormat kind, Message message) {
    return Json.line(
        switch (kind) {
          case GENERIC -> Generic.of(message);
          case SLACK -> new Slack(slack(message.line()));
          case ALERTMANAGER -> alerts(message);
        });
  }

  @Serdeable
  record Generic(
      int schema,
      String topic,
      String title,
      Instant at,
      Optional<WorkloadSummary> workload,
      String text,
      Optional<Instant> idleSince,
      Optional<Instant> actNotBefore) {
    static Generic of(Message message) {
      return new Generic(
          SCHEMA,
          message.topic().code(),
          message.topic().title(),
          message.at(),
          message.workload(),
          message.text(),
          message.idleSince(),
          message.actNotBefore());
    }
  }

  @Serdeable
  record Slack(String text) {}

  @Serdeable
  record Alert(AlertLabels labels, AlertAnnotations annotations, Instant startsAt, Instant endsAt) {
    @Serdeable
    record AlertLabels(
        String alertname,
        String severity,
        Optional<String> namespace,
        @JsonProperty("workload_kind") Optional<String> workloadKind,
        Optional<String> workload) {}

    @Serdeable
    record AlertAnnotations(String summary, String description) {}
  }

  /** Slack takes three characters for markup, which names and messages must not become. */
  private static String slack(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** What ends a warning ends the alert about it as well. */
  private static List<Alert> alerts(Message message) {
    return switch (message.topic()) {
      case WARNING -> List.of(alert("GPUIdleWarned", message, message.standsUntil()));
      case WITHDRAWAL -> List.of(alert("GPUIdleWarned", message, message.at()));
      case RECLAIMED ->
          List.of(
              alert("GPUIdleWarned", message, message.at()),
              alert("GPUReclaimed", message, message.standsUntil()));
      case RESTORED -> List.of(alert("GPUReclaimed", message, message.at()));
      case CONTESTED -> List.of(alert("GPUReclamationContested", message, message.standsUntil()));
      case BREAKER_OPEN -> List.of(alert("GPUReclaimerObserves", message, message.standsUntil()));
      case BREAKER_CLOSED -> List.of(alert("GPUReclaimerObserves", message, message.at()));
    };
  }

  private static Alert alert(String name, Message message, Instant until) {
    return new Alert(
        new Alert.AlertLabels(
            name,
            severity(message.topic()),
            message.workload().map(WorkloadSummary::namespace),
            message.workload().map(WorkloadSummary::kind),
            message.workload().map(WorkloadSummary::name)),
        new Alert.AlertAnnotations(message.topic().title(), message.text()),
        message.at(),
        until);
  }

  /** The same for the message that ends an alert, or it would be another alert. */
  private static String severity(Topic topic) {
    return switch (topic) {
      case WARNING, WITHDRAWAL, RECLAIMED, RESTORED -> "info";
      case CONTESTED, BREAKER_OPEN, BREAKER_CLOSED -> "warning";
    };
  }
}
