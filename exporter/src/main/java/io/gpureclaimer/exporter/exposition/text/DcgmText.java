package io.gpureclaimer.exporter.exposition.text;

import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_FB_USED;
import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_GPU_UTIL;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.MigInstance;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.common.vocabulary.ValueForm;
import io.gpureclaimer.exporter.counters.Counter;
import io.gpureclaimer.exporter.counters.CounterSet;
import io.gpureclaimer.exporter.counters.CounterSet.LabelRow;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.GpuSample.Unresponsive;
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
 * Families of the counters file as dcgm-exporter writes them. Confined to the thread that renders.
 */
final class DcgmText {
  private final PassCache<DeviceKey, Lines> lines;
  private final PassCache<ExtraLabels, byte[]> extraLabels;
  private final SeriesStyle style;
  private @Nullable CounterSet known;
  private List<MetricColumn> columns = List.of();

  DcgmText(SeriesStyle style) {
    this.style = style;
    extraLabels =
        new PassCache<>(
            extra -> extra.series().labels.block(extra.labels(), style.labels()).encoded());
    lines = new PassCache<>(this::linesOf);
  }

  void render(Snapshot snapshot, CounterSet counters, TextBuffer into) {
    takeUp(counters);
    lines.beginPass();
    extraLabels.beginPass();
    DeviceRow[] rows = rowsOf(snapshot, counters);
    for (MetricColumn column : columns) {
      boolean begun = false;
      for (DeviceRow row : rows) {
        begun = append(column, row, begun, into);
      }
    }
  }

  /** Writes all series of a device for one field; returns whether the family has begun now. */
  private boolean append(MetricColumn column, DeviceRow row, boolean begun, TextBuffer into) {
    boolean now = begun;
    FamilyLine[] lines = row.lines.of(column.field());
    for (int i = row.firstOf(column.id()); row.isOf(i, column.id()); i++) {
      for (FamilyLine series : lines) {
        double value = column.inUnit(series.hasOwn ? series.own : row.values[i]);
        if (Double.isFinite(value)) {
          if (!now) {
            into.append(column.family().header());
            now = true;
          }
          into.beginLine(column.family().name(), block(series, row.extra(i)));
          column.append(value, into);
        }
      }
    }
    return now;
  }

  private byte[] block(FamilyLine series, List<Label> extra) {
    return extra.isEmpty() ? series.block : extraLabels.next(new ExtraLabels(series, extra));
  }

  private void takeUp(CounterSet counters) {
    if (!counters.equals(known)) {
      known = counters;
      columns = counters.counters().stream().map(MetricColumn::of).toList();
    }
  }

  /** A GPU's own row, then one for each of its instances. */
  private DeviceRow[] rowsOf(Snapshot snapshot, CounterSet counters) {
    var rows = new ArrayList<DeviceRow>();
    for (var sample : snapshot.gpus()) {
      if (sample instanceof Answered answered) {
        var gpu = answered.device();
        var texts = texts(counters, answered.texts());
        rows.add(row(snapshot, gpu, null, texts, answered.readings()));
        for (InstanceSample part : answered.instances()) {
          rows.add(row(snapshot, gpu, part.instance(), texts, part.readings()));
        }
      } else if (sample instanceof Unresponsive silent) {
        addUnresponsive(snapshot, counters, silent, rows);
      }
    }
    return rows.toArray(DeviceRow[]::new);
  }

  /** Its MIG instances are not read, so those who hold them are holders of the GPU here. */
  private void addUnresponsive(
      Snapshot snapshot, CounterSet counters, Unresponsive silent, List<DeviceRow> into) {
    Gpu gpu = silent.known();
    var known = silent.lastKnown();
    if (gpu != null && !known.readings().isEmpty()) {
      var held =
          new DeviceSeries.Inputs(
              snapshot.holdingsOnAnyPartOf(gpu.uuid()),
              snapshot.jobs().on(Entity.whole(gpu.uuid())),
              List.of());
      var key = new DeviceKey(gpu, null, snapshot.hostname(), texts(counters, known.texts()), held);
      into.add(new DeviceRow(known.readings(), lines.next(key)));
    }
  }

  private DeviceRow row(
      Snapshot snapshot,
      Gpu gpu,
      @Nullable MigInstance part,
      List<Label> texts,
      List<Reading> readings) {
    var device = part == null ? Entity.whole(gpu.uuid()) : part.entity();
    var held = DeviceSeries.Inputs.of(snapshot, device, style.holders());
    return new DeviceRow(
        readings, lines.next(new DeviceKey(gpu, part, snapshot.hostname(), texts, held)));
  }

