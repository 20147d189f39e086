package io.gpureclaimer.exporter.exposition;

import io.gpureclaimer.core.vocabulary.DcgmField;
import io.gpureclaimer.core.vocabulary.NumberForm;
import io.gpureclaimer.exporter.sample.DriverState;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The {@code DCGM_FI_*} families of a snapshot, byte for byte as dcgm-exporter writes them:
 * families in order of field id, series in order of device, and no word about a field that nobody
 * answered. Confined to the thread that renders.
 */
final class DcgmText {
  private static final byte[] NOTHING = {};
  private static final List<Column> COLUMNS =
      Arrays.stream(DcgmField.values())
          .sorted(Comparator.comparingInt(DcgmField::id))
          .map(Column::of)
          .toList();

  private final LabelBlocks<DeviceLabels> labels = new LabelBlocks<>(DeviceLabels::block);

  void render(Snapshot snapshot, TextBuffer into) {
    var rows =
        snapshot.gpus().stream()
            .filter(Answered.class::isInstance)
            .map(Answered.class::cast)
            .toList();
    byte[][] blocks = blocksOf(snapshot, rows);
    int[] next = new int[rows.size()];
    for (Column column : COLUMNS) {
      boolean begun = false;
      for (int i = 0; i < rows.size(); i++) {
        var readings = rows.get(i).readings();
        if (next[i] < readings.size() && readings.get(next[i]).field() == column.field()) {
          into.append(begun ? NOTHING : column.family().header());
          begun = true;
          into.append(column.family().name()).append(blocks[i]);
          append(readings.get(next[i]++), into);
        }
      }
    }
  }

  private static void append(Reading reading, TextBuffer into) {
    if (reading.field().form() == NumberForm.INTEGER) {
      into.appendInteger((long) reading.value());
    } else {
      into.appendSixDecimals(reading.value());
    }
    into.append('\n');
  }

  private byte[][] blocksOf(Snapshot snapshot, List<Answered> rows) {
    labels.beginPass();
    String version = snapshot.driver() instanceof DriverState.Up(var known) ? known : null;
    byte[][] blocks = new byte[rows.size()][];
    for (int i = 0; i < blocks.length; i++) {
      var gpu = rows.get(i).device();
      var holders = snapshot.holdersOf(gpu.uuid());
      blocks[i] = labels.of(new DeviceLabels(gpu, snapshot.hostname(), version, holders));
    }
    return blocks;
  }

  private record Column(DcgmField field, Family family) {
    static Column of(DcgmField field) {
      return new Column(field, Family.of(field.metricName(), field.type(), field.help()));
    }
  }
}
