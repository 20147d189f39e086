package io.gpureclaimer.exporter.attribution.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpureclaimer.common.kubernetes.ClusterNotConfigured;
import io.gpureclaimer.common.kubernetes.ConnectionOptions;
import io.gpureclaimer.common.kubernetes.KubernetesConnection;
import io.gpureclaimer.common.kubernetes.RegisteredKinds;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.exporter.attribution.NodePods;
import io.gpureclaimer.exporter.attribution.NodePods.WatchState;
import io.gpureclaimer.exporter.attribution.ResourceClaims;
import io.gpureclaimer.exporter.attribution.ResourceSliceDevices;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Client of the API server for the objects of this node. */
public final class NodeObjects implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(NodeObjects.class);

  private final NodePods pods;
  private final ResourceSliceDevices devices;
  private final ResourceClaims claims;
  private final Runnable end;

  private NodeObjects(
      NodePods pods, ResourceSliceDevices devices, ResourceClaims claims, Runnable end) {
    this.pods = pods;
    this.devices = devices;
    this.claims = claims;
    this.end = end;
  }

  /**
   * Objects to watch.
   *
   * @param pods what to remember of each pod; empty for no pods
   * @param devices whether the devices and claims of dynamic resource allocation
   */
  public record WatchOptions(Optional<PodFieldSelection> pods, boolean devices) {}

  /**
   * Starts to watch, and returns at once. Where nothing says how to reach an API server nothing is
   * known, which is one warning and stops nothing.
   *
   * @param connection how to find and speak to it
   * @param options what to watch
   * @param node whose objects
   * @param staleAfter how long what is known stands while a watch is broken
   * @param monotonic monotonic clock
   */
  public static NodeObjects watch(
      ConnectionOptions connection,
      WatchOptions options,
      String node,
      Duration staleAfter,
      MonotonicClock monotonic) {
    KubernetesClient client;
    try {
      client =
          KubernetesConnection.ofThisProcess()
              .open("gpu-exporter", connection, RegisteredKinds.REGISTERED);
    } catch (ClusterNotConfigured | KubernetesClientException e) {
      log.warn(
          "no connection to the API server, its data is missing in the attribution: {}",
          e.getMessage());
      return unreachable(options, new WatchState.NotSynced(String.valueOf(e.getMessage())));
    }
    var pods =
        options.pods().map(view -> WatchedPods.start(client, node, view, staleAfter, monotonic));
    var devices =
        options.devices()
            ? Optional.of(WatchedSlices.start(client, node, staleAfter, monotonic))
            : Optional.<WatchedSlices>empty();
    var claims = devices.map(slices -> fetchedClaims(client, slices, monotonic));
    return new NodeObjects(
        pods.<NodePods>map(watched -> watched).orElseGet(NodePods::none),
        devices.<ResourceSliceDevices>map(watched -> watched).orElseGet(ResourceSliceDevices::none),
        claims.<ResourceClaims>map(fetched -> fetched).orElseGet(ResourceClaims::none),
        () -> {
          claims.ifPresent(ClaimFetcher::close);
          pods.ifPresent(WatchedPods::close);
          devices.ifPresent(WatchedSlices::close);
          client.close();
        });
  }

  private static NodeObjects unreachable(WatchOptions options, WatchState broken) {
    var noPods = new NodePods.KnownPods(broken, Map.of(), Set.of());
    var noDevices = new ResourceSliceDevices.KnownDevices(broken, Map.of());
    var noClaims = new ResourceClaims.KnownClaims(broken, Map.of());
    return new NodeObjects(
        options.pods().isPresent() ? () -> noPods : NodePods.none(),
        options.devices() ? () -> noDevices : ResourceSliceDevices.none(),
        options.devices() ? ResourceClaims.fixed(noClaims) : ResourceClaims.none(),
        () -> {});
  }

  /** A thread for each round: most days there is none. */
  private static ClaimFetcher fetchedClaims(
      KubernetesClient client, WatchedSlices slices, MonotonicClock monotonic) {
    return new ClaimFetcher(
        client,
        slices::apiVersion,
        task -> Thread.ofPlatform().daemon().name("resource-claims").start(task),
        monotonic);
  }

  /** The pods on this node. */
  public NodePods pods() {
    return pods;
  }

  /** The devices of dynamic resource allocation on this node. */
  public ResourceSliceDevices devices() {
    return devices;
  }

  /** The claims that pods on this node use. */
  public ResourceClaims claims() {
    return claims;
  }

  @Override
  public void close() {
    end.run();
  }
}
