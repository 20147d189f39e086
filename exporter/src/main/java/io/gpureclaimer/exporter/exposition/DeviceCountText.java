package io.gpureclaimer.exporter.exposition;

import io.gpureclaimer.core.device.Entity;
import io.gpureclaimer.core.vocabulary.Labels;
import io.gpureclaimer.core.vocabulary.LedgerMetrics;
import io.gpureclaimer.core.vocabulary.MetricType;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How many devices each pod holds, so that whoever reads the ledger can tell whether it is whole: a
 * pod one of whose devices is not observed is not known. Confined to one thread.
 */
final class DeviceCountText {
  private static final Family COUNT =
      Family.of(
          LedgerMetrics.DEVICE_COUNT,
          MetricType.GAUGE,
          "Devices of this node that the pod holds, observed and known or not.");

  private final LabelBlocks<Key> labels = new LabelBlocks<>(Key::block);

  void render(Snapshot snapshot, TextBuffer into) {
    labels.beginPass();
    Map<Pod, Set<Entity>> held = new TreeMap<>(Pod.ORDER);
    snapshot
        .holdings()
        .forEach(
            (device, holdings) ->
                holdings.forEach(
                    holding ->
                        held.computeIfAbsent(Pod.of(holding.holder()), _ -> new HashSet<>())
                            .add(device)));
    Map<Pod, Integer> counts = new TreeMap<>(Pod.ORDER);
    held.forEach((pod, devices) -> counts.put(pod, devices.size()));
    snapshot.unplaced().forEach(holder -> counts.merge(Pod.of(holder), 1, Integer::sum));
    if (!counts.isEmpty()) {
      into.append(COUNT.header());
    }
    counts.forEach(
        (pod, devices) ->
            into.append(COUNT.name())
                .append(labels.of(new Key(snapshot.hostname(), pod)))
                .appendInteger(devices)
                .append('\n'));
  }

  private record Pod(String namespace, String name, @Nullable String uid) {
    static final Comparator<Pod> ORDER =
        Comparator.comparing(Pod::namespace)
            .thenComparing(Pod::name)
            .thenComparing(Pod::uid, Comparator.nullsFirst(Comparator.naturalOrder()));

    static Pod of(Holder holder) {
      return new Pod(holder.namespace(), holder.pod(), holder.uid());
    }
  }

  private record Key(String hostname, Pod pod) {
    LabelBlock block() {
      var block =
          new LabelBlock()
              .with(Labels.HOSTNAME, hostname)
              .with(Labels.NAMESPACE, pod.namespace())
              .with(Labels.POD, pod.name());
      String uid = pod.uid();
      return uid == null ? block : block.with(Labels.POD_UID, uid);
    }
  }
}
