package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.PodView;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Eviction requests in the version that the API server serves: {@code policy/v1}, or {@code
 * policy/v1beta1} before Kubernetes 1.22. Safe for use by several threads.
 *
 * <p>The version is in the server's list of resources, which is read only when the server does not
 * understand a request.
 */
final class EvictionApi {
  private static final String NEWEST = "policy/v1";
  private static final Set<String> KNOWN = Set.of(NEWEST, "policy/v1beta1");

  private final ApiServer api;
  private final AtomicReference<String> version = new AtomicReference<>(NEWEST);

  EvictionApi(ApiServer api) {
    this.api = api;
  }

  ActionResult evict(String path, PodView pod, boolean dryRun) {
    return result(reply(path, pod, dryRun), dryRun);
  }

  private ActionResult result(ApiReply reply, boolean dryRun) {
    if (reply.ok()) {
      return dryRun ? new ActionResult.DryRun() : new ActionResult.Done();
    }
    String message = api.message(reply);
    return switch (reply.code()) {
      case ApiReply.NOT_FOUND ->
          isUnderstood(reply)
              ? ActionResult.podGone()
              : ActionResult.refused(reply.code(), message);
      case ApiReply.CONFLICT -> ActionResult.podChanged(message);
      case ApiReply.TOO_MANY_REQUESTS -> new ActionResult.Blocked(reply.pause(), message);
      default -> ActionResult.refused(reply.code(), message);
    };
  }

  private ApiReply reply(String path, PodView pod, boolean dryRun) {
    String asked = version.get();
    ApiReply reply = api.post(path, PodRequests.eviction(pod, dryRun, asked));
    return isUnderstood(reply)
        ? reply
        : served()
            .filter(other -> !other.equals(asked))
            .map(other -> again(path, pod, dryRun, other))
            .orElse(reply);
  }

  /** Whether a refusal is about this eviction, rather than about the form of the request. */
  private boolean isUnderstood(ApiReply reply) {
    return reply.code() != ApiReply.BAD_REQUEST
        && !(reply.code() == ApiReply.NOT_FOUND && api.isUnknownPath(reply));
  }

  private ApiReply again(String path, PodView pod, boolean dryRun, String other) {
    version.set(other);
    return api.post(path, PodRequests.eviction(pod, dryRun, other));
  }

  private Optional<String> served() {
    ApiReply reply = api.get("/api/v1");
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
