package io.gpureclaimer.reclaimer.page;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.page.GpuUse.GpuActivity;
import io.gpureclaimer.reclaimer.request.RestoreRequests;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.VerdictCode;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Workloads with GPUs, those that are idle for longest first.
 *
 * @param filter by which they are chosen
 * @param namespaces and {@code verdicts}, {@code models} from which to choose
 * @param total how many workloads match, shown or not
 * @param chartProblem why there are no charts, in a sentence
 * @param reclaimed owners that are reclaimed now, of the chosen namespace, the newest first
 */
public record WorkloadsPage(
    PageFrame frame,
    Filter filter,
    List<String> namespaces,
    List<String> verdicts,
    List<String> models,
    List<WorkloadTableRow> rows,
    int total,
    Optional<String> chartProblem,
    List<ReclaimedRow> reclaimed) {
  /** So many rows load fast on a phone; the others are behind a link. */
  static final int MOST_ROWS = 500;

  /** So many of the last evictions are listed; all are in the history. */
  static final int MOST_EVICTED = 50;

  private static final Comparator<ReclaimedRow> NEWEST =
      Comparator.comparing(ReclaimedRow::since).reversed();

  public WorkloadsPage {
    namespaces = List.copyOf(namespaces);
    verdicts = List.copyOf(verdicts);
    models = List.copyOf(models);
    rows = List.copyOf(rows);
    reclaimed = List.copyOf(reclaimed);
  }

  /**
   * One workload.
   *
   * @param controls only where a namespace is chosen
   */
  public record WorkloadTableRow(
      WorkloadLink workload,
      String gpus,
      String model,
      String verdict,
      GpuActivity activity,
      String sentence,
      Optional<WorkloadControls> controls,
      Optional<Sparkline> chart) {}

  /**
   * An owner that is reclaimed, or a pod that was evicted in the last week.
   *
   * @param controls by which its reader restores it; absent for an evicted pod
   * @param message how to get an evicted pod back
   */
  public record ReclaimedRow(
      WorkloadLink workload,
      Instant since,
      int gpus,
      Optional<String> pendingPod,
      Optional<WorkloadControls> controls,
      String message) {

    /** What the command line restores. */
    public String target() {
      return controls.flatMap(WorkloadControls::target).orElse("");
    }
  }

  /**
   * Which workloads to show.
   *
   * @param namespace only of this one
   * @param verdict only with this code
   * @param activity only with this one
   * @param model only with GPUs of this model
   * @param all whether to show more than the first {@link #MOST_ROWS}
   */
  public record Filter(
      Optional<String> namespace,
      Optional<String> verdict,
      Optional<String> activity,
      Optional<String> model,
      boolean all) {
    /** All workloads. */
    public static final Filter NONE =
        new Filter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false);

    /** The same as further parameters of an address. */
    public String query() {
      return namespace.map(name -> "&namespace=" + encoded(name)).orElse("")
          + verdict.map(code -> "&verdict=" + encoded(code)).orElse("")
          + activity.map(code -> "&activity=" + encoded(code)).orElse("")
          + model.map(name -> "&model=" + encoded(name)).orElse("");
    }

    private static String encoded(String text) {
      return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    boolean takes(Verdict one, GpuModels models) {
      return namespace.filter(name -> !name.equals(one.workload().namespace())).isEmpty()
          && verdict.filter(code -> !code.equals(VerdictCode.of(one).verdict())).isEmpty()
          && activity.filter(code -> !code.equals(GpuUse.activity(one).code())).isEmpty()
          && model.filter(name -> !name.equals(models.of(one.workload()))).isEmpty();
    }
  }

  /** From which to choose. */
  public List<GpuActivity> activities() {
    return List.of(GpuActivity.values());
  }

  /** Whether there is a chart of a workload. */
  public boolean hasCharts() {
    return rows.stream().anyMatch(row -> row.chart().isPresent());
  }

  /** Whether its reader may request something. */
  public boolean hasControls() {
    return frame.person().isPresent() && filter.namespace().isPresent();
  }

  /** The page of a report. */
  public static WorkloadsPage of(
      CycleReport report, PageFrame frame, Filter filter, WorkloadCharts charts) {
    List<Verdict> verdicts = report.judgments().stream().map(Judgment::verdict).toList();
    GpuModels models = GpuModels.of(report);
    List<Judgment> chosen =
        report.judgments().stream()
            .filter(judgment -> filter.takes(judgment.verdict(), models))
            .sorted(
                Comparator.comparing(
                        (Judgment one) -> one.verdict().idleTime().orElse(Duration.ZERO))
                    .reversed())
            .toList();
    return new WorkloadsPage(
        frame,
        filter,
        report.namespaces().stream().sorted().toList(),
        verdicts.stream().map(one -> VerdictCode.of(one).verdict()).distinct().sorted().toList(),
        verdicts.stream()
            .map(one -> models.of(one.workload()))
            .filter(name -> !name.isEmpty())
            .distinct()
            .sorted()
            .toList(),
        chosen.stream()
            .limit(filter.all() ? chosen.size() : MOST_ROWS)
            .map(judgment -> row(judgment, filter, models, charts, report.at()))
            .toList(),
        chosen.size(),
        charts.problem(),
        reclaimed(report, filter));
  }

  private static List<ReclaimedRow> reclaimed(CycleReport report, Filter filter) {
    List<Reclamation> records =
        report.cluster().reclamations().orElse(List.of()).stream()
            .filter(
                record ->
                    filter.namespace().filter(name -> !name.equals(record.namespace())).isEmpty())
            .toList();
    return Stream.concat(
            records.stream().filter(RestoreRequests::isOpen).map(WorkloadsPage::reclaimed),
            records.stream()
                .filter(WorkloadsPage::isEvicted)
                .map(WorkloadsPage::reclaimed)
                .sorted(NEWEST)
                .limit(MOST_EVICTED))
        .sorted(NEWEST)
        .toList();
  }

  private static boolean isEvicted(Reclamation record) {
    return record
        .status()
        .filter(progress -> progress.state() == ReclamationState.EVICTED)
        .isPresent();
  }

  private static ReclaimedRow reclaimed(Reclamation record) {
    ReclamationProgress progress = record.status().orElseThrow();
    var owner = WorkloadLink.of(progress.owner());
    return new ReclaimedRow(
        owner,
        progress.times().recordedAt(),
        progress.devices(),
        progress.pendingPod(),
        progress.isEviction()
            ? Optional.empty()
            : Optional.of(WorkloadControls.ofOwner(owner, true)),
        progress.message());
  }

  private static WorkloadTableRow row(
      Judgment judgment, Filter filter, GpuModels models, WorkloadCharts charts, Instant now) {
    Verdict verdict = judgment.verdict();
    return new WorkloadTableRow(
        WorkloadLink.of(verdict.workload()),
        verdict.workload().devicesText(),
        models.of(verdict.workload()),
        VerdictCode.of(verdict).verdict(),
        GpuUse.activity(verdict),
        VerdictSentence.of(verdict),
        filter.namespace().map(_ -> WorkloadControls.of(judgment, false, now)),
        charts.of(verdict.workload()));
  }
}
