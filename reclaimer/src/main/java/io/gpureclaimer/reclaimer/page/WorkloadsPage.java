package io.gpureclaimer.reclaimer.page;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.page.GpuUse.Activity;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.VerdictCode;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Workloads with GPUs, those that are idle for longest first.
 *
 * @param filter by which they are chosen
 * @param namespaces and {@code verdicts} from which to choose
 */
public record WorkloadsPage(
    PageFrame frame,
    Filter filter,
    List<String> namespaces,
    List<String> verdicts,
    List<Row> rows) {
  public WorkloadsPage {
    namespaces = List.copyOf(namespaces);
    verdicts = List.copyOf(verdicts);
    rows = List.copyOf(rows);
  }

  /** One workload. */
  public record Row(
      WorkloadLink workload, String gpus, String verdict, Activity activity, String sentence) {}

  /**
   * Which workloads to show.
   *
   * @param namespace only of this one
   * @param verdict only with this code
   */
  public record Filter(Optional<String> namespace, Optional<String> verdict) {

    boolean takes(Verdict one) {
      return namespace.filter(name -> !name.equals(one.workload().namespace())).isEmpty()
          && verdict.filter(code -> !code.equals(VerdictCode.of(one).verdict())).isEmpty();
    }
  }

  /** The page of a report. */
  public static WorkloadsPage of(CycleReport report, PageFrame frame, Filter filter) {
    List<Verdict> verdicts = report.judgments().stream().map(Judgment::verdict).toList();
    return new WorkloadsPage(
        frame,
        filter,
        verdicts.stream().map(one -> one.workload().namespace()).distinct().sorted().toList(),
        verdicts.stream().map(one -> VerdictCode.of(one).verdict()).distinct().sorted().toList(),
        verdicts.stream()
            .filter(filter::takes)
            .sorted(
                Comparator.comparing((Verdict one) -> one.idleTime().orElse(Duration.ZERO))
                    .reversed())
            .map(WorkloadsPage::row)
            .toList());
  }

  private static Row row(Verdict verdict) {
    return new Row(
        WorkloadLink.of(verdict.workload()),
        verdict.workload().holdingsInBrief(),
        VerdictCode.of(verdict).verdict(),
        GpuUse.activity(verdict),
        VerdictSentence.of(verdict));
  }
}
