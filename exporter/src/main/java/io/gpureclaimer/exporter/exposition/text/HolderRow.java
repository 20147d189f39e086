package io.gpureclaimer.exporter.exposition.text;

import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.MigInstance;
import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.exporter.sample.Holder;
import org.jspecify.annotations.Nullable;

/** The holder and device of a series; the labels of our own metrics about holders. */
record HolderRow(Gpu gpu, @Nullable MigInstance part, String hostname, Holder holder) {
  LabelBlock block() {
    var block =
        new LabelBlock()
            .with(Labels.UUID, gpu.uuid().value())
            .with(Labels.GPU, Integer.toString(gpu.index()));
    if (part != null) {
      block
          .with(Labels.GPU_INSTANCE_PROFILE, part.profile())
          .with(Labels.GPU_INSTANCE_ID, Integer.toString(part.id()));
    }
    block
        .with(Labels.HOSTNAME, hostname)
        .with(Labels.CONTAINER, holder.container())
        .with(Labels.NAMESPACE, holder.namespace())
        .with(Labels.POD, holder.pod());
    String uid = holder.uid();
    return uid == null ? block : block.with(Labels.POD_UID, uid);
  }
}
