package io.gpureclaimer.exporter.http.status;

import io.gpureclaimer.core.device.Gpu;
import io.gpureclaimer.core.vocabulary.DcgmField;
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
import java.util.OptionalDouble;

/** A row for every GPU, and one for each of its instances. */
final class DeviceRows {
  private static final String NOT_TOLD = "–";
  private static final int PERCENT = 100;
  private static final double MIB_PER_GIB = 1024;

  private DeviceRows() {}

  static List<List<Cell>> of(Snapshot snapshot) {
    var rows = new ArrayList<List<Cell>>();
    for (GpuSample sample : snapshot.gpus()) {
      switch (sample) {
        case Answered answered -> addAnswered(answered, rows);
        case Lost _ -> rows.add(silent(sample, "lost: it has fallen off the bus"));
        case Hung _ -> rows.add(silent(sample, "hangs: a driver call has not returned"));
        case Failed(_, _, var reason) -> rows.add(silent(sample, reason));
      }
    }
    return rows;
  }

  private static void addAnswered(Answered answered, List<List<Cell>> into) {
    var gpu = answered.device();
    into.add(row(gpu.index() + " " + gpu.uuid(), gpu.modelName(), answered.readings()));
    for (InstanceSample part : answered.instances()) {
      var instance = part.instance();
      String name = gpu.index() + " instance " + instance.id();
      into.add(row(name, instance.profile(), part.readings()));
    }
  }

  private static List<Cell> row(String device, String model, List<Reading> readings) {
    return List.of(
        Cell.plain(device),
        Cell.plain(model),
        Cell.good("answers"),
        Cell.plain(activity(readings)),
        Cell.plain(memory(readings)),
        Cell.plain(told(readings, DcgmField.DEV_GPU_TEMP, " °C")),
        Cell.plain(told(readings, DcgmField.DEV_POWER_USAGE, " W")));
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

  private static List<Cell> silent(GpuSample sample, String reason) {
    String uuid = sample.gpu().map(gpu -> " " + gpu.uuid()).orElse("");
    var nothing = Cell.plain(NOT_TOLD);
    return List.of(
        Cell.plain(sample.index() + uuid),
        Cell.plain(sample.gpu().map(Gpu::modelName).orElse(NOT_TOLD)),
        Cell.bad(reason),
        nothing,
        nothing,
        nothing,
        nothing);
  }
}
