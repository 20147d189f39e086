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

/**
 * One workload: what {@code explain} says of it.
 *
 * @param sections the first has the verdict and what follows
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

  /** The page of a workload; empty if the report has none of this pod or owner. */
  public static Optional<WorkloadPage> of(
      CycleReport report, PageFrame frame, ExplainedObject subject) {
    return Explanation.of(report, subject).map(about -> of(about, frame));
  }

  private static WorkloadPage of(Explanation about, PageFrame frame) {
    Verdict verdict = about.judgment().verdict();
    return new WorkloadPage(
        frame,
        WorkloadLink.of(verdict.workload()),
        verdict.workload().holdingsInBrief(),
        VerdictCode.of(verdict).verdict(),
        GpuUse.activity(verdict),
        ExplainText.sections(about));
  }
}
