package io.gpureclaimer.exporter.exposition;

import io.gpureclaimer.core.device.Gpu;
import io.gpureclaimer.core.vocabulary.Labels;
import io.gpureclaimer.core.vocabulary.LedgerMetrics;
import io.gpureclaimer.core.vocabulary.MetricType;
import io.gpureclaimer.exporter.activity.Observation;
import io.gpureclaimer.exporter.sample.Holder;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The {@code gpu_pod_*} families: one series per holder of a device. Confined to one thread. */
final class LedgerText {
  private static final Family LAST_ACTIVE =
      Family.of(
          LedgerMetrics.LAST_ACTIVE,
          MetricType.GAUGE,
          "Time of the last sampling pass that saw the pod's GPU work. Absent until one did.");
  private static final Family OBSERVED_SINCE =
      Family.of(
          LedgerMetrics.OBSERVED_SINCE,
          MetricType.GAUGE,
          "Start of the unbroken observation of this pod on this GPU.");
  private static final Family OBSERVED_UNTIL =
      Family.of(
          LedgerMetrics.OBSERVED_UNTIL,
          MetricType.GAUGE,
          "Time of the last sampling pass that observed this pod on this GPU.");

  private final LabelBlocks<Key> labels = new LabelBlocks<>(Key::block);

  void render(String hostname, List<Observation> ledger, TextBuffer into) {
    labels.beginPass();
    family(LAST_ACTIVE, hostname, ledger, Observation::seenActive, into);
    family(OBSERVED_SINCE, hostname, ledger, Observation::since, into);
    family(OBSERVED_UNTIL, hostname, ledger, Observation::until, into);
  }

  private void family(
      Family family,
      String hostname,
      List<Observation> ledger,
      Function<Observation, @Nullable Instant> time,
      TextBuffer into) {
    boolean begun = false;
    for (Observation seen : ledger) {
      Instant value = time.apply(seen);
      if (value != null) {
        if (!begun) {
          into.append(family.header());
          begun = true;
        }
        into.append(family.name())
            .append(labels.of(new Key(seen.gpu(), hostname, seen.holder())))
            .appendMillisAsSeconds(value.toEpochMilli())
            .append('\n');
      }
    }
  }

  private record Key(Gpu gpu, String hostname, Holder holder) {
    LabelBlock block() {
      var block =
          new LabelBlock()
              .with(Labels.UUID, gpu.uuid().value())
              .with(Labels.GPU, Integer.toString(gpu.index()))
              .with(Labels.HOSTNAME, hostname)
              .with(Labels.CONTAINER, holder.container())
              .with(Labels.NAMESPACE, holder.namespace())
              .with(Labels.POD, holder.pod());
      String uid = holder.uid();
      return uid == null ? block : block.with(Labels.POD_UID, uid);
    }
  }
}
