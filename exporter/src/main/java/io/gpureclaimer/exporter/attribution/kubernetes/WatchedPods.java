package io.gpureclaimer.exporter.attribution.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpureclaimer.common.kubernetes.ViewStore;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.exporter.attribution.NamespacedPodName;
import io.gpureclaimer.exporter.attribution.NodePods;
import io.gpureclaimer.exporter.attribution.kubernetes.PodFieldSelection.PodLifetime;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;

/**
 * Watches the pods of one node and keeps the requested properties. {@link #now} is confined to the
 * attribution job.
 *
 * <p>While the watch is broken, what is known stands for a while. A pod may meanwhile be replaced
 * by one of its name, which then bears the old uid: its owner sees no evidence for it, and so does
 * nothing to it.
 */
public final class WatchedPods implements NodePods, AutoCloseable {
  private final NodeWatch<NodePod, PodLifetime> watch;

  private WatchedPods(NodeWatch<NodePod, PodLifetime> watch) {
    this.watch = watch;
  }

  /**
   * Starts to list and watch, and returns at once.
   *
   * @param client stays open when this is closed
   * @param node whose pods
   * @param view what to remember of each
   * @param staleAfter how long what is known stands while the watch is broken
   * @param monotonic monotonic clock
   */
  public static WatchedPods start(
      KubernetesClient client,
      String node,
      PodFieldSelection view,
      Duration staleAfter,
      MonotonicClock monotonic) {
    client.getKubernetesSerialization().registerKubernetesResource(NodePod.class);
    var informer =
        client
            .resources(NodePod.class)
            .inAnyNamespace()
            .withField("spec.nodeName", node)
            .runnableInformer(0);
    return new WatchedPods(
        new NodeWatch<>(
            "the pods on this node",
            "series have no pod uid and labels",
            new ViewStore<>(NodePod::new, view::of),
            informer,
            staleAfter,
            monotonic));
  }

  @Override
  public KnownPods now() {
    var seen = watch.now();
    var running = new HashMap<NamespacedPodName, RunningPod>();
    var ended = new HashSet<NamespacedPodName>();
    for (var life : seen.views()) {
      if (life.ended()) {
        ended.add(life.pod());
      } else {
        running.put(life.pod(), life.entry());
      }
    }
    return new KnownPods(seen.watch(), running, ended);
  }

  @Override
  public void close() {
    watch.close();
  }
}
