package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GroupVersionForDiscovery;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.gpureclaimer.common.kubernetes.ViewStore;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownClaim;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownSlice;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Starts to watch resource claims, or the slices that list what claims can allocate. Confined to
 * the thread that resolves them.
 */
final class ClaimKind {
  /** Claims in whatever version. */
  static final ObjectKind CLAIMS = new ObjectKind("resource.k8s.io", "ResourceClaim");

  /** Slices in whatever version. */
  static final ObjectKind SLICES = new ObjectKind("resource.k8s.io", "ResourceSlice");

  private static final String GROUP_PATH = "/apis/resource.k8s.io";

  /** Those whose objects look alike as far as they are read, the newest first. */
  private static final List<String> VERSIONS = List.of("v1", "v1beta2", "v1beta1");

  private final KubernetesClient client;
  private final ApiServer api;
  private final Duration staleAfter;
  private final MonotonicClock monotonic;

  ClaimKind(KubernetesClient client, ApiServer api, Duration staleAfter, MonotonicClock monotonic) {
    this.client = client;
    this.api = api;
    this.staleAfter = staleAfter;
    this.monotonic = monotonic;
  }

  /**
   * Starts to watch claims in the newest version that the server has.
   *
   * @throws ClusterUnreachable if it has none, or does not say
   */
  ObjectWatch<KnownClaim> watchClaims() {
    var context = context(CLAIMS, "resourceclaims", true);
    return ObjectWatch.start(client, context, KnownClaim::of, staleAfter, monotonic);
  }

  /**
   * The same with the slices of NVIDIA's driver.
   *
   * @throws ClusterUnreachable likewise
   */
  ObjectWatch<KnownSlice> watchSlices() {
    var context = context(SLICES, "resourceslices", false);
    return ObjectWatch.start(
        context.getPlural(),
        client.genericKubernetesResources(context).withField("spec.driver", KnownClaim.GPUS),
        new ViewStore<>(GenericKubernetesResource::new, KnownSlice::of),
        staleAfter,
        monotonic);
  }

  private String version() {
    ApiReply reply = api.get(GROUP_PATH);
    if (!reply.ok()) {
      throw new ClusterUnreachable(
          "get " + GROUP_PATH,
          "expected its versions, got " + reply.code() + ": " + api.message(reply));
    }
    Set<String> served =
        api.object(reply, APIGroup.class).getVersions().stream()
            .map(GroupVersionForDiscovery::getVersion)
            .collect(Collectors.toUnmodifiableSet());
    return VERSIONS.stream()
        .filter(served::contains)
        .findFirst()
        .orElseThrow(
            () ->
                new ClusterUnreachable(
                    "get " + GROUP_PATH, "expected one of " + VERSIONS + ", got " + served));
  }

  private ResourceDefinitionContext context(ObjectKind kind, String plural, boolean namespaced) {
    return new ResourceDefinitionContext.Builder()
        .withGroup("resource.k8s.io")
        .withVersion(version())
        .withKind(kind.name())
        .withPlural(plural)
        .withNamespaced(namespaced)
        .build();
  }
}
