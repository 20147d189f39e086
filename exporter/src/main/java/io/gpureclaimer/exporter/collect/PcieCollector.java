package io.gpureclaimer.exporter.collect;

import static io.gpureclaimer.core.vocabulary.DcgmField.DEV_PCIE_REPLAY_COUNTER;

import jakarta.inject.Singleton;

/** Replays of PCIe packets. */
@Singleton
final class PcieCollector implements Collector {
  @Override
  public String name() {
    return "pcie";
  }

  @Override
  public void collect(Device device, Readings into) {
    into.add(DEV_PCIE_REPLAY_COUNTER, device.nvml().pcieReplays(device.handle()), count -> count);
  }
}
