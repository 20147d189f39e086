package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.deviceplugin.health.XidLog;
import io.gpureclaimer.exporter.collect.computed.ClockEventsCollector;
import io.gpureclaimer.exporter.collect.computed.GpuEvents;
import io.gpureclaimer.exporter.collect.computed.HealthCollector;
import io.gpureclaimer.exporter.collect.computed.InforomCollector;
import io.gpureclaimer.exporter.collect.computed.PeerCollector;
import io.gpureclaimer.exporter.collect.computed.XidCollector;
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
import io.gpureclaimer.exporter.collect.pass.CollectionPlan;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The collectors that the program runs. */
public final class AllCollectors {
  private AllCollectors() {}

  static List<Collector> with(MonotonicClock monotonic) {
    return List.of(
        new ClockCollector(),
        new CodecCollector(),
        new FieldValueCollector(monotonic),
        new GpmCollector(),
        new InforomCollector(monotonic, Runnable::run),
        new MemoryCollector(),
        new NumberCollector(),
        new PcieCollector(),
        new PowerCollector(),
        new TemperatureCollector(),
        new UtilizationCollector(),
        new VgpuLicenseCollector());
  }

  /** The fields that the program can report. */
  public static Set<DcgmField> fields() {
    var all = new ArrayList<>(with(System::nanoTime));
    all.addAll(computed());
    return CollectionPlan.supported(all);
  }

  /** Collectors that compute fields from other readings or from events. */
  static List<Collector> computed() {
    var window = Duration.ofMinutes(5);
    var events = new GpuEvents(new XidLog(window), Clock.systemUTC());
    return List.of(
        new XidCollector(events, window),
        new ClockEventsCollector(window, Clock.systemUTC()),
        new HealthCollector(events, System::nanoTime),
        new PeerCollector(System::nanoTime));
  }
}
