package io.gpureclaimer.exporter.collect.fields;

import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_PCIE_REPLAY_COUNTER;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.nvml.poll.PolledGpu;
import jakarta.inject.Singleton;
import java.util.Set;

/** Replays of PCIe packets. */
@Singleton
public final class PcieCollector implements Collector {
  @Override
  public String name() {
    return "pcie";
  }

  @Override
  public Set<DcgmField> fields() {
    return Set.of(DEV_PCIE_REPLAY_COUNTER);
  }

  @Override
  public void collect(PolledGpu device, Readings into) {
    into.add(DEV_PCIE_REPLAY_COUNTER, device.nvml().pcieReplays(device.handle()), count -> count);
  }
}
