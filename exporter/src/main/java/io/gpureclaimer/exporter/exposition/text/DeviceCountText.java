package io.gpureclaimer.exporter.exposition.text;

import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.common.vocabulary.MetricType;
import io.gpureclaimer.exporter.sample.DeviceAssignment;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Number of devices of each pod, which shows whether the ledger of a pod is complete. Confined to
 * one thread.
 */
final class DeviceCountText {
  private static final FamilyHeader COUNT =
      FamilyHeader.of(
          LedgerMetrics.DEVICE_COUNT,
          MetricType.GAUGE,
          "Devices of this node that are allocated to the pod, observed or not.");

  private final PassCache<NodePodKey, byte[]> labels =
      new PassCache<>(row -> row.block().encoded());

  void render(Snapshot snapshot, TextBuffer into) {
    labels.beginPass();
    var counts = countsOf(snapshot);
    if (!counts.isEmpty()) {
      into.append(COUNT.header());
    }
    counts.forEach(
        (pod, devices) ->
            into.beginLine(COUNT.name(), labels.next(new NodePodKey(snapshot.hostname(), pod)))
                .appendInteger(devices)
                .append('\n'));
  }

  private static Map<HolderPod, Integer> countsOf(Snapshot snapshot) {
    Map<HolderPod, Integer> counts = new TreeMap<>();
    for (var holdings : snapshot.holdings().values()) {
      for (HolderPod pod : podsOf(holdings)) {
        counts.merge(pod, 1, Integer::sum);
      }
    }
    snapshot.unplaced().forEach(holder -> counts.merge(HolderPod.of(holder), 1, Integer::sum));
    return counts;
  }

  /** Those that hold one device, each once. */
  private static Set<HolderPod> podsOf(List<DeviceAssignment> holdings) {
    if (holdings.size() == 1) {
      return Set.of(HolderPod.of(holdings.getFirst().holder()));
    }
    var pods = new HashSet<HolderPod>();
    holdings.forEach(holding -> pods.add(HolderPod.of(holding.holder())));
    return pods;
  }

  private record HolderPod(String namespace, String name, @Nullable String uid)
      implements Comparable<HolderPod> {
    private static final Comparator<@Nullable String> NONE_FIRST =
        Comparator.nullsFirst(Comparator.naturalOrder());

    static HolderPod of(Holder holder) {
      return new HolderPod(holder.namespace(), holder.pod(), holder.uid());
    }

    @Override
    public int compareTo(HolderPod other) {
      int byNamespace = namespace.compareTo(other.namespace);
      if (byNamespace != 0) {
        return byNamespace;
      }
      int byName = name.compareTo(other.name);
      return byName != 0 ? byName : NONE_FIRST.compare(uid, other.uid);
    }
  }

  private record NodePodKey(String hostname, HolderPod pod) {
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
