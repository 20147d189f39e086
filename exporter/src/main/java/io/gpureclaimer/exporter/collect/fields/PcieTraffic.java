package io.gpureclaimer.exporter.collect.fields;

import static io.gpureclaimer.core.nvml.binding.NvmlFieldIds.NVML_FI_DEV_PCIE_COUNT_RX_BYTES;
import static io.gpureclaimer.core.nvml.binding.NvmlFieldIds.NVML_FI_DEV_PCIE_COUNT_TX_BYTES;
import static io.gpureclaimer.core.vocabulary.DcgmField.PROF_PCIE_RX_BYTES;
import static io.gpureclaimer.core.vocabulary.DcgmField.PROF_PCIE_TX_BYTES;

import io.gpureclaimer.core.nvml.FieldQuery;
import io.gpureclaimer.core.nvml.FieldQuery.Field;
import io.gpureclaimer.core.nvml.FieldValue;
import io.gpureclaimer.core.nvml.NvmlResult;
import io.gpureclaimer.core.nvml.NvmlResult.Value;
import io.gpureclaimer.core.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Device;
import io.gpureclaimer.exporter.collect.Readings;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Bytes per second over PCIe of a GPU that GPM cannot measure: how fast the driver's own counters
 * of bytes grow, where it has them.
 */
final class PcieTraffic {
  private static final List<DcgmField> TOLD = List.of(PROF_PCIE_TX_BYTES, PROF_PCIE_RX_BYTES);

  private final FieldQuery counters =
      new FieldQuery(
          List.of(
              Field.of(NVML_FI_DEV_PCIE_COUNT_TX_BYTES),
              Field.of(NVML_FI_DEV_PCIE_COUNT_RX_BYTES)));
  private final TransferRates rates;

  PcieTraffic(LongSupplier nanoTime) {
    this.rates = new TransferRates(nanoTime, 1);
  }

  void collect(Device device, Readings into) {
    if (TOLD.stream().anyMatch(into::wants)) {
      into.take(
          device.nvml().fieldValues(device.handle(), counters),
          Set.copyOf(TOLD),
          values -> enter(device, values, into));
    }
  }

  private void enter(Device device, List<NvmlResult<FieldValue>> values, Readings into) {
    for (int i = 0; i < values.size(); i++) {
      DcgmField told = TOLD.get(i);
      into.take(values.get(i), Set.of(told), _ -> {});
      if (values.get(i) instanceof Value<FieldValue>(var bytes)) {
        rates
            .next(device.gpu().uuid(), told, bytes.whole())
            .ifPresent(perSecond -> into.put(told, perSecond));
      }
    }
  }
}
