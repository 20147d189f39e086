package io.gpureclaimer.exporter.attribution.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.gpureclaimer.common.kubernetes.ViewStore;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.exporter.attribution.DeviceRegister;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the ResourceSlices of one node, in the newest version of the API that the server has.
 * {@link #now} is confined to the attribution job; {@link #close} may come from another thread.
 */
public final class WatchedSlices implements DeviceRegister, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WatchedSlices.class);
  private static final List<String> VERSIONS = List.of("v1", "v1beta2", "v1beta1");

  private final KubernetesClient client;
  private final String node;
  private final Duration staleAfter;
  private final MonotonicClock monotonic;

  /** Guarded by this, as what follows: the thread that stops the program must find the last. */
  private NodeWatch<GenericKubernetesResource, Slice> watch;

  private int version;
  private boolean toldThatNoneIsLeft;
  private boolean closed;

  private WatchedSlices(
      KubernetesClient client, String node, Duration staleAfter, MonotonicClock monotonic) {
    this.client = client;
    this.node = node;
    this.staleAfter = staleAfter;
    this.monotonic = monotonic;
    this.watch = open(VERSIONS.getFirst());
  }

  /**
   * Starts to list and watch, and returns at once.
   *
   * @param client stays open when this is closed
   * @param node whose slices
   * @param staleAfter how long what is known stands while the watch is broken
   * @param monotonic monotonic clock
   */
  public static WatchedSlices start(
      KubernetesClient client, String node, Duration staleAfter, MonotonicClock monotonic) {
    return new WatchedSlices(client, node, staleAfter, monotonic);
  }

  @Override
  public synchronized KnownDevices now() {
    if (watch.isUnheardOf() && !closed) {
      watch.close();
      version = (version + 1) % VERSIONS.size();
      tellIfNoneIsLeft();
      watch = open(VERSIONS.get(version));
    }
    var seen = watch.now();
    return new KnownDevices(seen.watch(), devices(seen.views()));
  }

  /** In which version the server has this group of its API; empty while it has not told. */
  synchronized Optional<String> apiVersion() {
    return watch.wasWhole() ? Optional.of(VERSIONS.get(version)) : Optional.empty();
  }

  /** The group may still come: a cluster can be told to offer it at any time. */
  private void tellIfNoneIsLeft() {
    if (version == 0 && !toldThatNoneIsLeft) {
      toldThatNoneIsLeft = true;
      log.warn(
          "the API server has no resource slices, in none of the versions {}: holders by claim"
              + " stay unknown",
          VERSIONS);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    watch.close();
  }

  private NodeWatch<GenericKubernetesResource, Slice> open(String apiVersion) {
    var slices =
        new ResourceDefinitionContext.Builder()
            .withGroup("resource.k8s.io")
            .withVersion(apiVersion)
            .withKind("ResourceSlice")
            .withPlural("resourceslices")
            .withNamespaced(false)
            .build();
    return new NodeWatch<>(
        "the resource slices of this node",
        "holders by claim stay unknown",
        new ViewStore<>(GenericKubernetesResource::new, Slice::of),
        client
            .genericKubernetesResources(slices)
            .withField("spec.nodeName", node)
            .runnableInformer(0),
        staleAfter,
        monotonic);
  }

  /** A pool counts with its newest generation only. */
  private static Map<PublishedDevice, Description> devices(Collection<Slice> slices) {
    var newest = new HashMap<String, Long>();
    slices.forEach(slice -> newest.merge(slice.pool(), slice.generation(), Math::max));
    var devices = new HashMap<PublishedDevice, Description>();
    for (Slice slice : slices) {
      if (Objects.equals(newest.get(slice.pool()), slice.generation())) {
        slice
            .devices()
            .forEach(
                (name, device) -> devices.put(new PublishedDevice(slice.pool(), name), device));
      }
    }
    return devices;
  }
}
