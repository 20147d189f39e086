package io.gpureclaimer.exporter.exposition.text;

import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.common.vocabulary.MetricType;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.Holding;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
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
    var counts = countsOf(snapshot);
    if (!counts.isEmpty()) {
      into.append(COUNT.header());
    }
    counts.forEach(
        (pod, devices) ->
            into.beginLine(COUNT.name(), labels.next(new Key(snapshot.hostname(), pod)))
                .appendInteger(devices)
                .append('\n'));
  }

  private static Map<Pod, Integer> countsOf(Snapshot snapshot) {
    Map<Pod, Integer> counts = new TreeMap<>();
    for (var holdings : snapshot.holdings().values()) {
      for (Pod pod : podsOf(holdings)) {
        counts.merge(pod, 1, Integer::sum);
      }
    }
    snapshot.unplaced().forEach(holder -> counts.merge(Pod.of(holder), 1, Integer::sum));
    return counts;
  }

  /** Those that hold one device, each once. */
  private static Set<Pod> podsOf(List<Holding> holdings) {
    if (holdings.size() == 1) {
      return Set.of(Pod.of(holdings.getFirst().holder()));
    }
    var pods = new HashSet<Pod>();
    holdings.forEach(holding -> pods.add(Pod.of(holding.holder())));
    return pods;
  }

  private record Pod(String namespace, String name, @Nullable String uid)
      implements Comparable<Pod> {
    private static final Comparator<@Nullable String> NONE_FIRST =
        Comparator.nullsFirst(Comparator.naturalOrder());

    static Pod of(Holder holder) {
      return new Pod(holder.namespace(), holder.pod(), holder.uid());
    }

    @Override
    public int compareTo(Pod other) {
      int byNamespace = namespace.compareTo(other.namespace);
      if (byNamespace != 0) {
        return byNamespace;
      }
      int byName = name.compareTo(other.name);
      return byName != 0 ? byName : NONE_FIRST.compare(uid, other.uid);
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
