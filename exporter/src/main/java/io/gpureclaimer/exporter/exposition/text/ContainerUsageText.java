package io.gpureclaimer.exporter.exposition.text;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.MigInstance;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.common.vocabulary.MetricType;
import io.gpureclaimer.exporter.sample.ContainerUsage;
import io.gpureclaimer.exporter.sample.ContainerUse;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.InstanceSample;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What share of time the processes of each container had on each device that it holds; what cannot
 * be known is absent. Confined to the thread that renders.
 */
final class ContainerUsageText {
  private static final double PERCENT = 100;
  private static final FamilyHeader SM =
      FamilyHeader.of(
          LedgerMetrics.SM_UTILIZATION,
          MetricType.GAUGE,
          "Share of time in which processes of the container used the GPU's multiprocessors.");
  private final PassCache<HolderRow, byte[]> labels = new PassCache<>(row -> row.block().encoded());

  void render(Snapshot snapshot, TextBuffer into) {
    labels.beginPass();
    List<UseRow> rows = rowsOf(snapshot);
    boolean begun = false;
    for (UseRow row : rows) {
      Double percent = row.use().smPercent();
      if (percent != null) {
        if (!begun) {
          into.append(SM.header());
          begun = true;
        }
        into.beginLine(SM.name(), labels.next(row.key()))
            .appendSixDecimals(percent / PERCENT)
            .append('\n');
      }
    }
  }

  private static List<UseRow> rowsOf(Snapshot snapshot) {
    if (!(snapshot.uses() instanceof ContainerUsage.Known)) {
      return List.of();
    }
    var rows = new ArrayList<UseRow>();
    for (var sample : snapshot.gpus()) {
      if (sample instanceof Answered answered) {
        var gpu = answered.device();
        add(snapshot, gpu, null, rows);
        for (InstanceSample part : answered.instances()) {
          add(snapshot, gpu, part.instance(), rows);
        }
      }
    }
    return rows;
  }

  private static void add(
      Snapshot snapshot, Gpu gpu, @Nullable MigInstance part, List<UseRow> into) {
    var device = part == null ? Entity.whole(gpu.uuid()) : part.entity();
    for (ContainerUse use : snapshot.uses().of(device)) {
      into.add(new UseRow(new HolderRow(gpu, part, snapshot.hostname(), use.holder()), use));
    }
  }

  private record UseRow(HolderRow key, ContainerUse use) {}
}
