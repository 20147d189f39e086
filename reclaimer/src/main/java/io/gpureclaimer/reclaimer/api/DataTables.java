package io.gpureclaimer.reclaimer.api;

import io.gpureclaimer.reclaimer.api.DataTable.ColumnType;
import io.gpureclaimer.reclaimer.api.DataTable.TableColumn;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.page.ClusterPage;
import io.gpureclaimer.reclaimer.page.ClusterPage.ActionRow;
import io.gpureclaimer.reclaimer.page.ClusterPage.NamespaceRow;
import io.gpureclaimer.reclaimer.page.ClusterPage.StepRow;
import io.gpureclaimer.reclaimer.page.GpuModels;
import io.gpureclaimer.reclaimer.page.GpuModels.ModelRow;
import io.gpureclaimer.reclaimer.page.GpuUse;
import io.gpureclaimer.reclaimer.plan.PendingStatus;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.VerdictCode;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The tables of the pages, for programs. */
public final class DataTables {
  /** A verdict, and the models that its workload holds. */
  private record WorkloadRow(Verdict verdict, String model) {}

  private static final DataTable<WorkloadRow> WORKLOADS =
      new DataTable<>(
          "workloads",
          "Workloads with GPUs, and the verdict on each",
          List.of(
              TableColumn.text(
                  "namespace", "namespace", row -> row.verdict().workload().namespace()),
              TableColumn.text(
                  "kind",
                  "kind of the top owner, Pod or Group",
                  row -> row.verdict().workload().kind()),
              TableColumn.text(
                  "name",
                  "name of the top owner, the pod or the group",
                  row -> row.verdict().workload().name()),
              TableColumn.count(
                  "devices",
                  "GPUs, MIG instances and claimed devices allocated to its pods",
                  row -> row.verdict().workload().devicesHeld()),
              TableColumn.text("model", "models of its GPUs; empty if unknown", WorkloadRow::model),
              TableColumn.count("pods", "pods", row -> row.verdict().workload().allPods().size()),
              TableColumn.text(
                  "activity",
                  "active, idle, unknown, or other if it decides nothing",
                  row -> GpuUse.activity(row.verdict()).code()),
              TableColumn.text(
                  "verdict", "verdict", row -> VerdictCode.of(row.verdict()).verdict()),
              TableColumn.optional(
                  "idleSeconds",
                  ColumnType.SECONDS,
                  "time without activity; absent if it is active or unknown",
                  row -> row.verdict().idleTime().map(Duration::toSeconds)),
              TableColumn.text(
                  "reason",
                  "reason of the verdict, in a sentence",
                  row -> VerdictSentence.of(row.verdict()))),
          false,
          DataTables::workloads);

  private static final DataTable<PendingStatus> PENDING =
      new DataTable<>(
          "pending",
          "Pending pods and groups of pods that request GPUs",
          List.of(
              TableColumn.text("namespace", "namespace", PendingStatus::namespace),
              TableColumn.text("name", "name of the pod or the group", PendingStatus::name),
              TableColumn.count("pods", "pending pods", row -> row.pods().size()),
              TableColumn.count("gpus", "GPUs that they request", PendingStatus::gpus),
              TableColumn.optional(
                  "since",
                  ColumnType.TIME,
                  "when the scheduler first found no node; absent if it has not tried",
                  PendingStatus::since),
              TableColumn.text("outcome", "what follows", row -> row.outcome().code()),
              TableColumn.text("reason", "the same in a sentence", PendingStatus::sentence)),
          false,
          report -> Optional.of(report.plan().pending()));

  private static final DataTable<StepRow> STEPS =
      new DataTable<>(
          "steps",
          "Next steps of the reclaimer",
          List.of(
              TableColumn.text("step", "warn, withdraw, an action, or wait", StepRow::step),
              TableColumn.text("namespace", "namespace", row -> row.workload().namespace()),
              TableColumn.text("kind", "kind of the workload", row -> row.workload().kind()),
              TableColumn.text("name", "name of the workload", row -> row.workload().name()),
              TableColumn.text("reason", "reason, in a sentence", StepRow::reason)),
          false,
          report -> Optional.of(ClusterPage.steps(report)));

