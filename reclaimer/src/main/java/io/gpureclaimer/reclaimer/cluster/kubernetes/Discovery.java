package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable.ObjectUnreadable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds out under which name the API server serves a kind. One call for each group and version, and
 * another one only for those that have not answered. Safe for use by several threads.
 */
final class Discovery {
  private final ApiServer api;
  private final Map<String, List<APIResource>> known = new ConcurrentHashMap<>();

  Discovery(ApiServer api) {
    this.api = api;
  }

  /**
   * Where the kind is to be found.
   *
   * @throws ClusterUnreachable if the server does not say, or does not have such a kind
   */
  ResourceDefinitionContext find(ObjectKind kind) {
    return in(resources(kind), kind)
        .orElseThrow(() -> new ObjectUnreadable("find " + kind, "there is no such kind"));
  }

  /**
   * Where a kind that not every cluster has is to be found; empty if the server has no such kind.
   *
   * @throws ClusterUnreachable if the server does not say
   */
  Optional<ResourceDefinitionContext> findOptional(ObjectKind kind) {
    ApiReply reply = api.get(kind.discoveryPath());
    return reply.code() == ApiReply.NOT_FOUND
        ? Optional.empty()
        : in(kinds(kind.discoveryPath(), reply), kind);
  }

  private static Optional<ResourceDefinitionContext> in(List<APIResource> all, ObjectKind kind) {
    return all.stream()
        .filter(resource -> kind.name().equals(resource.getKind()))
        .filter(resource -> resource.getName().indexOf('/') < 0)
        .findFirst()
        .map(resource -> context(kind, resource));
  }

  /** A group and version that was read may get more kinds later, so a miss asks again. */
  private List<APIResource> resources(ObjectKind kind) {
    String path = kind.discoveryPath();
    return Optional.ofNullable(known.get(path))
        .filter(all -> all.stream().anyMatch(each -> kind.name().equals(each.getKind())))
        .orElseGet(() -> ask(path));
  }

  private List<APIResource> ask(String path) {
    List<APIResource> answer = kinds(path, api.get(path));
    known.put(path, answer);
    return answer;
  }

  private List<APIResource> kinds(String path, ApiReply reply) {
    if (!reply.ok()) {
      throw new ObjectUnreadable(
          "get " + path, "expected its kinds, got " + reply.code() + ": " + api.message(reply));
    }
    return List.copyOf(api.object(reply, APIResourceList.class).getResources());
  }

  private static ResourceDefinitionContext context(ObjectKind kind, APIResource resource) {
    return new ResourceDefinitionContext.Builder()
        .withGroup(kind.group())
        .withVersion(kind.version())
        .withKind(kind.name())
        .withPlural(resource.getName())
        .withNamespaced(Boolean.TRUE.equals(resource.getNamespaced()))
        .build();
  }
}
