package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.evidence.SignalHistoryStore.SignalHistory;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Remark;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment.PodEvidence;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.VerdictCode;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One workload: the verdict, what will happen, every rule that was checked, where each value is
 * from, and the evidence with its ages. Confined to one text.
 */
public final class ExplainText {
  private static final int WIDTH = 13;
  private static final int WIDTH_OF_KEYS = 21;

  private final StringBuilder text = new StringBuilder();

  private ExplainText() {}

  /** Lines about the workload of a pod or owner; empty when the report has none. */
  public static Optional<String> of(CycleReport report, ExplainedObject subject) {
    return Explanation.of(report, subject).map(about -> new ExplainText().text(about));
  }

  private String text(Explanation about) {
    decision(about);
    text.append("\nRULES\n");
    about.findings().forEach(finding -> line(finding.status().mark, finding.sentence()));
    about.judgment().policy().ifPresent(this::policy);
    if (!about.judgment().evidence().isEmpty()) {
      text.append("\nEVIDENCE\n");
    }
    about.judgment().evidence().forEach(pod -> evidence(pod, about));
    return text.toString();
  }

  private void decision(Explanation about) {
    Verdict verdict = about.judgment().verdict();
    text.append(verdict.workload()).append('\n');
    line("verdict", VerdictCode.of(verdict).verdict() + ": " + VerdictSentence.of(verdict));
    about.pending().forEach(unit -> line("pending", PlanText.pending(unit)));
    about.planned().forEach(entry -> line("now", entry.step().name() + ": " + entry.reason()));
    about
        .postponed()
        .forEach(postponed -> line("now", "wait: " + PlanText.postponement(postponed)));
    about.results().forEach(result -> line("outcome", result.sentence()));
    about.report().breaker().reasons().forEach(why -> line("breaker", why.sentence()));
    line("next", about.outlook());
    about.action().ifPresent(this::action);
  }

  private void action(ActionSummary action) {
    line("action", action.sentence());
    action.restore().ifPresent(how -> line("restore", how));
  }

  private void policy(EffectivePolicy policy) {
    text.append("\nPOLICY\n");
    PolicyRow.of(policy)
        .forEach(row -> line(row.key(), WIDTH_OF_KEYS, row.value() + " (" + row.source() + ")"));
    policy.excludedBy().ifPresent(object -> line("exclude", WIDTH_OF_KEYS, "true, from " + object));
    policy.remarks().stream()
        .map(Remark::text)
        .forEach(remark -> line("remark", WIDTH_OF_KEYS, remark));
  }

  private void evidence(PodEvidence pod, Explanation about) {
    line("pod", pod.pod() + ": " + words(pod.evidence()));
    if (about.report().observation() instanceof Observation.Seen seen) {
      about
          .activity(pod)
          .ifPresent(
              activity -> {
                activity.devices().forEach(device -> line("gpu", words(device, seen)));
                activity.signals().forEach(signal -> line("signal", words(signal)));
                activity.signalHistory().ifPresent(heard -> line("signals", words(heard, seen)));
              });
    }
  }

  private static String words(Evidence evidence) {
    return switch (evidence) {
      case Evidence.Active(var lastActive, _) -> "active, last at " + seconds(lastActive);
      case Evidence.Idle(var since, var length, var beganAfter) ->
          "idle for "
              + human(length)
              + ", since "
              + seconds(since)
              + beganAfter.map(what -> ", after " + what).orElse("");
      case Evidence.Unknown(_, String reason) -> "unknown: " + reason;
    };
  }

  private static String words(DeviceActivity device, Observation.Seen seen) {
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

  private static String words(Signal signal) {
    return signal.what() + ": " + signal.valueText() + limitIs(signal) + signal.limitText();
  }

  private static String limitIs(Signal signal) {
    if (!signal.isKnown()) {
      return "; the limit is ";
    }
    return signal.saysWork() ? ", over the limit of " : ", within the limit of ";
  }

  private static String words(SignalHistory heard, Observation.Seen seen) {
    String work =
        heard.workByCode().entrySet().stream()
            .map(entry -> "; " + entry.getKey() + " said work at " + seconds(entry.getValue()))
            .collect(Collectors.joining());
    return "observed for "
        + human(Duration.between(heard.since(), seen.at()))
        + (work.isEmpty() ? "; none said work" : work);
  }

  private static Instant seconds(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS);
  }

  private static String human(Duration duration) {
    return Durations.format(duration.isNegative() ? Duration.ZERO : duration);
  }

  private void line(String key, String value) {
    line(key, WIDTH, value);
  }

  private void line(String key, int width, String value) {
    text.append("  ").append(key).append(" ".repeat(Math.max(1, width - key.length())));
    text.append(value).append('\n');
  }
}
