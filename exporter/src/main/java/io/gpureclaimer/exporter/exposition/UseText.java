package io.gpureclaimer.exporter.exposition;

import io.gpureclaimer.core.device.Entity;
import io.gpureclaimer.core.device.Gpu;
import io.gpureclaimer.core.device.MigInstance;
import io.gpureclaimer.core.vocabulary.DcgmField;
import io.gpureclaimer.core.vocabulary.Labels;
import io.gpureclaimer.core.vocabulary.MetricType;
import io.gpureclaimer.core.vocabulary.UseMetrics;
import io.gpureclaimer.exporter.sample.ContainerUse;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.InstanceSample;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What each container uses of each device that it holds: nothing is counted twice, and what cannot
 * be known is absent. Confined to the thread that renders.
 */
final class UseText {
  private static final double PERCENT = 100;
  private static final long BYTES_PER_MEBIBYTE = 1L << 20;
  private static final Family SM =
      Family.of(
          UseMetrics.SM_UTILIZATION,
          MetricType.GAUGE,
          "Share of time that the container's processes had the GPU's multiprocessors.");
  private static final Family MEMORY =
      Family.of(
          UseMetrics.MEMORY_USED,
          MetricType.GAUGE,
          "GPU memory that the container's processes hold, or that is in use on a GPU that it holds"
              + " alone.");

  private final LabelBlocks<Key> labels = new LabelBlocks<>(Key::block);

  void render(Snapshot snapshot, TextBuffer into) {
    labels.beginPass();
    List<Row> rows = rowsOf(snapshot);
    boolean begun = false;
    for (Row row : rows) {
      var percent = row.use().smPercent();
      if (percent != null) {
        begun = begin(begun, SM, row, into);
        into.appendSixDecimals(percent / PERCENT).append('\n');
      }
    }
    begun = false;
    for (Row row : rows) {
      var bytes = row.use().memoryBytes();
      if (bytes != null) {
        begun = begin(begun, MEMORY, row, into);
        into.appendInteger(bytes).append('\n');
      }
    }
  }

  private boolean begin(boolean begun, Family family, Row row, TextBuffer into) {
    if (!begun) {
      into.append(family.header());
    }
    into.append(family.name()).append(labels.of(row.key()));
    return true;
  }

  private static List<Row> rowsOf(Snapshot snapshot) {
    var rows = new ArrayList<Row>();
    for (var sample : snapshot.gpus()) {
      if (sample instanceof Answered answered) {
        var gpu = answered.device();
        add(snapshot, gpu, null, answered.readings(), rows);
        for (InstanceSample part : answered.instances()) {
          add(snapshot, gpu, part.instance(), part.readings(), rows);
        }
      }
    }
    return rows;
  }

  private static void add(
      Snapshot snapshot,
      Gpu gpu,
      @Nullable MigInstance part,
      List<Reading> readings,
      List<Row> into) {
    var device = part == null ? Entity.whole(gpu.uuid()) : part.entity();
    for (ContainerUse use : usesOf(device, snapshot, readings)) {
      into.add(new Row(new Key(gpu, part, snapshot.hostname(), use.holder()), use));
    }
  }

  /** What a device that one container alone holds has in use is that container's. */
  private static List<ContainerUse> usesOf(
      Entity device, Snapshot snapshot, List<Reading> readings) {
    var known = snapshot.uses().of(device);
    var holders = snapshot.holdersOf(device);
    if (!known.isEmpty() || holders.size() != 1) {
      return known;
    }
    return readings.stream()
        .filter(reading -> reading.field() == DcgmField.DEV_FB_USED)
        .map(reading -> ((long) reading.value()) * BYTES_PER_MEBIBYTE)
        .map(bytes -> new ContainerUse(holders.getFirst(), bytes, null))
        .toList();
  }

  private record Row(Key key, ContainerUse use) {}

  private record Key(Gpu gpu, @Nullable MigInstance part, String hostname, Holder holder) {
    LabelBlock block() {
      var block =
          new LabelBlock()
              .with(Labels.UUID, gpu.uuid().value())
              .with(Labels.GPU, Integer.toString(gpu.index()));
      if (part != null) {
        block
            .with(Labels.GPU_INSTANCE_PROFILE, part.profile())
            .with(Labels.GPU_INSTANCE_ID, Integer.toString(part.id()));
      }
      block
          .with(Labels.HOSTNAME, hostname)
          .with(Labels.CONTAINER, holder.container())
          .with(Labels.NAMESPACE, holder.namespace())
          .with(Labels.POD, holder.pod());
      String uid = holder.uid();
      return uid == null ? block : block.with(Labels.POD_UID, uid);
    }
  }
}
