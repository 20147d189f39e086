package io.gpureclaimer.exporter.exposition;

import io.gpureclaimer.core.device.Entity;
import io.gpureclaimer.core.device.Gpu;
import io.gpureclaimer.core.device.MigInstance;
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
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The families that the counters file names, as dcgm-exporter writes them: in order of field id,
 * series in order of device, and no word about a field that nobody answered, nor about a number too
 * large for its unit. Confined to the thread that renders.
 */
final class DcgmText {
  private static final byte[] NOTHING = {};

  private final LabelBlocks<DeviceLabels> labels;
  private final LabelBlocks<SeriesLabels> extraLabels;
  private final HolderStyle style;
  private @Nullable CounterSet known;
  private List<Column> columns = List.of();

  DcgmText(Style style) {
    var spelling = style.labels();
    labels = new LabelBlocks<>(device -> device.block(List.of(), spelling));
    extraLabels = new LabelBlocks<>(series -> series.device().block(series.extra(), spelling));
    this.style = style.holders();
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
          for (Series series : row.seriesOf(column.field())) {
            double value = series.own().orElse(reading.value()) * column.counter().factor();
            if (Double.isFinite(value)) {
              into.append(begun ? NOTHING : column.family().header());
              begun = true;
              into.append(column.family().name()).append(block(series, reading));
              append(column.counter(), value, into);
            }
          }
        }
      }
    }
  }

  private byte[] block(Series series, Reading reading) {
    return reading.extra().isEmpty()
        ? series.block()
        : extraLabels.of(new SeriesLabels(series.labels(), reading.extra()));
  }

  private void takeUp(CounterSet counters) {
    if (!counters.equals(known)) {
      known = counters;
      columns = counters.counters().stream().map(Column::of).toList();
    }
  }

  private static void append(Counter counter, double value, TextBuffer into) {
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
        rows.add(row(snapshot, gpu, null, texts, answered.readings()));
        for (InstanceSample part : answered.instances()) {
          rows.add(row(snapshot, gpu, part.instance(), texts, part.readings()));
        }
      }
    }
    return rows;
  }

  private Row row(
      Snapshot snapshot,
      Gpu gpu,
      @Nullable MigInstance part,
      List<Label> texts,
      List<Reading> readings) {
    var device = part == null ? Entity.whole(gpu.uuid()) : part.entity();
    Function<HolderSeries, Series> encoded =
        series -> {
          var all = new DeviceLabels(gpu, part, snapshot.hostname(), texts, series.labels());
          return new Series(all, labels.of(all), series.own());
        };
    var sharing = new Sharing(snapshot, device, style);
    return new Row(
        readings,
        sharing.series().stream().map(encoded).toList(),
        sharing.seriesOfUse(DcgmField.DEV_GPU_UTIL).map(one -> one.stream().map(encoded).toList()),
        sharing.seriesOfUse(DcgmField.DEV_FB_USED).map(one -> one.stream().map(encoded).toList()));
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

  /** One line of each family, and the value that stands there for the device's, if there is one. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody, copied by nobody
  private record Series(DeviceLabels labels, byte[] block, OptionalDouble own) {}

  /** One device, with its readings in the order of the columns. */
  private static final class Row {
    private final List<Reading> readings;
    private final List<Series> series;
    private final List<Series> utilization;
    private final List<Series> memory;
    private int next;

    Row(
        List<Reading> readings,
        List<Series> series,
        Optional<List<Series>> utilization,
        Optional<List<Series>> memory) {
      this.readings = readings;
      this.series = series;
      this.utilization = utilization.orElse(series);
      this.memory = memory.orElse(series);
    }

    List<Series> seriesOf(DcgmField field) {
      if (field == DcgmField.DEV_GPU_UTIL) {
        return utilization;
      }
      return field == DcgmField.DEV_FB_USED ? memory : series;
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
