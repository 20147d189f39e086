package io.gpureclaimer.reclaimer.page;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Progress;
import io.gpureclaimer.reclaimer.page.GpuModels.ModelRow;
import io.gpureclaimer.reclaimer.plan.PendingStatus;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The cluster: its GPUs, pending pods, the next steps, namespaces, and actions on owners.
 *
 * @param gpus whole GPUs of all nodes; absent for a reader who may not see all namespaces
 * @param use of them and of MIG instances
 * @param pendingGpus requested by pending pods
 * @param reclaimedGpus of owners that are reclaimed and not restored; absent while the records of
 *     actions cannot be read
 * @param models of GPUs; none for a reader who may not see all namespaces
 * @param actions the newest first; absent while the records cannot be read
 */
public record ClusterPage(
    PageFrame frame,
    Optional<Integer> gpus,
    GpuUse use,
    int pendingGpus,
    Optional<Integer> reclaimedGpus,
    List<PendingStatus> pending,
    List<StepRow> steps,
    List<NamespaceRow> namespaces,
    List<ModelRow> models,
    Optional<List<ActionRow>> actions) {

  /** Most actions that are listed. */
  private static final int MOST_ACTIONS = 50;

  public ClusterPage {
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

  /** An action on an owner. */
  public record ActionRow(
      Instant at,
      WorkloadLink workload,
      String action,
      int gpus,
      String state,
      Optional<String> pendingPod,
      String message) {}

  /** The page of a report. */
  public static ClusterPage of(CycleReport report, PageFrame frame) {
    List<Verdict> verdicts = report.judgments().stream().map(Judgment::verdict).toList();
    Optional<List<Reclamation>> records = report.cluster().reclamations();
    return new ClusterPage(
        frame,
        frame.isWhole()
            ? Optional.of(report.cluster().nodes().stream().mapToInt(NodeView::gpus).sum())
            : Optional.empty(),
        GpuUse.of(verdicts),
        report.plan().pending().stream().mapToInt(PendingStatus::gpus).sum(),
        records.map(ClusterPage::reclaimed),
        report.plan().pending(),
        steps(report),
        namespaces(verdicts),
        frame.isWhole() ? GpuModels.of(report).rows(report) : List.of(),
        records.map(ClusterPage::actions));
  }

  private static int reclaimed(List<Reclamation> records) {
    return records.stream()
        .filter(Reclamation::hasActed)
        .flatMap(record -> record.status().stream())
        .mapToInt(Progress::devices)
        .sum();
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

  private static List<ActionRow> actions(List<Reclamation> records) {
    return allActions(records).stream().limit(MOST_ACTIONS).toList();
  }

  /** Actions on owners, the newest first. */
  public static List<ActionRow> allActions(List<Reclamation> records) {
    return records.stream()
        .flatMap(record -> record.status().stream())
        .map(ClusterPage::action)
        .sorted(Comparator.comparing(ActionRow::at).reversed())
        .toList();
  }

  private static ActionRow action(Progress progress) {
    return new ActionRow(
        progress.times().recordedAt(),
        WorkloadLink.of(progress.owner()),
        progress.action(),
        progress.devices(),
        progress.state().text(),
        progress.pendingPod(),
        progress.message());
  }
}
