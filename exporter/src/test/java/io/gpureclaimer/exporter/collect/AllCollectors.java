package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.exporter.collect.fields.ClockCollector;
import io.gpureclaimer.exporter.collect.fields.CodecCollector;
import io.gpureclaimer.exporter.collect.fields.FieldValueCollector;
import io.gpureclaimer.exporter.collect.fields.GpmCollector;
import io.gpureclaimer.exporter.collect.fields.MemoryCollector;
import io.gpureclaimer.exporter.collect.fields.NumberCollector;
import io.gpureclaimer.exporter.collect.fields.PcieCollector;
import io.gpureclaimer.exporter.collect.fields.PowerCollector;
import io.gpureclaimer.exporter.collect.fields.TemperatureCollector;
import io.gpureclaimer.exporter.collect.fields.UtilizationCollector;
import io.gpureclaimer.exporter.collect.fields.VgpuLicenseCollector;
import java.util.List;
import java.util.function.LongSupplier;

/** The collectors that the program runs. */
final class AllCollectors {
  private AllCollectors() {}

  static List<Collector> with(LongSupplier nanoTime) {
    return List.of(
        new ClockCollector(),
        new CodecCollector(),
        new FieldValueCollector(nanoTime),
        new GpmCollector(nanoTime),
        new InforomCollector(nanoTime, Runnable::run),
        new MemoryCollector(),
        new NumberCollector(),
        new PcieCollector(),
        new PowerCollector(),
        new TemperatureCollector(),
        new UtilizationCollector(),
        new VgpuLicenseCollector());
  }
}
