package io.gpureclaimer.exporter.attribution.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.exporter.attribution.NodePods.WatchState;
import io.gpureclaimer.exporter.attribution.ResourceClaims;
import io.gpureclaimer.exporter.attribution.ResourceClaims.ClaimAllocation;
import io.gpureclaimer.exporter.attribution.ResourceSliceDevices;
import io.gpureclaimer.exporter.attribution.ResourceSliceDevices.PublishedDevice;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queries the API server by name for each claim that pods on this node use, once. They cannot be
 * selected by node, and a watch would send all claims of the cluster to every agent.
 *
 * <p>{@link #follow} is confined to the attribution job. Asking, on a thread of its own, ends with
 * the first failure, and is taken up again after growing pauses.
 */
final class ClaimFetcher implements ResourceClaims, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ClaimFetcher.class);

  private final KubernetesClient client;
  private final Supplier<Optional<String>> version;
  private final Executor thread;
  private final MonotonicClock monotonic;
  private final AtomicReference<ClaimCache> memory =
      new AtomicReference<>(ClaimCache.empty(new WatchState.Synced()));
  private final AtomicBoolean asking = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param client stays open when this is closed
   * @param version in which the server has claims; nothing is asked while it is empty
   * @param thread runs one task at a time
   * @param monotonic monotonic clock
   */
  ClaimFetcher(
      KubernetesClient client,
      Supplier<Optional<String>> version,
      Executor thread,
      MonotonicClock monotonic) {
    this.client = client;
    this.version = version;
    this.thread = thread;
    this.monotonic = monotonic;
  }

  @Override
  public KnownClaims now() {
    return memory.get().known();
  }

  @Override
  public void follow(Map<ClaimName, ClaimUse> claims) {
    var now = memory.updateAndGet(known -> known.of(claims));
    if (closed.get() || asking.get()) {
      return;
    }
    var due = now.due(claims, monotonic.nanos());
    if (!due.isEmpty()) {
      version.get().ifPresent(found -> begin(due, found));
    }
  }

  private void begin(Map<ClaimName, ClaimUse> due, String apiVersion) {
    asking.set(true);
    thread.execute(
        () -> {
          try {
            ask(due, apiVersion);
          } finally {
            asking.set(false);
          }
        });
  }

  private void ask(Map<ClaimName, ClaimUse> due, String apiVersion) {
    var kind = kind(apiVersion);
    for (var entry : due.entrySet()) {
      try {
        var allocation = ask(entry.getKey(), kind);
        answered(entry.getKey(), entry.getValue(), allocation);
      } catch (KubernetesClientException e) {
        failed(e);
        return;
      }
    }
  }

  private ClaimAllocation ask(ClaimName name, ResourceDefinitionContext kind) {
    return Optional.ofNullable(
            client
                .genericKubernetesResources(kind)
                .inNamespace(name.namespace())
                .withName(name.name())
                .get())
        .map(ClaimReading::of)
        .orElse(ClaimAllocation.NOTHING);
  }

  private void answered(ClaimName name, ClaimUse use, ClaimAllocation allocation) {
    long now = monotonic.nanos();
    var before = memory.getAndUpdate(known -> known.with(name, use, allocation, now));
    if (before.failures() > 0) {
      log.info("the API server returns resource claims again");
    }
  }

  private void failed(KubernetesClientException failure) {
    if (closed.get()) {
      return;
    }
    long now = monotonic.nanos();
    String reason = String.valueOf(failure.getMessage());
    var before = memory.getAndUpdate(known -> known.failed(reason, now));
    if (before.failures() == 0) {
      log.warn(
          "the API server does not return resource claims: {}; pods of new claims stay unknown",
          reason);
    }
  }

  /** What is being asked is not waited for. */
  @Override
  public void close() {
    closed.set(true);
  }

  private static ResourceDefinitionContext kind(String apiVersion) {
    return new ResourceDefinitionContext.Builder()
        .withGroup("resource.k8s.io")
        .withVersion(apiVersion)
        .withKind("ResourceClaim")
        .withPlural("resourceclaims")
        .withNamespaced(true)
        .build();
  }

  /** Reads the devices of the GPU driver from the status of a ResourceClaim. */
  static final class ClaimReading {
    private ClaimReading() {}

    /**
     * Reads what v1, v1beta2 and v1beta1 have alike: the scheduler writes to each device whether it
     * is for admin access, so that the request need not be found.
     */
    static ClaimAllocation of(GenericKubernetesResource claim) {
      var held = new HashSet<PublishedDevice>();
      var observed = new HashSet<PublishedDevice>();
      var status = map(claim.getAdditionalProperties().get("status"));
      var devices = map(map(status.get("allocation")).get("devices"));
      if (devices.get("results") instanceof List<?> results) {
        for (Object each : results) {
          var result = map(each);
          if (ResourceSliceDevices.DRIVER.equals(result.get("driver"))
              && result.get("pool") instanceof String pool
              && result.get("device") instanceof String device) {
            boolean admin = Boolean.TRUE.equals(result.get("adminAccess"));
            (admin ? observed : held).add(new PublishedDevice(pool, device));
          }
        }
      }
      return new ClaimAllocation(held, observed);
    }

    private static Map<?, ?> map(@Nullable Object object) {
      return object instanceof Map<?, ?> map ? map : Map.of();
    }
  }
}
