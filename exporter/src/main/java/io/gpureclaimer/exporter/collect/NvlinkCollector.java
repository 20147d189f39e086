package io.gpureclaimer.exporter.collect;

import static io.gpureclaimer.core.vocabulary.DcgmField.DEV_NVLINK_BANDWIDTH_TOTAL;

import jakarta.inject.Singleton;
import java.util.Set;

/** Data over all NVLinks of a GPU, both directions. */
@Singleton
final class NvlinkCollector implements Collector {
  private final TransferRates rates = new TransferRates(System::nanoTime);

  @Override
  public String name() {
    return "nvlink";
  }

  @Override
  public void collect(Device device, Readings into) {
    into.take(
        device.nvml().nvlinkTransferredKibibytes(device.handle()),
        Set.of(DEV_NVLINK_BANDWIDTH_TOTAL),
        kibibytes ->
            rates
                .next(device.gpu().uuid(), kibibytes)
                .ifPresent(rate -> into.put(DEV_NVLINK_BANDWIDTH_TOTAL, rate)));
  }
}
