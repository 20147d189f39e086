package io.gpureclaimer.exporter.exposition;

import io.gpureclaimer.core.device.Gpu;
import io.gpureclaimer.core.vocabulary.Labels;
import io.gpureclaimer.exporter.sample.Holder;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the labels of a device series are made from.
 *
 * @param gpu the device
 * @param hostname the node's name
 * @param driverVersion null when the driver does not tell it
 * @param holders who holds the device
 */
record DeviceLabels(
    Gpu gpu, String hostname, @Nullable String driverVersion, List<Holder> holders) {

  /**
   * In dcgm-exporter's order. The pod labels are there only when one pod alone holds the device,
   * and {@code container} only when one container of it does: a shared device's numbers belong to
   * no one of its holders.
   */
  LabelBlock block() {
    var block =
        new LabelBlock()
            .with(Labels.GPU, Integer.toString(gpu.index()))
            .with(Labels.UUID, gpu.uuid().value())
            .with(Labels.PCI_BUS_ID, gpu.pciBusId())
            .with(Labels.DEVICE, "nvidia" + gpu.index())
            .with(Labels.MODEL_NAME, gpu.modelName())
            .with(Labels.HOSTNAME, hostname);
    if (driverVersion != null) {
      block.with(Labels.DRIVER_VERSION, driverVersion);
    }
    boolean onePod =
        !holders.isEmpty() && allSame(Holder::namespace) && allSame(Holder::pod) && oneUid();
    if (onePod && allSame(Holder::container)) {
      block.with(Labels.CONTAINER, holders.getFirst().container());
    }
    if (onePod) {
      block.with(Labels.NAMESPACE, holders.getFirst().namespace());
      block.with(Labels.POD, holders.getFirst().pod());
    }
    return block;
  }

  private boolean allSame(Function<Holder, String> part) {
    return holders.stream().map(part).distinct().count() == 1;
  }

  private boolean oneUid() {
    return holders.stream().map(Holder::uid).distinct().count() == 1;
  }
}