  private static final DataTable<NamespaceRow> NAMESPACES =
      new DataTable<>(
          "namespaces",
          "Namespaces with GPU workloads",
          withUse(
              NamespaceRow::use,
              TableColumn.text("namespace", "namespace", NamespaceRow::name),
              TableColumn.count("workloads", "workloads with GPUs", NamespaceRow::workloads)),
          false,
          report -> Optional.of(ClusterPage.namespaces(report)));

  private static final DataTable<ModelRow> MODELS =
      new DataTable<>(
          "models",
          "Models of GPUs, and what they do; for readers of all namespaces",
          withUse(
              ModelRow::use,
              TableColumn.text(
                  "model", "label nvidia.com/gpu.product of the nodes", ModelRow::model),
              TableColumn.count("gpus", "whole GPUs of all nodes", ModelRow::gpus)),
          true,
          report -> Optional.of(GpuModels.of(report).rows(report)));

  private static final DataTable<ActionRow> ACTIONS =
      new DataTable<>(
          "actions",
          "Actions of the last week, the newest first",
          List.of(
              TableColumn.optional(
                  "recordedAt",
                  ColumnType.TIME,
                  "when the record was written",
                  row -> Optional.of(row.at())),
              TableColumn.text("namespace", "namespace", row -> row.workload().namespace()),
              TableColumn.text(
                  "kind", "kind of the owner, Pod or Group", row -> row.workload().kind()),
              TableColumn.text(
                  "name", "name of the owner, the pod or the group", row -> row.workload().name()),
              TableColumn.text("action", "evict, scale, suspend or stop", ActionRow::action),
              TableColumn.count("devices", "devices of its pods", ActionRow::gpus),
              TableColumn.text("state", "state of the record", ActionRow::state),
              TableColumn.optional(
                  "pendingPod",
                  ColumnType.TEXT,
                  "pod for which it was reclaimed; absent if it was for none",
                  ActionRow::pendingPod),
              TableColumn.optional(
                  "backAfterSeconds",
                  ColumnType.SECONDS,
                  "time from the action to the restoration by the reclaimer or others, or to a new pod of the"
                      + " name; absent before, and if the action failed",
                  row -> row.backAfter().map(Duration::toSeconds)),
              TableColumn.optional(
                  "regretted",
                  ColumnType.FLAG,
                  "whether the owner was contested, or a person requested it, or the pod was created"
                      + " again, within an hour",
                  row -> Optional.of(row.isRegretted())),
              TableColumn.text("message", "what was done, in a sentence", ActionRow::message)),
          false,
          ClusterPage::allActions);

  /** All tables, in the order of the pages. */
  public static final List<DataTable<?>> ALL =
      List.of(WORKLOADS, PENDING, STEPS, NAMESPACES, MODELS, ACTIONS);

  private DataTables() {}

  /** These columns, and what the devices do. */
  private static <T> List<TableColumn<T>> withUse(
      Function<T, GpuUse> use, TableColumn<T> first, TableColumn<T> second) {
    return Stream.concat(
            Stream.of(first, second),
            Stream.of(
                TableColumn.<T>count(
                    "allocated", "allocated devices", row -> use.apply(row).allocated()),
                TableColumn.<T>count(
                    "active", "devices of active workloads", row -> use.apply(row).active()),
                TableColumn.<T>count(
                    "idle", "devices of idle workloads", row -> use.apply(row).idle()),
                TableColumn.<T>count(
                    "unknown",
                    "devices of workloads whose activity is unknown",
                    row -> use.apply(row).unknown())))
        .toList();
  }

  private static Optional<List<WorkloadRow>> workloads(CycleReport report) {
    GpuModels models = GpuModels.of(report);
    return Optional.of(
        report.judgments().stream()
            .map(Judgment::verdict)
            .map(verdict -> new WorkloadRow(verdict, models.of(verdict.workload())))
            .toList());
  }

  /** The table of this name. */
  public static Optional<DataTable<?>> named(String name) {
    return ALL.stream().filter(table -> table.name().equals(name)).findFirst();
  }
}
