package io.gpureclaimer.exporter.collect.fields;

import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_POWER_USAGE;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.nvml.poll.PolledGpu;
import jakarta.inject.Singleton;
import java.util.Set;

/** Power draw of the board. */
@Singleton
public final class PowerCollector implements Collector {
  private static final double MILLIWATTS_PER_WATT = 1_000.0;

  @Override
  public String name() {
    return "power";
  }

  @Override
  public Set<DcgmField> fields() {
    return Set.of(DEV_POWER_USAGE);
  }

  @Override
  public void collect(PolledGpu device, Readings into) {
    into.add(
        DEV_POWER_USAGE,
        device.nvml().powerMilliwatts(device.handle()),
        milliwatts -> milliwatts / MILLIWATTS_PER_WATT);
  }
}
