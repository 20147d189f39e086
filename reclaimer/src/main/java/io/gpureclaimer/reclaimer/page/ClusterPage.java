package io.gpureclaimer.reclaimer.page;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Timeline;
import io.gpureclaimer.reclaimer.page.GpuModels.ModelRow;
import io.gpureclaimer.reclaimer.plan.PendingStatus;
import io.gpureclaimer.reclaimer.plan.PlanHistory.FollowUp;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The cluster: its GPUs, pending pods, the next steps, namespaces, and actions.
 *
 * @param models of GPUs; none for a reader who may not see all namespaces
 * @param actions the newest first; absent while the records cannot be read
 */
public record ClusterPage(
    PageFrame frame,
    List<ClusterTile> tiles,
    List<PendingStatus> pending,
    List<StepRow> steps,
    List<NamespaceRow> namespaces,
    List<ModelRow> models,
    Optional<List<ActionRow>> actions) {

  /** Most actions that are listed. */
  private static final int MOST_ACTIONS = 50;

  public ClusterPage {
    tiles = List.copyOf(tiles);
    pending = List.copyOf(pending);
    steps = List.copyOf(steps);
    namespaces = List.copyOf(namespaces);
    models = List.copyOf(models);
    actions = actions.map(List::copyOf);
  }

  /** A step of the plan, or a workload whose action is postponed. */
  public record StepRow(String step, WorkloadLink workload, String reason) {}

  /** The workloads of a namespace. */
  public record NamespaceRow(String name, int workloads, GpuUse use) {}

  /**
   * An action on a workload.
   *
   * @param backAfter how long its pods were gone, until others or the reclaimer wrote the former
   *     values back, or a pod of the same name was found; empty if they are gone, or the action
   *     failed
   * @param isRegretted whether the owner was contested, or a person requested it within an hour, or
   *     the pod came back within an hour
   */
  public record ActionRow(
      Instant at,
      WorkloadLink workload,
      String action,
      int gpus,
      String state,
      Optional<String> pendingPod,
      Optional<Duration> backAfter,
      boolean isRegretted,
      String message) {

    /** The time, and whether it is a regret, for people. */
    public String backAfterText() {
      return backAfter.map(Durations::format).orElse("–") + (isRegretted ? ", regretted" : "");
    }
  }

  /** The page of a report. */
  public static ClusterPage of(CycleReport report, PageFrame frame, GpuPrices prices) {
    List<Verdict> verdicts = report.judgments().stream().map(Judgment::verdict).toList();
    GpuModels models = GpuModels.of(report);
    return new ClusterPage(
        frame,
        ClusterTile.of(report, models, prices, frame.isWhole()),
        report.plan().pending(),
        steps(report),
        namespaces(verdicts),
        frame.isWhole() ? models.rows(report) : List.of(),
        allActions(report).map(all -> all.stream().limit(MOST_ACTIONS).toList()));
  }

  /** What the reclaimer does next. */
  public static List<StepRow> steps(CycleReport report) {
    var rows = new ArrayList<StepRow>();
    report
        .plan()
        .entries()
        .forEach(
            entry ->
                rows.add(
                    new StepRow(
                        entry.step().name(),
                        WorkloadLink.of(entry.step().workload()),
                        entry.reason())));
    report
        .postponed()
        .forEach(
            postponed ->
                rows.add(
                    new StepRow(
                        "wait", WorkloadLink.of(postponed.verdict().workload()), postponed.why())));
    return rows;
  }

  /** Namespaces with workloads, those with most idle devices first. */
  public static List<NamespaceRow> namespaces(CycleReport report) {
    return namespaces(report.judgments().stream().map(Judgment::verdict).toList());
  }

  private static List<NamespaceRow> namespaces(List<Verdict> verdicts) {
    Map<String, List<Verdict>> byName =
        verdicts.stream()
            .collect(
                Collectors.groupingBy(
                    verdict -> verdict.workload().namespace(), TreeMap::new, Collectors.toList()));
    return byName.entrySet().stream()
        .map(
            entry ->
                new NamespaceRow(
                    entry.getKey(), entry.getValue().size(), GpuUse.of(entry.getValue())))
        .sorted(Comparator.comparingInt((NamespaceRow row) -> -row.use().idle()))
        .toList();
  }

  /** Actions of the last week, the newest first; empty while the records cannot be read. */
  public static Optional<List<ActionRow>> allActions(CycleReport report) {
    return report
        .cluster()
        .reclamations()
        .map(
            records ->
                ofRecords(records).stream()
                    .sorted(Comparator.comparing(ActionRow::at).reversed())
                    .toList());
  }

  /** The actions of records. */
  static List<ActionRow> ofRecords(List<Reclamation> records) {
    return records.stream()
        .flatMap(record -> record.status().stream().map(progress -> action(record, progress)))
        .toList();
  }

  private static ActionRow action(Reclamation record, ReclamationProgress progress) {
    Timeline times = progress.times();
    Optional<Duration> backAfter =
        switch (progress.state()) {
          case RESTORING, RESTORED, CONTESTED, SUPERSEDED ->
              times
                  .actedAt()
                  .flatMap(
                      from ->
                          times
                              .restoringAt()
                              .or(times::endedAt)
                              .map(back -> Duration.between(from, back)));
          case INTENDED, ACTING, RECLAIMED, EVICTED, FAILED -> Optional.empty();
        };
    return new ActionRow(
        times.recordedAt(),
        WorkloadLink.of(progress.owner()),
        progress.action(),
        progress.devices(),
        progress.state().text(),
        progress.pendingPod(),
        backAfter,
        backAfter.isPresent() && isRegretted(record, progress, backAfter.get()),
        progress.message());
  }

  /** A pod that is created again within the hour was still needed. */
  private static boolean isRegretted(
      Reclamation record, ReclamationProgress progress, Duration backAfter) {
    boolean isBack = progress.isEviction() && progress.state() == ReclamationState.RESTORED;
    boolean isRequested = record.request().restore() || record.request().keepUntil().isPresent();
    return progress.state() == ReclamationState.CONTESTED
        || ((isRequested || isBack) && backAfter.compareTo(FollowUp.Recreated.WITHIN) <= 0);
  }
}
