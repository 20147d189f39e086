package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.reclaimer.act.DeedSentence;
import io.gpureclaimer.reclaimer.activity.DeviceActivity;
import io.gpureclaimer.reclaimer.activity.Evidence;
import io.gpureclaimer.reclaimer.activity.Observation;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.audit.Names;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.plan.TripSentence;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
import io.gpureclaimer.reclaimer.policy.HumanDuration;
import io.gpureclaimer.reclaimer.policy.Judgment;
import io.gpureclaimer.reclaimer.policy.Origin;
import io.gpureclaimer.reclaimer.policy.PodEvidence;
import io.gpureclaimer.reclaimer.policy.Remark;
import io.gpureclaimer.reclaimer.policy.VerdictCode;
import io.gpureclaimer.reclaimer.policy.VerdictSentence;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * One pod: the verdict on its workload, the evidence with its ages, and where each rule is from.
 */
public final class ExplainText {
  private ExplainText() {}

  /** Lines about the pod; empty when the report knows no such pod. */
  public static Optional<String> of(CycleReport report, String namespace, String pod) {
    return report.judgments().stream()
        .filter(judgment -> concerns(judgment, namespace, pod))
        .findFirst()
        .map(judgment -> text(report, judgment));
  }

  private static boolean concerns(Judgment judgment, String namespace, String pod) {
    return judgment.verdict().workload().pods().stream()
        .anyMatch(p -> p.ref().namespace().equals(namespace) && p.ref().name().equals(pod));
  }

  private static String text(CycleReport report, Judgment judgment) {
    var text = new StringBuilder();
    text.append(judgment.verdict().workload()).append('\n');
    line(
        text,
        "verdict",
        VerdictCode.of(judgment.verdict()).verdict()
            + ": "
            + VerdictSentence.of(judgment.verdict()));
    report.plan().entries().stream()
        .filter(entry -> concerns(entry.step(), judgment))
        .forEach(entry -> line(text, "now", Names.of(entry.step()) + ": " + entry.reason()));
    report.postponed().stream()
        .filter(postponed -> postponed.verdict().equals(judgment.verdict()))
        .forEach(postponed -> line(text, "now", "wait: " + PostponementText.of(postponed)));
    report.deeds().stream()
        .filter(deed -> concerns(deed.step(), judgment))
        .forEach(deed -> line(text, "outcome", DeedSentence.of(deed)));
    report.health().trips().forEach(trip -> line(text, "breaker", TripSentence.of(trip)));
    judgment.policy().ifPresent(policy -> policy(text, policy));
    if (!judgment.evidence().isEmpty()) {
      text.append("\nEVIDENCE\n");
    }
    for (PodEvidence pod : judgment.evidence()) {
      line(text, "pod", pod.pod() + ": " + evidence(pod.evidence()));
      devices(text, report.observation(), pod.pod().uid());
    }
    return text.toString();
  }

  private static boolean concerns(Step step, Judgment judgment) {
    return step.verdict().equals(judgment.verdict());
  }

  private static void policy(StringBuilder text, EffectivePolicy policy) {
    text.append("\nPOLICY\n");
    line(text, "mode", policy.mode().value().text() + from(policy.mode().origin()));
    line(text, "idle-after", human(policy.idleAfter().value()) + from(policy.idleAfter().origin()));
    line(
        text,
        "warn-before",
        human(policy.warnBefore().value()) + from(policy.warnBefore().origin()));
    policy.excludedBy().ifPresent(object -> line(text, "exclude", "true, from " + object));
    policy.remarks().stream().map(Remark::text).forEach(remark -> line(text, "remark", remark));
  }

  private static String from(Origin origin) {
    return " (" + VerdictSentence.of(origin) + ")";
  }

  private static String evidence(Evidence evidence) {
    return switch (evidence) {
      case Evidence.Active(var lastActive, _) -> "active, last at " + seconds(lastActive);
      case Evidence.Idle(var since, var length) ->
          "idle for " + human(length) + ", since " + seconds(since);
      case Evidence.Unknown(_, String reason) -> "unknown: " + reason;
    };
  }

  private static void devices(StringBuilder text, Observation observation, String uid) {
    if (observation instanceof Observation.Seen seen) {
      seen.pod(uid)
          .ifPresent(
              pod -> pod.devices().forEach(device -> line(text, "gpu", device(device, seen))));
    }
  }

  private static String device(DeviceActivity device, Observation.Seen seen) {
    String active =
        device
            .lastActive()
            .map(
                at -> "last active " + human(Duration.between(at, device.observedUntil())) + " ago")
            .orElse("never active");
    return device.device()
        + ": "
        + active
        + "; watched without a gap for "
        + human(Duration.between(device.observedSince(), device.observedUntil()))
        + "; newest sample "
        + human(Duration.between(device.sampledAt(), seen.at()))
        + " old";
  }

  private static Instant seconds(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS);
  }

  private static String human(Duration duration) {
    return HumanDuration.of(duration.isNegative() ? Duration.ZERO : duration);
  }

  private static void line(StringBuilder text, String key, String value) {
    text.append("  ").append(key).append(" ".repeat(Math.max(1, 13 - key.length()))).append(value);
    text.append('\n');
  }
}
