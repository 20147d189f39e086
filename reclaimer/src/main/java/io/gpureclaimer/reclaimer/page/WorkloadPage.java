package io.gpureclaimer.reclaimer.page;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.page.GpuUse.Activity;
import io.gpureclaimer.reclaimer.show.ExplainText;
import io.gpureclaimer.reclaimer.show.ExplainText.Section;
import io.gpureclaimer.reclaimer.show.ExplainedObject;
import io.gpureclaimer.reclaimer.show.Explanation;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.VerdictCode;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One workload: what {@code explain} says of it, and the actions on its owner.
 *
 * @param verdict on it; for an owner without pods, the state of the last action
 * @param sections the first has the verdict and what follows, or the last action
 */
public record WorkloadPage(
    PageFrame frame,
    WorkloadLink workload,
    String gpus,
    String verdict,
    Activity activity,
    List<Section> sections) {
  public WorkloadPage {
    sections = List.copyOf(sections);
  }

  /** The page of a workload; empty if the report has neither pods nor actions of it. */
  public static Optional<WorkloadPage> of(
      CycleReport report, PageFrame frame, ExplainedObject subject) {
    List<ActionTimeline> actions = ActionTimeline.of(subject.records(report));
    return Explanation.of(report, subject)
        .map(about -> of(about, actions, frame))
        .or(() -> actions.stream().findFirst().map(last -> withoutPods(last, actions, frame)));
  }

  private static WorkloadPage withoutPods(
      ActionTimeline last, List<ActionTimeline> actions, PageFrame frame) {
    return new WorkloadPage(
        frame,
        last.owner(),
        "0",
        last.state(),
        Activity.OTHER,
        actions.stream().map(ActionTimeline::section).toList());
  }

  private static WorkloadPage of(Explanation about, List<ActionTimeline> actions, PageFrame frame) {
    Verdict verdict = about.judgment().verdict();
    return new WorkloadPage(
        frame,
        WorkloadLink.of(verdict.workload()),
        verdict.workload().holdingsInBrief(),
        VerdictCode.of(verdict).verdict(),
        GpuUse.activity(verdict),
        Stream.concat(
                ExplainText.sections(about).stream(), actions.stream().map(ActionTimeline::section))
            .toList());
  }
}
