package io.gpureclaimer.exporter.attribution.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpureclaimer.core.kubernetes.ClusterNotConfigured;
import io.gpureclaimer.core.kubernetes.ConnectionOptions;
import io.gpureclaimer.core.kubernetes.KubernetesConnection;
import io.gpureclaimer.exporter.attribution.PodUids;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client of the API server, and the watch of this node's pods that it serves. */
public final class NodePods implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(NodePods.class);

  private final PodUids uids;
  private final Runnable end;

  private NodePods(PodUids uids, Runnable end) {
    this.uids = uids;
    this.end = end;
  }

  /**
   * Starts to watch, and returns at once. Where nothing says how to reach an API server there are
   * no uids, which is one warning and stops nothing.
   *
   * @param options how to find and speak to it
   * @param node whose pods
   * @param staleAfter how long what is known stands while the watch is broken
   * @param nanoTime a clock that nobody sets, in nanoseconds
   */
  public static NodePods watch(
      ConnectionOptions options, String node, Duration staleAfter, LongSupplier nanoTime) {
    KubernetesClient client;
    try {
      client = KubernetesConnection.ofThisProcess().open("gpu-exporter", options);
    } catch (ClusterNotConfigured | KubernetesClientException e) {
      log.warn("holders go without uid: {}", e.getMessage());
      var nothing =
          new PodUids.Known(
              new PodUids.Watch.Broken(String.valueOf(e.getMessage())), Map.of(), Set.of());
      return new NodePods(() -> nothing, () -> {});
    }
    var pods = WatchedPods.start(client, node, staleAfter, nanoTime);
    return new NodePods(
        pods,
        () -> {
          pods.close();
          client.close();
        });
  }

  /** What the watch tells. */
  public PodUids uids() {
    return uids;
  }

  @Override
  public void close() {
    end.run();
  }
}
