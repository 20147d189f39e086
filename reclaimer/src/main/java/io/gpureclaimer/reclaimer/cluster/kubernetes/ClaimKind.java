package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.GroupVersionForDiscovery;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownClaim;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Starts to watch resource claims. Confined to the thread that resolves them. */
final class ClaimKind {
  /** Whatever its version. */
  static final ObjectKind ANY = new ObjectKind("resource.k8s.io", "ResourceClaim");

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
   * Starts to watch them in the newest version that the server has.
   *
   * @throws ClusterUnreachable if it has none, or does not say
   */
  ObjectWatch<KnownClaim> watch() {
    return ObjectWatch.start(client, context(version()), KnownClaim::of, staleAfter, monotonic);
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

  private static ResourceDefinitionContext context(String version) {
    return new ResourceDefinitionContext.Builder()
        .withGroup("resource.k8s.io")
        .withVersion(version)
        .withKind("ResourceClaim")
        .withPlural("resourceclaims")
        .withNamespaced(true)
        .build();
  }
}
