package io.gpureclaimer.reclaimer.page;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.page.GpuUse.GpuActivity;
import io.gpureclaimer.reclaimer.request.RequestReply;
import io.gpureclaimer.reclaimer.request.RestoreRequests;
import io.gpureclaimer.reclaimer.show.ExplainText;
import io.gpureclaimer.reclaimer.show.ExplainText.ExplainSection;
import io.gpureclaimer.reclaimer.show.ExplainedObject;
import io.gpureclaimer.reclaimer.show.Explanation;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.VerdictCode;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One workload: what {@code explain} says of it, and the actions on it.
 *
 * @param verdict on it; for an owner without pods, the state of the last action
 * @param sections the first has the verdict and what follows, or the last action
 * @param controls what its reader may request
 * @param chart of its utilization in the last hours
 * @param chartProblem why there is none, in a sentence
 * @param reply to the last request of the reader
 */
public record WorkloadPage(
    PageFrame frame,
    WorkloadLink workload,
    String gpus,
    String verdict,
    GpuActivity activity,
    List<ExplainSection> sections,
    WorkloadControls controls,
    Optional<Sparkline> chart,
    Optional<String> chartProblem,
    Optional<RequestReply> reply) {
  public WorkloadPage {
    sections = List.copyOf(sections);
  }

  /** The page of a workload; empty if the report has neither pods nor actions of it. */
  public static Optional<WorkloadPage> of(
      CycleReport report,
      PageFrame frame,
      ExplainedObject subject,
      WorkloadCharts charts,
      Optional<RequestReply> reply) {
    List<ActionTimeline> actions = ActionTimeline.of(subject.records(report));
    List<ExplainSection> history = actions.stream().map(ActionTimeline::section).toList();
    return Explanation.of(report, subject)
        .map(about -> of(about, isRestorable(actions), history, frame, charts, reply))
        .or(
            () ->
                actions.stream()
                    .findFirst()
                    .map(
                        last ->
                            withoutPods(
                                WorkloadControls.ofOwner(last.owner(), isRestorable(actions)),
                                last.owner(),
                                last.state(),
                                history,
                                frame,
                                reply)));
  }

  private static WorkloadPage withoutPods(
      WorkloadControls controls,
      WorkloadLink workload,
      String state,
      List<ExplainSection> history,
      PageFrame frame,
      Optional<RequestReply> reply) {
    return new WorkloadPage(
        frame,
        workload,
        "0",
        state,
        GpuActivity.OTHER,
        history,
        controls,
        Optional.empty(),
        Optional.empty(),
        reply);
  }

  private static boolean isRestorable(List<ActionTimeline> actions) {
    return actions.stream().anyMatch(action -> RestoreRequests.isOpen(action.record()));
  }

  private static WorkloadPage of(
      Explanation about,
      boolean isRestorable,
      List<ExplainSection> history,
      PageFrame frame,
      WorkloadCharts charts,
      Optional<RequestReply> reply) {
    Verdict verdict = about.judgment().verdict();
    return new WorkloadPage(
        frame,
        WorkloadLink.of(verdict.workload()),
        verdict.workload().devicesText(),
        VerdictCode.of(verdict).verdict(),
        GpuUse.activity(verdict),
        Stream.concat(ExplainText.sections(about).stream(), history.stream()).toList(),
        WorkloadControls.of(about.judgment(), isRestorable, about.report().at()),
        charts.of(verdict.workload()),
        charts.problem(),
        reply);
  }
}
