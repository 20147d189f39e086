package io.gpureclaimer.exporter.exposition.text;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.vocabulary.BoardSignal;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.common.vocabulary.MetricType;
import io.gpureclaimer.exporter.activity.DeviceObservation;
import io.gpureclaimer.exporter.activity.LastSignal;
import io.gpureclaimer.exporter.sample.ContainerUse;
import io.gpureclaimer.exporter.sample.DeviceAssignment;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The {@code gpu_pod_*} families: one series per holder of a device. Confined to one thread. */
final class LedgerText {
  private static final long BYTES_PER_MEBIBYTE = 1L << 20;
  private static final FamilyHeader LAST_ACTIVE =
      FamilyHeader.of(
          LedgerMetrics.LAST_ACTIVE,
          MetricType.GAUGE,
          "Time of the last sampling pass with activity of the pod's GPU. Absent "
              + "before the first.");
  private static final FamilyHeader OBSERVED_SINCE =
      FamilyHeader.of(
          LedgerMetrics.OBSERVED_SINCE,
          MetricType.GAUGE,
          "Start of the unbroken observation of this pod on this GPU.");
  private static final FamilyHeader OBSERVED_UNTIL =
      FamilyHeader.of(
          LedgerMetrics.OBSERVED_UNTIL,
          MetricType.GAUGE,
          "Time of the last sampling pass that observed this pod on this GPU.");
  private static final FamilyHeader BUSY =
      FamilyHeader.of(
          LedgerMetrics.BUSY,
          MetricType.COUNTER,
          "Time for which the GPU was active within this observation of this pod.");
  private static final FamilyHeader LAST_SIGNAL =
      FamilyHeader.of(
          LedgerMetrics.LAST_SIGNAL,
          MetricType.GAUGE,
          "Time of the last sampling pass in which power, memory growth, PCIe or NVLink traffic of"
              + " the pod's GPU was above its limit or not known; start of the observation if none"
              + " was.");
  private static final FamilyHeader MEMORY_USED =
      FamilyHeader.of(
          LedgerMetrics.MEMORY_USED, MetricType.GAUGE, "Memory that this pod uses on the GPU.");

  private final PassCache<HolderRow, byte[]> labels = new PassCache<>(row -> row.block().encoded());
  private final PassCache<SignalRow, byte[]> signalLabels =
      new PassCache<>(row -> row.block().encoded());
  private final DeviceCountText counts = new DeviceCountText();

  void render(Snapshot snapshot, List<DeviceObservation> ledger, TextBuffer into) {
    List<LedgerRow> rows = rowsOf(snapshot.hostname(), ledger);
    times(LAST_ACTIVE, rows, DeviceObservation::seenActive, into);
    times(OBSERVED_SINCE, rows, DeviceObservation::since, into);
    times(OBSERVED_UNTIL, rows, DeviceObservation::until, into);
    busy(rows, into);
    signals(snapshot.hostname(), ledger, into);
    memory(snapshot, rows, into);
    counts.render(snapshot, into);
  }

  /** A block is looked up once, not once per family. */
  private List<LedgerRow> rowsOf(String hostname, List<DeviceObservation> ledger) {
    labels.beginPass();
    var rows = new ArrayList<LedgerRow>(ledger.size());
    for (DeviceObservation seen : ledger) {
      rows.add(new LedgerRow(seen, block(hostname, seen)));
    }
    return rows;
  }

  private static void times(
      FamilyHeader family,
      List<LedgerRow> rows,
      Function<DeviceObservation, @Nullable Instant> part,
      TextBuffer into) {
    boolean begun = false;
    for (LedgerRow row : rows) {
      var time = part.apply(row.seen());
      if (time != null) {
        begin(family, begun, into);
        begun = true;
        into.beginLine(family.name(), row.block())
            .appendMillisAsSeconds(time.toEpochMilli())
            .append('\n');
      }
    }
  }

  private static void busy(List<LedgerRow> rows, TextBuffer into) {
    begin(BUSY, rows.isEmpty(), into);
    for (LedgerRow row : rows) {
      into.beginLine(BUSY.name(), row.block())
          .appendMillisAsSeconds(row.seen().busy().toMillis())
          .append('\n');
    }
  }

