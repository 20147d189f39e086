package io.gpureclaimer.exporter.http.status;

import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.deviceplugin.health.XidLog;
import io.gpureclaimer.exporter.http.status.Html.Cell;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.GpuSample.Failed;
import io.gpureclaimer.exporter.sample.GpuSample.Hung;
import io.gpureclaimer.exporter.sample.GpuSample.Lost;
import io.gpureclaimer.exporter.sample.InstanceSample;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** A row for every GPU, and one for each of its instances. */
final class DeviceRows {
  private static final String NOT_TOLD = "–";
  private static final int PERCENT = 100;
  private static final double MIB_PER_GIB = 1024;

  private DeviceRows() {}

  static List<List<Cell>> of(Snapshot snapshot, XidLog heard) {
    var xids = new LastXid(heard, snapshot.at());
    var rows = new ArrayList<List<Cell>>();
    for (GpuSample sample : snapshot.gpus()) {
      switch (sample) {
        case Answered answered -> addAnswered(answered, xids, rows);
        case Lost _ -> rows.add(silent(sample, "lost: it has fallen off the bus", xids));
        case Hung _ -> rows.add(silent(sample, "hangs: a driver call has not returned", xids));
        case Failed(_, _, var reason) -> rows.add(silent(sample, reason, xids));
      }
    }
    return rows;
  }

  /** What a GPU is called on the page. */
  static String name(int index, GpuUuid uuid) {
    return index + " " + uuid;
  }

  /** What an instance of it is called. */
  static String name(int index, int instance) {
    return index + " instance " + instance;
  }

  private static void addAnswered(Answered answered, LastXid xids, List<List<Cell>> into) {
    var gpu = answered.device();
    var last = xids.of(Optional.of(gpu));
    into.add(row(name(gpu.index(), gpu.uuid()), gpu.modelName(), answered.readings(), last));
    for (InstanceSample part : answered.instances()) {
      var instance = part.instance();
      String name = name(gpu.index(), instance.id());
      into.add(row(name, instance.profile(), part.readings(), Cell.plain(NOT_TOLD)));
    }
  }

  private static List<Cell> row(String device, String model, List<Reading> readings, Cell xid) {
    return List.of(
        Cell.plain(device),
        Cell.plain(model),
        Cell.good("answers"),
        Cell.plain(activity(readings)),
        Cell.plain(memory(readings)),
        Cell.plain(told(readings, DcgmField.DEV_GPU_TEMP, " °C")),
        Cell.plain(told(readings, DcgmField.DEV_POWER_USAGE, " W")),
        xid);
  }

  private static String activity(List<Reading> readings) {
    var engines = valueOf(readings, DcgmField.PROF_GR_ENGINE_ACTIVE);
    return engines.isPresent()
        ? Math.round(engines.getAsDouble() * PERCENT) + " %"
        : told(readings, DcgmField.DEV_GPU_UTIL, " %");
  }

  private static String memory(List<Reading> readings) {
    var mib = valueOf(readings, DcgmField.DEV_FB_USED);
    return mib.isPresent()
        ? String.format(Locale.ROOT, "%.1f GiB", mib.getAsDouble() / MIB_PER_GIB)
        : NOT_TOLD;
  }

  private static String told(List<Reading> readings, DcgmField field, String unit) {
    var value = valueOf(readings, field);
    return value.isPresent() ? Math.round(value.getAsDouble()) + unit : NOT_TOLD;
  }

  private static OptionalDouble valueOf(List<Reading> readings, DcgmField field) {
    return readings.stream()
        .filter(reading -> reading.field() == field)
        .mapToDouble(Reading::value)
        .findFirst();
  }

  private static List<Cell> silent(GpuSample sample, String reason, LastXid xids) {
    var nothing = Cell.plain(NOT_TOLD);
    return List.of(
        Cell.plain(
            sample
                .gpu()
                .map(gpu -> name(gpu.index(), gpu.uuid()))
                .orElse(String.valueOf(sample.index()))),
        Cell.plain(sample.gpu().map(Gpu::modelName).orElse(NOT_TOLD)),
        Cell.bad(reason),
        nothing,
        nothing,
        nothing,
        nothing,
        xids.of(sample.gpu()));
  }
}
