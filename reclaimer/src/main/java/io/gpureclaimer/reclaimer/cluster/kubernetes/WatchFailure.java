package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Says why a list or a watch failed. What fails again in the same way is said in the same words:
 * the client's own message holds the resource version, which is another one in each request.
 */
final class WatchFailure {
  private WatchFailure() {}

  static String text(Throwable failure) {
    return Stream.iterate(failure, each -> each != null, Throwable::getCause)
        .filter(KubernetesClientException.class::isInstance)
        .map(KubernetesClientException.class::cast)
        .filter(refusal -> refusal.getCode() > 0)
        .findFirst()
        .map(WatchFailure::refusal)
        .orElseGet(() -> String.valueOf(failure.getMessage()));
  }

  private static String refusal(KubernetesClientException refusal) {
    return "the API server answered "
        + refusal.getCode()
        + Optional.ofNullable(refusal.getStatus())
            .map(Status::getMessage)
            .map(words -> ": " + words)
            .orElse("");
  }
}