  private void signals(String hostname, List<DeviceObservation> ledger, TextBuffer into) {
    signalLabels.beginPass();
    boolean begun = false;
    for (DeviceObservation seen : ledger) {
      LastSignal last = seen.signal();
      if (!last.watched().isEmpty()) {
        begin(LAST_SIGNAL, begun, into);
        begun = true;
        var row = new SignalRow(row(hostname, seen), last.signal(), last.watched());
        into.beginLine(LAST_SIGNAL.name(), signalLabels.next(row))
            .appendMillisAsSeconds(last.at().toEpochMilli())
            .append('\n');
      }
    }
  }

  private static void memory(Snapshot snapshot, List<LedgerRow> rows, TextBuffer into) {
    Map<Entity, Long> used = rows.isEmpty() ? Map.of() : usedMebibytes(snapshot);
    boolean begun = false;
    for (LedgerRow row : rows) {
      Long bytes = bytes(snapshot, row.seen(), used);
      if (bytes != null) {
        begin(MEMORY_USED, begun, into);
        begun = true;
        into.beginLine(MEMORY_USED.name(), row.block()).appendInteger(bytes).append('\n');
      }
    }
  }

  /** By its processes; else that of the device, but only if one container alone holds it. */
  private static @Nullable Long bytes(
      Snapshot snapshot, DeviceObservation seen, Map<Entity, Long> mebibytes) {
    var device = seen.device();
    for (ContainerUse use : snapshot.uses().of(device)) {
      if (use.holder().equals(seen.holder()) && use.memoryBytes() != null) {
        return use.memoryBytes();
      }
    }
    Long mebibytesOfDevice = mebibytes.get(device);
    return mebibytesOfDevice == null || !isHeldByOne(snapshot.holdingsOf(device))
        ? null
        : mebibytesOfDevice * BYTES_PER_MEBIBYTE;
  }

  /** However many shares of it. */
  private static boolean isHeldByOne(List<DeviceAssignment> holdings) {
    for (DeviceAssignment holding : holdings) {
      if (!holding.holder().equals(holdings.getFirst().holder())) {
        return false;
      }
    }
    return !holdings.isEmpty();
  }

  private static Map<Entity, Long> usedMebibytes(Snapshot snapshot) {
    var used = new HashMap<Entity, Long>();
    for (var sample : snapshot.gpus()) {
      if (sample instanceof Answered answered) {
        enter(Entity.whole(answered.device().uuid()), answered.readings(), used);
        for (var part : answered.instances()) {
          enter(part.instance().entity(), part.readings(), used);
        }
      }
    }
    return used;
  }

  /** Readings are in order of their fields' numbers. */
  private static void enter(Entity device, List<Reading> readings, Map<Entity, Long> into) {
    int wanted = DcgmField.DEV_FB_USED.id();
    int from = 0;
    int to = readings.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (readings.get(middle).field().id() < wanted) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    if (from < readings.size() && readings.get(from).field().id() == wanted) {
      into.put(device, (long) readings.get(from).value());
    }
  }

  private static void begin(FamilyHeader family, boolean begun, TextBuffer into) {
    if (!begun) {
      into.append(family.header());
    }
  }

  private byte[] block(String hostname, DeviceObservation seen) {
    return labels.next(row(hostname, seen));
  }

  private static HolderRow row(String hostname, DeviceObservation seen) {
    return new HolderRow(seen.gpu(), seen.part(), hostname, seen.holder());
  }

  /** Labels of a last signal: the signal changes seldom, and the others hardly ever. */
  private record SignalRow(HolderRow of, @Nullable BoardSignal signal, Set<BoardSignal> watched) {
    LabelBlock block() {
      return of.block()
          .with(Labels.SIGNAL, signal == null ? LedgerMetrics.NO_SIGNAL : signal.code())
          .with(Labels.WATCHED, BoardSignal.codes(watched));
    }
  }

  /** One line of each family. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never copied
  private record LedgerRow(DeviceObservation seen, byte[] block) {}
}
