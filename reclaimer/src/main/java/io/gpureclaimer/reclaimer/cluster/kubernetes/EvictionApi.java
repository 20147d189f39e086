package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.gpureclaimer.reclaimer.cluster.PodView;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Asks for evictions in the version that the API server serves: {@code policy/v1}, and {@code
 * policy/v1beta1} before Kubernetes 1.22. Safe for use by several threads.
 *
 * <p>Which one it is says the server's own list of resources; it is only asked for it when the
 * server does not understand what it was sent.
 */
final class EvictionApi {
  private static final String NEWEST = "policy/v1";
  private static final Set<String> KNOWN = Set.of(NEWEST, "policy/v1beta1");

  private final ApiServer api;
  private final AtomicReference<String> version = new AtomicReference<>(NEWEST);

  EvictionApi(ApiServer api) {
    this.api = api;
  }

  Reply evict(String path, PodView pod, boolean rehearse) {
    String asked = version.get();
    Reply reply = api.post(path, EvictionRequest.of(pod, rehearse, asked));
    return isUnderstood(reply)
        ? reply
        : served()
            .filter(other -> !other.equals(asked))
            .map(other -> again(path, pod, rehearse, other))
            .orElse(reply);
  }

  /** Whether a refusal is one of this eviction, rather than of the way it was asked for. */
  boolean isUnderstood(Reply reply) {
    return reply.code() != Reply.BAD_REQUEST
        && !(reply.code() == Reply.NOT_FOUND && api.isUnknownPath(reply));
  }

  private Reply again(String path, PodView pod, boolean rehearse, String other) {
    version.set(other);
    return api.post(path, EvictionRequest.of(pod, rehearse, other));
  }

  private Optional<String> served() {
    Reply reply = api.get("/api/v1");
    return reply.ok()
        ? api.object(reply, APIResourceList.class).getResources().stream()
            .filter(resource -> "pods/eviction".equals(resource.getName()))
            .map(EvictionApi::version)
            .filter(KNOWN::contains)
            .findFirst()
        : Optional.empty();
  }

  private static String version(APIResource resource) {
    return resource.getGroup() + "/" + resource.getVersion();
  }
}