  /** A device whose numbers alone have changed since the last pass has the lines it had. */
  private Lines linesOf(DeviceKey key) {
    var layout = new DeviceSeries(key.held(), style.holders());
    var series = encoded(key, layout.series());
    return new Lines(
        series,
        layout.seriesOfUse(DEV_GPU_UTIL).map(some -> encoded(key, some)).orElse(series),
        layout.seriesOfUse(DEV_FB_USED).map(some -> encoded(key, some)).orElse(series));
  }

  private FamilyLine[] encoded(DeviceKey key, List<DeviceSeries.HolderSeries> some) {
    return some.stream().map(series -> encoded(key, series)).toArray(FamilyLine[]::new);
  }

  private FamilyLine encoded(DeviceKey key, DeviceSeries.HolderSeries series) {
    var labels =
        new DeviceLabels(key.gpu(), key.part(), key.hostname(), key.texts(), series.labels());
    return new FamilyLine(labels, labels.block(List.of(), style.labels()).encoded(), series.own());
  }

  private static List<Label> texts(CounterSet counters, Map<DcgmField, String> values) {
    var texts = new ArrayList<Label>();
    for (LabelRow row : counters.labels()) {
      String text = values.get(row.field());
      if (text != null) {
        texts.add(new Label(row.name(), text));
      }
    }
    return texts;
  }

  /** The most of which six decimals say that it is nothing, such as a ratio of bit errors. */
  private static final double LARGEST_LIKE_ZERO = 0.5e-6;

  private record MetricColumn(
      DcgmField field, int id, double factor, FamilyHeader family, boolean isWhole) {
    static MetricColumn of(Counter counter) {
      return new MetricColumn(
          counter.field(),
          counter.field().id(),
          counter.factor(),
          FamilyHeader.of(counter.name(), counter.type(), counter.help()),
          counter.form() == ValueForm.INTEGER);
    }

    /** What the name promises; not finite if it is too large for that. */
    double inUnit(double fieldValue) {
      return fieldValue * factor;
    }

    void append(double value, TextBuffer into) {
      if (isWhole) {
        into.appendInteger((long) value);
      } else if (value != 0 && Math.abs(value) <= LARGEST_LIKE_ZERO) {
        into.appendExactly(value);
      } else {
        into.appendSixDecimals(value);
      }
      into.append('\n');
    }
  }

  /** Everything in the lines of a device except the numbers. */
  private record DeviceKey(
      Gpu gpu,
      @Nullable MigInstance part,
      String hostname,
      List<Label> texts,
      DeviceSeries.Inputs held) {}

  /** A series of a device, and the extra labels of one of its readings. */
  private record ExtraLabels(FamilyLine series, List<Label> labels) {}

  /**
   * The lines that a device has in each family; those of two families may be others. Arrays, here
   * and below, for these loops are the innermost: the client compiler makes a call of every look
   * into a list.
   */
  private static final class Lines {
    private final FamilyLine[] series;
    private final FamilyLine[] utilization;
    private final FamilyLine[] memory;

    Lines(FamilyLine[] series, FamilyLine[] utilization, FamilyLine[] memory) {
      this.series = series;
      this.utilization = utilization;
      this.memory = memory;
    }

    FamilyLine[] of(DcgmField field) {
      if (field == DEV_GPU_UTIL) {
        return utilization;
      }
      return field == DEV_FB_USED ? memory : series;
    }
  }

  /** One line of each family, and the value that stands there for the device's, if there is one. */
  private static final class FamilyLine {
    private final DeviceLabels labels;
    private final byte[] block;
    private final boolean hasOwn;
    private final double own;

    FamilyLine(DeviceLabels labels, byte[] block, OptionalDouble own) {
      this.labels = labels;
      this.block = block;
      this.hasOwn = own.isPresent();
      this.own = own.orElse(Double.NaN);
    }
  }

  /** One device, with its readings in the order of the columns. */
  private static final class DeviceRow {
    private final Lines lines;
    private final List<Reading> readings;
    private final int[] ids;
    private final double[] values;
    private boolean hasExtra;
    private int next;

    /** Reads each reading once: they lie side by side now, and columns go from row to row. */
    DeviceRow(List<Reading> readings, Lines lines) {
      this.lines = lines;
      this.readings = readings;
      ids = new int[readings.size()];
      values = new double[readings.size()];
      int at = 0;
      for (Reading reading : readings.toArray(Reading[]::new)) {
        ids[at] = reading.field().id();
        values[at++] = reading.value();
        hasExtra |= !reading.extra().isEmpty();
      }
    }

    /** Where the readings of a field begin; asked for fields in ascending order only. */
    int firstOf(int id) {
      while (next < ids.length && ids[next] < id) {
        next++;
      }
      return next;
    }

    boolean isOf(int index, int id) {
      return index < ids.length && ids[index] == id;
    }

    List<Label> extra(int index) {
      return hasExtra ? readings.get(index).extra() : List.of();
    }
  }
}
