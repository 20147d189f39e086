package io.gpureclaimer.exporter.collect;

import static io.gpureclaimer.core.vocabulary.DcgmField.DEV_TOTAL_ENERGY_CONSUMPTION;

import io.gpureclaimer.core.vocabulary.DcgmField;
import jakarta.inject.Singleton;
import java.util.Set;

/** Energy used since the driver was loaded. */
@Singleton
final class EnergyCollector implements Collector {
  @Override
  public String name() {
    return "energy";
  }

  @Override
  public Set<DcgmField> tells() {
    return Set.of(DEV_TOTAL_ENERGY_CONSUMPTION);
  }

  @Override
  public void collect(Device device, Readings into) {
    into.add(
        DEV_TOTAL_ENERGY_CONSUMPTION,
        device.nvml().totalEnergyMillijoules(device.handle()),
        EnergyCollector::unsigned);
  }

  private static double unsigned(long bits) {
    return bits >= 0 ? bits : (bits >>> 1) * 2.0;
  }
}
