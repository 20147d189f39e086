package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.evidence.SignalHistoryStore.SignalHistory;
import io.gpureclaimer.reclaimer.plan.ExpectedLoss;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Remark;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment.PodEvidence;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.VerdictCode;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One workload: the verdict, what will happen, the result of each rule, where each value of the
 * policy is from, and the evidence with its ages. Confined to one text.
 */
public final class ExplainText {
  /** Key of a rule that was not checked, because one before it decided. */
  public static final String NOT_REACHED = "-";

  private static final int WIDTH = 13;
  private static final int WIDTH_OF_KEYS = 21;

  private final List<ExplainLine> lines = new ArrayList<>();

  private ExplainText() {}

  /** A line of an explanation. */
  public record ExplainLine(String key, String value) {}

  /**
   * Lines that belong together.
   *
   * @param title in capital letters; empty for the first section, which has the verdict
   */
  public record ExplainSection(String title, List<ExplainLine> lines) {
    public ExplainSection {
      lines = List.copyOf(lines);
    }
  }

  /** Lines about the workload of a pod or owner; empty when the report has none. */
  public static Optional<String> of(CycleReport report, ExplainedObject subject) {
    return Explanation.of(report, subject).map(ExplainText::text);
  }

  /** The same lines, by section. */
  public static List<ExplainSection> sections(Explanation about) {
    return Stream.of(
            new ExplainSection("", collect(text -> text.decision(about))),
            new ExplainSection(
                "RULES",
                about.findings().stream()
                    .map(finding -> new ExplainLine(finding.status().mark, finding.sentence()))
                    .toList()),
            new ExplainSection(
                "POLICY", collect(text -> about.judgment().policy().ifPresent(text::policy))),
            new ExplainSection(
                "EVIDENCE",
                collect(
                    text -> about.judgment().evidence().forEach(pod -> text.evidence(pod, about)))))
        .filter(section -> !section.lines().isEmpty())
        .toList();
  }

  private static List<ExplainLine> collect(Consumer<ExplainText> writing) {
    var text = new ExplainText();
    writing.accept(text);
    return text.lines;
  }

  private static String text(Explanation about) {
    var text = new StringBuilder();
    text.append(about.judgment().verdict().workload()).append('\n');
    for (ExplainSection section : sections(about)) {
      if (!section.title().isEmpty()) {
        text.append('\n').append(section.title()).append('\n');
      }
      int width = section.title().equals("POLICY") ? WIDTH_OF_KEYS : WIDTH;
      for (ExplainLine line : section.lines()) {
        text.append("  ").append(line.key());
        text.append(" ".repeat(Math.max(1, width - line.key().length())));
        text.append(line.value()).append('\n');
      }
    }
    return text.toString();
  }

  private void decision(Explanation about) {
    Verdict verdict = about.judgment().verdict();
    line("verdict", VerdictCode.of(verdict).verdict() + ": " + VerdictSentence.of(verdict));
    about.pending().forEach(unit -> line("pending", PlanText.pending(unit)));
    about.floors().forEach(floor -> line("keep free", PlanText.floor(floor)));
    about.planned().forEach(entry -> line("now", entry.step().name() + ": " + entry.reason()));
    about
        .postponed()
        .forEach(postponed -> line("now", "wait: " + PlanText.postponement(postponed)));
    about.results().forEach(result -> line("outcome", result.sentence()));
    about.report().breaker().reasons().forEach(why -> line("breaker", why.sentence()));
    line("next", about.outlook());
    if (verdict instanceof Verdict.Due due) {
      line("loss", ExpectedLoss.sentence(due));
      line("past", ExpectedLoss.past(due));
      line("fairness", about.report().plan().fairness().sentence(due.workload()));
    }
    about.action().ifPresent(this::action);
  }

  private void action(ActionSummary action) {
    line("action", action.sentence());
    action.restore().ifPresent(how -> line("restore", how));
  }

  private void policy(EffectivePolicy policy) {
    PolicyRow.of(policy).forEach(row -> line(row.key(), row.value() + " (" + row.source() + ")"));
    policy.excludedBy().ifPresent(object -> line("exclude", "true, from " + object));
    policy.remarks().stream().map(Remark::text).forEach(remark -> line("remark", remark));
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
      case Evidence.Idle(var since, var length, var startedAfter) ->
          "idle for "
              + human(length)
              + ", since "
              + seconds(since)
              + startedAfter.map(what -> ", after " + what).orElse("");
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
        + device
            .signal()
            .map(
                signal ->
                    signal
                        .kind()
                        .map(
                            kind ->
                                "; last signal of its board "
                                    + human(Duration.between(signal.at(), device.observedUntil()))
                                    + " ago: "
                                    + kind.code())
                        .orElse("; no signal of its board"))
            .orElse("")
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
    lines.add(new ExplainLine(key, value));
  }
}
