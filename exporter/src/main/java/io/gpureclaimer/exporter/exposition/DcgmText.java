package io.gpureclaimer.exporter.exposition;

import io.gpureclaimer.core.vocabulary.DcgmField;
import io.gpureclaimer.core.vocabulary.ValueForm;
import io.gpureclaimer.exporter.counters.Counter;
import io.gpureclaimer.exporter.counters.CounterSet;
import io.gpureclaimer.exporter.counters.LabelRow;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.InstanceSample;
import io.gpureclaimer.exporter.sample.Label;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The families that the counters file names, as dcgm-exporter writes them: in order of field id,
 * series in order of device, and no word about a field that nobody answered. Confined to the thread
 * that renders.
 */
final class DcgmText {
  private static final byte[] NOTHING = {};

  private final LabelBlocks<DeviceLabels> labels;
  private final LabelBlocks<SeriesLabels> extraLabels;
  private @Nullable CounterSet known;
  private List<Column> columns = List.of();

  DcgmText(LabelStyle style) {
    labels = new LabelBlocks<>(device -> device.block(List.of(), style));
    extraLabels = new LabelBlocks<>(series -> series.device().block(series.extra(), style));
  }

  void render(Snapshot snapshot, CounterSet counters, TextBuffer into) {
    takeUp(counters);
    labels.beginPass();
    extraLabels.beginPass();
    List<Row> rows = rowsOf(snapshot, counters);
    for (Column column : columns) {
      boolean begun = false;
      for (Row row : rows) {
        for (int i = row.firstOf(column.field()); row.isOf(i, column.field()); i++) {
          var reading = row.readings.get(i);
          into.append(begun ? NOTHING : column.family().header());
          begun = true;
          into.append(column.family().name()).append(block(row, reading));
          append(column.counter(), reading.value(), into);
        }
      }
    }
  }

  private byte[] block(Row row, Reading reading) {
    return reading.extra().isEmpty()
        ? row.block
        : extraLabels.of(new SeriesLabels(row.labels, reading.extra()));
  }

  private void takeUp(CounterSet counters) {
    if (!counters.equals(known)) {
      known = counters;
      columns = counters.counters().stream().map(Column::of).toList();
    }
  }

  private static void append(Counter counter, double fieldValue, TextBuffer into) {
    double value = fieldValue * counter.factor();
    if (counter.form() == ValueForm.INTEGER) {
      into.appendInteger((long) value);
    } else {
      into.appendSixDecimals(value);
    }
    into.append('\n');
  }

  /** A GPU's own row, then one for each of its instances. */
  private List<Row> rowsOf(Snapshot snapshot, CounterSet counters) {
    var rows = new ArrayList<Row>();
    for (var sample : snapshot.gpus()) {
      if (sample instanceof Answered answered) {
        var gpu = answered.device();
        var texts = texts(counters, answered.texts());
        var whole = DeviceLabels.ofGpu(snapshot, gpu, texts);
        rows.add(row(whole, answered.readings()));
        for (InstanceSample part : answered.instances()) {
          var labelsOfPart = DeviceLabels.ofInstance(snapshot, gpu, part.instance(), texts);
          rows.add(row(labelsOfPart, part.readings()));
        }
      }
    }
    return rows;
  }

  private Row row(DeviceLabels device, List<Reading> readings) {
    return new Row(device, labels.of(device), readings);
  }

  private static List<Label> texts(CounterSet counters, Map<DcgmField, String> told) {
    var texts = new ArrayList<Label>();
    for (LabelRow row : counters.labels()) {
      String text = told.get(row.field());
      if (text != null) {
        texts.add(new Label(row.name(), text));
      }
    }
    return texts;
  }

  private record Column(Counter counter, Family family) {
    static Column of(Counter counter) {
      return new Column(counter, Family.of(counter.name(), counter.type(), counter.help()));
    }

    DcgmField field() {
      return counter.field();
    }
  }

  private record SeriesLabels(DeviceLabels device, List<Label> extra) {}

  /** One device, with its readings in the order of the columns. */
  private static final class Row {
    private final DeviceLabels labels;
    private final byte[] block;
    private final List<Reading> readings;
    private int next;

    Row(DeviceLabels labels, byte[] block, List<Reading> readings) {
      this.labels = labels;
      this.block = block;
      this.readings = readings;
    }

    /** Where the readings of a field begin; asked for fields in ascending order only. */
    int firstOf(DcgmField field) {
      while (next < readings.size() && readings.get(next).field().id() < field.id()) {
        next++;
      }
      return next;
    }

    boolean isOf(int index, DcgmField field) {
      return index < readings.size() && readings.get(index).field() == field;
    }
  }
}
