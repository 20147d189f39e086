package io.gpureclaimer.exporter.attribution.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.gpureclaimer.common.kubernetes.ViewStore;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.exporter.attribution.ResourceSliceDevices;
import io.gpureclaimer.exporter.attribution.ResourceSliceDevices.DeviceDescription;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the ResourceSlices of one node, in the newest version of the API that the server has.
 * {@link #now} is confined to the attribution job; {@link #close} may come from another thread.
 */
public final class WatchedSlices implements ResourceSliceDevices, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WatchedSlices.class);
  private static final List<String> VERSIONS = List.of("v1", "v1beta2", "v1beta1");

  private final KubernetesClient client;
  private final String node;
  private final Duration staleAfter;
  private final MonotonicClock monotonic;

  /** Guarded by this, as what follows: the thread that stops the program must find the last. */
  private NodeWatch<GenericKubernetesResource, Slice> watch;

  private int version;
  private boolean loggedThatNoneIsLeft;
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
      logIfNoneIsLeft();
      watch = open(VERSIONS.get(version));
    }
    var seen = watch.now();
    return new KnownDevices(seen.watch(), devices(seen.views()));
  }

  /** In which version the server has this group of its API; empty while it has not answered. */
  synchronized Optional<String> apiVersion() {
    return watch.wasWhole() ? Optional.of(VERSIONS.get(version)) : Optional.empty();
  }

  /** The group may still come: a cluster can be configured to offer it at any time. */
  private void logIfNoneIsLeft() {
    if (version == 0 && !loggedThatNoneIsLeft) {
      loggedThatNoneIsLeft = true;
      log.warn(
          "the API server serves no ResourceSlices in the versions {}; pods by claim stay unknown",
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
        "pods by claim stay unknown",
        new ViewStore<>(GenericKubernetesResource::new, Slice::of),
        client
            .genericKubernetesResources(slices)
            .withField("spec.nodeName", node)
            .runnableInformer(0),
        staleAfter,
        monotonic);
  }

  /** A pool counts with its newest generation only. */
  private static Map<PublishedDevice, DeviceDescription> devices(Collection<Slice> slices) {
    var newest = new HashMap<String, Long>();
    slices.forEach(slice -> newest.merge(slice.pool(), slice.generation(), Math::max));
    var devices = new HashMap<PublishedDevice, DeviceDescription>();
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

  /**
   * Devices of a ResourceSlice: all devices of one pool, or a part of them.
   *
   * @param pool the driver's name of it
   * @param generation of the pool; slices of an older one no longer count
   * @param devices by what the driver calls them
   */
  record Slice(String pool, long generation, Map<String, DeviceDescription> devices) {
    Slice {
      devices = Map.copyOf(devices);
    }

    /** Reads what all versions of the API have; empty for a slice of another driver. */
    static Optional<Slice> of(GenericKubernetesResource object) {
      if (!(object.getAdditionalProperties().get("spec") instanceof Map<?, ?> spec)
          || !ResourceSliceDevices.DRIVER.equals(spec.get("driver"))
          || !(spec.get("pool") instanceof Map<?, ?> pool)
          || !(pool.get("name") instanceof String name)
          || !(pool.get("generation") instanceof Number generation)
          || !(spec.get("devices") instanceof List<?> list)) {
        return Optional.empty();
      }
      var devices = new HashMap<String, DeviceDescription>();
      for (Object device : list) {
        if (device instanceof Map<?, ?> map && map.get("name") instanceof String called) {
          description(map).ifPresent(description -> devices.put(called, description));
        }
      }
      return Optional.of(new Slice(name, generation.longValue(), devices));
    }

    /** v1beta1 has a device's attributes one level deeper. */
    private static Optional<DeviceDescription> description(Map<?, ?> device) {
      Map<?, ?> holder = device.get("basic") instanceof Map<?, ?> basic ? basic : device;
      return holder.get("attributes") instanceof Map<?, ?> attributes
          ? text(attributes, "uuid")
              .map(uuid -> new DeviceDescription(uuid, text(attributes, "profile").orElse(null)))
          : Optional.empty();
    }

    /** A name without a domain is the driver's own, and may be written with it as well. */
    private static Optional<String> text(Map<?, ?> attributes, String name) {
      @Nullable Object value = attributes.get(name);
      if (value == null) {
        value = attributes.get(ResourceSliceDevices.DRIVER + "/" + name);
      }
      return value instanceof Map<?, ?> typed && typed.get("string") instanceof String text
          ? Optional.of(text)
          : Optional.empty();
    }
  }
}
