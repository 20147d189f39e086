package io.gpureclaimer.exporter.collect;

import static io.gpureclaimer.core.vocabulary.DcgmField.DEV_TOTAL_ENERGY_CONSUMPTION;

import jakarta.inject.Singleton;

/** Energy used since the driver was loaded. */
@Singleton
final class EnergyCollector implements Collector {
  @Override
  public String name() {
    return "energy";
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
