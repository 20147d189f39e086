package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The nodes in a planning. Confined to one planning. */
final class Sites {
  private final Map<String, Site> byName;

  /** Which of them suit; asked of each node once, for pods that wait have few different wishes. */
  private final Map<Placement, List<Site>> suitable = new HashMap<>();

  Sites(ClusterView cluster) {
    byName = HashMap.newHashMap(cluster.nodes().size());
    for (NodeView node : cluster.nodes()) {
      byName.put(node.name(), new Site(node));
    }
    for (PodView pod : cluster.pods()) {
      if (pod.holdsGpus() && !pod.terminating()) {
        on(pod, site -> site.take(pod.gpus()));
      }
    }
  }

  /** Does something with the pod's node, if it has one that is known. */
  void on(PodView pod, Consumer<Site> what) {
    pod.node().flatMap(this::named).ifPresent(what);
  }

  Optional<Site> named(String node) {
    return Optional.ofNullable(byName.get(node));
  }

  /** Lets nobody of them go who is meant. */
  void withdraw(Predicate<Due> which) {
    byName.values().forEach(site -> site.withdraw(which));
  }

  /**
   * The best victims on any node; maybe nobody has to go. What each node needs at least is quickly
   * found, so that victims are only searched for where they are fewest.
   */
  Optional<Victims> best(Demand demand) {
    List<Site> fewest = new ArrayList<>();
    int least = Integer.MAX_VALUE;
    for (Site site : suitable(demand.placement())) {
      OptionalInt count = site.fewest(demand);
      if (count.isEmpty() || count.getAsInt() > least) {
        continue;
      }
      if (count.getAsInt() < least) {
        least = count.getAsInt();
        fewest.clear();
      }
      fewest.add(site);
    }
    return fewest.stream().flatMap(site -> site.victims(demand).stream()).min(Victims::compareTo);
  }

  private List<Site> suitable(Placement placement) {
    return suitable.computeIfAbsent(
        placement,
        wanted ->
            byName.values().stream()
                .filter(Site::offersAnything)
                .filter(site -> site.suits(wanted))
                .toList());
  }
}
