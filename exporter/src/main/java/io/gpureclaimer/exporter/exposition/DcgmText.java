package io.gpureclaimer.exporter.exposition;

import static io.gpureclaimer.core.vocabulary.DcgmField.DEV_FB_USED;
import static io.gpureclaimer.core.vocabulary.DcgmField.DEV_GPU_UTIL;

import io.gpureclaimer.core.device.Entity;
import io.gpureclaimer.core.device.Gpu;
import io.gpureclaimer.core.device.MigInstance;
import io.gpureclaimer.core.vocabulary.DcgmField;
import io.gpureclaimer.core.vocabulary.ValueForm;
import io.gpureclaimer.exporter.counters.Counter;
import io.gpureclaimer.exporter.counters.CounterSet;
import io.gpureclaimer.exporter.counters.LabelRow;
import io.gpureclaimer.exporter.exposition.Sharing.Held;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.InstanceSample;
import io.gpureclaimer.exporter.sample.Label;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The families that the counters file names, as dcgm-exporter writes them: in order of field id,
 * series in order of device, and no word about a field that nobody answered, nor about a number too
 * large for its unit. Confined to the thread that renders.
 */
final class DcgmText {
  private final Kept<Seen, Lines> lines;
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
    lines = new Kept<>(this::linesOf);
  }

  void render(Snapshot snapshot, CounterSet counters, TextBuffer into) {
    takeUp(counters);
    lines.beginPass();
    labels.beginPass();
    extraLabels.beginPass();
    List<Row> rows = rowsOf(snapshot, counters);
    for (Column column : columns) {
      boolean begun = false;
      for (Row row : rows) {
        for (int i = row.firstOf(column.field()); row.isOf(i, column.field()); i++) {
          begun = append(column, row.lines.of(column.field()), row.readings.get(i), begun, into);
        }
      }
    }
  }

  /** Whether the family has begun now; a loop by index, for it is the innermost. */
  private boolean append(
      Column column, List<Series> some, Reading reading, boolean begun, TextBuffer into) {
    boolean now = begun;
    for (int i = 0; i < some.size(); i++) {
      var series = some.get(i);
      double value = column.inUnit(series.own().orElse(reading.value()));
      if (Double.isFinite(value)) {
        if (!now) {
          into.append(column.family().header());
          now = true;
        }
        into.append(column.family().name()).append(block(series, reading));
        column.append(value, into);
      }
    }
    return now;
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
    var held = Held.of(snapshot, device, style);
    return new Row(readings, lines.of(new Seen(gpu, part, snapshot.hostname(), texts, held)));
  }

  /** A device whose numbers alone have changed since the last pass has the lines it had. */
  private Lines linesOf(Seen seen) {
    var sharing = new Sharing(seen.held(), style);
    var series = sharing.series().stream().map(one -> encoded(seen, one)).toList();
    return new Lines(
        series,
        ofUse(sharing, DEV_GPU_UTIL, seen, series),
        ofUse(sharing, DEV_FB_USED, seen, series));
  }

  private List<Series> ofUse(Sharing sharing, DcgmField field, Seen seen, List<Series> otherwise) {
    return sharing
        .seriesOfUse(field)
        .map(some -> some.stream().map(series -> encoded(seen, series)).toList())
        .orElse(otherwise);
  }

  private Series encoded(Seen seen, HolderSeries series) {
    var all =
        new DeviceLabels(seen.gpu(), seen.part(), seen.hostname(), seen.texts(), series.labels());
    return new Series(all, labels.of(all), series.own());
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

  private record Column(Counter counter, Family family, boolean isWhole) {
    static Column of(Counter counter) {
      return new Column(
          counter,
          Family.of(counter.name(), counter.type(), counter.help()),
          counter.form() == ValueForm.INTEGER);
    }

    DcgmField field() {
      return counter.field();
    }

    /** What the name promises; not finite if it is too large for that. */
    double inUnit(double fieldValue) {
      return fieldValue * counter.factor();
    }

    void append(double value, TextBuffer into) {
      if (isWhole) {
        into.appendInteger((long) value);
      } else {
        into.appendSixDecimals(value);
      }
      into.append('\n');
    }
  }

  /** All that the lines of a device are made of, but for the numbers. */
  private record Seen(
      Gpu gpu, @Nullable MigInstance part, String hostname, List<Label> texts, Held held) {}

  /** The lines that a device has in each family; those of two families may be others. */
  private record Lines(List<Series> series, List<Series> utilization, List<Series> memory) {
    List<Series> of(DcgmField field) {
      if (field == DEV_GPU_UTIL) {
        return utilization;
      }
      return field == DEV_FB_USED ? memory : series;
    }
  }

  private record SeriesLabels(DeviceLabels device, List<Label> extra) {}

  /** One line of each family, and the value that stands there for the device's, if there is one. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody, copied by nobody
  private record Series(DeviceLabels labels, byte[] block, OptionalDouble own) {}

  /** One device, with its readings in the order of the columns. */
  private static final class Row {
    private final List<Reading> readings;
    private final Lines lines;
    private int next;

    Row(List<Reading> readings, Lines lines) {
      this.readings = readings;
      this.lines = lines;
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
