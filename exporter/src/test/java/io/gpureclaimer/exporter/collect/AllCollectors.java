package io.gpureclaimer.exporter.collect;

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
        new GpmCollector(),
        new MemoryCollector(),
        new NumberCollector(),
        new PcieCollector(),
        new PowerCollector(),
        new TemperatureCollector(),
        new UtilizationCollector(),
        new VgpuLicenseCollector());
  }
}
