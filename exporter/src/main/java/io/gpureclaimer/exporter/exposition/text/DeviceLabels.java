package io.gpureclaimer.exporter.exposition.text;

import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.MigInstance;
import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.exporter.sample.Label;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the labels of a device series are made from.
 *
 * @param gpu the device, or the one that it is a part of
 * @param instance the part; null for the whole GPU
 * @param hostname the node's name
 * @param texts what the device says of itself in words, as the counters file names it
 * @param holder what is said of who holds the device
 */
record DeviceLabels(
    Gpu gpu,
    @Nullable MigInstance instance,
    String hostname,
    List<Label> texts,
    HolderLabels holder) {
  private static final String POD_LABEL_PREFIX = "pod_label_";

  /** What no pod label may be called on the series of a link. */
  private static final Set<String> LINK_LABELS =
      Set.of(Labels.NVLINK, Labels.GPU_UUID_OF_LINK, Labels.MODEL_NAME_OF_LINK);

  /** Labels of a reading that dcgm-exporter writes among those of the holder. */
  private static final Set<String> ERROR_LABELS = Set.of("err_code", "err_msg");

  /**
   * In dcgm-exporter's order: what the device is; then, by name, what it says of itself, the pod's
   * labels and the reading's own; then, by name, who holds it. No name stands twice.
   */
  LabelBlock block(List<Label> extra, LabelStyle style) {
    var block = new LabelBlock(style);
    Optional<Label> nvlink = nvlink(extra);
    nvlink.ifPresent(link -> block.with(Labels.NVLINK, link.value()));
    addGpu(nvlink.isPresent(), block);
    if (instance != null) {
      block
          .with(Labels.GPU_INSTANCE_PROFILE, instance.profile())
          .with(Labels.GPU_INSTANCE_ID, Integer.toString(instance.id()));
    }
    block.with(Labels.HOSTNAME, hostname);
    var words = new ArrayList<>(texts);
    var attributes = holder.attributes();
    for (Label label : extra) {
      if (label.name().equals(Labels.NVLINK)) {
        continue;
      }
      (ERROR_LABELS.contains(label.name()) ? attributes : words).add(label);
    }
    addPodLabels(words, nvlink.isPresent() ? LINK_LABELS : Set.of());
    addSorted(words, style, block);
    addSorted(attributes, style, block);
    return block;
  }

  private static Optional<Label> nvlink(List<Label> extra) {
    return extra.stream().filter(label -> label.name().equals(Labels.NVLINK)).findFirst();
  }

  /** dcgm-exporter spells two labels of a GPU otherwise where they are those of its links. */
  private void addGpu(boolean ofLink, LabelBlock block) {
    block
        .with(Labels.GPU, Integer.toString(gpu.index()))
        .with(ofLink ? Labels.GPU_UUID_OF_LINK : Labels.UUID, gpu.uuid().value());
    String place = gpu.pciBusId();
    if (place != null) {
      block.with(Labels.PCI_BUS_ID, place);
    }
    block
        .with(Labels.DEVICE, "nvidia" + gpu.index())
        .with(ofLink ? Labels.MODEL_NAME_OF_LINK : Labels.MODEL_NAME, gpu.modelName());
  }

  /** The counters file may have given a name to something else that a pod has too. */
  private void addPodLabels(List<Label> words, Set<String> ofLinks) {
    var taken = new HashSet<>(ofLinks);
    words.forEach(word -> taken.add(word.name()));
    for (Label label : holder.podLabels()) {
      if (taken.add(label.name())) {
        words.add(label);
      } else if (taken.add(POD_LABEL_PREFIX + label.name())) {
        words.add(new Label(POD_LABEL_PREFIX + label.name(), label.value()));
      }
    }
  }

  /** By the names that are served: the old ones are in another order. */
  private static void addSorted(List<Label> labels, LabelStyle style, LabelBlock block) {
    labels.sort(Comparator.comparing(label -> style.spelling(label.name()).orElse(label.name())));
    labels.forEach(label -> block.with(label.name(), label.value()));
  }
}
