package io.gpureclaimer.exporter.collect;

import static io.gpureclaimer.core.vocabulary.DcgmField.DEV_NVLINK_BANDWIDTH_TOTAL;

import io.gpureclaimer.core.vocabulary.DcgmField;
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
  public Set<DcgmField> tells() {
    return Set.of(DEV_NVLINK_BANDWIDTH_TOTAL);
  }

  @Override
  public void collect(Device device, Readings into) {
    into.take(
        device.nvml().nvlinkTransferredKibibytes(device.handle()),
        tells(),
        kibibytes ->
            rates
                .next(device.gpu().uuid(), kibibytes)
                .ifPresent(rate -> into.put(DEV_NVLINK_BANDWIDTH_TOTAL, rate)));
  }
}
