package io.gpureclaimer.exporter.exposition;

import io.gpureclaimer.core.device.Entity;
import io.gpureclaimer.core.device.Gpu;
import io.gpureclaimer.core.device.MigInstance;
import io.gpureclaimer.core.vocabulary.Labels;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.Label;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the labels of a device series are made from.
 *
 * @param gpu the device, or the one that it is a part of
 * @param instance the part; null for the whole GPU
 * @param hostname the node's name
 * @param texts what the device says of itself in words, as the counters file names it
 * @param holders who holds the device
 */
record DeviceLabels(
    Gpu gpu,
    @Nullable MigInstance instance,
    String hostname,
    List<Label> texts,
    List<Holder> holders) {

  static DeviceLabels ofGpu(Snapshot snapshot, Gpu gpu, List<Label> texts) {
    var holders = snapshot.holdersOf(Entity.whole(gpu.uuid()));
    return new DeviceLabels(gpu, null, snapshot.hostname(), texts, holders);
  }

  static DeviceLabels ofInstance(
      Snapshot snapshot, Gpu gpu, MigInstance instance, List<Label> texts) {
    var holders = snapshot.holdersOf(instance.entity());
    return new DeviceLabels(gpu, instance, snapshot.hostname(), texts, holders);
  }

  /**
   * In dcgm-exporter's order: what the device is, what it says of itself and the reading's own
   * labels, who holds it. The pod labels are there only when one pod alone holds the device, and
   * {@code container} only when one container of it does: a shared device's numbers belong to no
   * one of its holders.
   */
  LabelBlock block(List<Label> extra, LabelStyle style) {
    var block =
        new LabelBlock(style)
            .with(Labels.GPU, Integer.toString(gpu.index()))
            .with(Labels.UUID, gpu.uuid().value())
            .with(Labels.PCI_BUS_ID, gpu.pciBusId())
            .with(Labels.DEVICE, "nvidia" + gpu.index())
            .with(Labels.MODEL_NAME, gpu.modelName());
    if (instance != null) {
      block
          .with(Labels.GPU_INSTANCE_PROFILE, instance.profile())
          .with(Labels.GPU_INSTANCE_ID, Integer.toString(instance.id()));
    }
    block.with(Labels.HOSTNAME, hostname);
    var words = new ArrayList<>(texts);
    words.addAll(extra);
    words.sort(Comparator.comparing(Label::name));
    words.forEach(label -> block.with(label.name(), label.value()));
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
