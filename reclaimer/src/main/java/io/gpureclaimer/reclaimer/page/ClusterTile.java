package io.gpureclaimer.reclaimer.page;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.page.ClusterPage.ActionRow;
import io.gpureclaimer.reclaimer.page.GpuPrices.IdleCost;
import io.gpureclaimer.reclaimer.page.GpuUse.GpuActivity;
import io.gpureclaimer.reclaimer.plan.CoverageStats;
import io.gpureclaimer.reclaimer.plan.PendingStatus;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One number of the page of a cluster.
 *
 * @param kind by which it is colored
 * @param label what is counted, which continues the number
 * @param link where it is listed
 * @param detail what else is to be known of it
 */
public record ClusterTile(
    String kind, String number, String label, String link, Optional<String> detail) {
  private static final int HUNDRED = 100;

  private static ClusterTile count(String kind, int number, String label, String link) {
    return new ClusterTile(kind, String.valueOf(number), label, link, Optional.empty());
  }

  /**
   * Those of a report.
   *
   * @param isWhole whether the report has all namespaces; without them, nothing is known of the
   *     whole cluster
   */
  static List<ClusterTile> of(
      CycleReport report, GpuModels models, GpuPrices prices, boolean isWhole) {
    List<Verdict> verdicts = report.judgments().stream().map(Judgment::verdict).toList();
    GpuUse use = GpuUse.of(verdicts);
    var tiles = new ArrayList<ClusterTile>();
    if (isWhole) {
      int gpus = report.cluster().nodes().stream().mapToInt(NodeView::gpus).sum();
      boolean hasModels = !models.byNode().isEmpty();
      tiles.add(count("total", gpus, "GPUs", hasModels ? "#models" : "#namespaces"));
    }
    tiles.add(count("total", use.allocated(), "allocated", Pages.WORKLOADS));
    tiles.add(use(GpuActivity.ACTIVE, use.active()));
    tiles.add(use(GpuActivity.IDLE, use.idle()));
    tiles.add(use(GpuActivity.UNKNOWN, use.unknown()));
    prices.ofIdle(verdicts, models).map(cost -> cost(cost, use.unknown())).ifPresent(tiles::add);
    tiles.add(
        count(
            "pending",
            report.plan().pending().stream().mapToInt(PendingStatus::gpus).sum(),
            "requested by pending pods",
            "#pending"));
    report
        .cluster()
        .reclamations()
        .map(records -> reclaimed(records, report))
        .ifPresent(tiles::add);
    if (isWhole) {
      coverage(report.breaker().coverage()).ifPresent(tiles::add);
    }
    return tiles;
  }

  private static ClusterTile use(GpuActivity activity, int devices) {
    return count(activity.code(), devices, activity.code(), listOf(activity));
  }

  private static String listOf(GpuActivity activity) {
    return Pages.WORKLOADS + "?activity=" + activity.code();
  }

  private static ClusterTile cost(IdleCost cost, int unknown) {
    return new ClusterTile(
        "idle",
        String.format(Locale.ROOT, "$%,.0f", cost.perDay()),
        "a day for idle GPUs",
        listOf(GpuActivity.IDLE),
        joined(part(cost.withoutPrice(), "without a price"), part(unknown, "of unknown activity")));
  }

  /** Those that pods gave up in the last week, whatever became of them. */
  private static ClusterTile reclaimed(List<Reclamation> records, CycleReport report) {
    List<ActionRow> actions =
        ClusterPage.ofRecords(records.stream().filter(one -> isLate(one, report)).toList());
    int open =
        devices(ClusterPage.ofRecords(records.stream().filter(Reclamation::hasActed).toList()));
    int regretted = devices(actions.stream().filter(ActionRow::isRegretted).toList());
    return new ClusterTile(
        "total",
        String.valueOf(devices(actions)),
        "reclaimed in 7 days",
        "#actions",
        joined(part(open, "not restored"), part(regretted, "regretted")));
  }

  private static boolean isLate(Reclamation record, CycleReport report) {
    return record
        .status()
        .filter(progress -> progress.state() != ReclamationState.FAILED)
        .flatMap(progress -> progress.times().actedAt())
        .filter(at -> at.isAfter(report.at().minus(Reclamation.COUNTS_FOR)))
        .isPresent();
  }

  private static int devices(List<ActionRow> actions) {
    return actions.stream().mapToInt(ActionRow::gpus).sum();
  }

  private static Optional<String> joined(Optional<String> first, Optional<String> second) {
    return Optional.of(
            Stream.of(first, second).flatMap(Optional::stream).collect(Collectors.joining(", ")))
        .filter(text -> !text.isEmpty());
  }

  private static Optional<String> part(int devices, String what) {
    return devices == 0 ? Optional.empty() : Optional.of(devices + " " + what);
  }

  /** Rounded down: 100 % is all. */
  private static Optional<ClusterTile> coverage(CoverageStats coverage) {
    return coverage.expected() == 0
        ? Optional.empty()
        : Optional.of(
            new ClusterTile(
                "total",
                HUNDRED * coverage.seen() / coverage.expected() + " %",
                "of running pods with GPUs have evidence",
                listOf(GpuActivity.UNKNOWN),
                Optional.empty()));
  }
}
