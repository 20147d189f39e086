package io.gpureclaimer.exporter.config;

import io.gpureclaimer.common.kubernetes.ConnectionOptions;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The API server, queried only for what the kubelet does not report. Bound from {@code
 * kubernetes.*}.
 *
 * @param kubeconfig this file; otherwise found as kubectl finds it, or the pod's service account
 * @param connectTimeout for opening a connection
 * @param requestTimeout for one request
 * @param heartbeat how often an open watch is checked
 * @param staleAfter how long the last known state is used while a watch is broken
 */
@Context
@ConfigurationProperties("kubernetes")
public record KubernetesConfig(
    @Nullable Path kubeconfig,
    Duration connectTimeout,
    Duration requestTimeout,
    Duration heartbeat,
    Duration staleAfter) {
  public KubernetesConfig {
    requirePositive("kubernetes.connect-timeout", connectTimeout);
    requirePositive("kubernetes.request-timeout", requestTimeout);
    requirePositive("kubernetes.heartbeat", heartbeat);
    requirePositive("kubernetes.stale-after", staleAfter);
  }

  /** How to find and speak to it. */
  public ConnectionOptions connection() {
    return new ConnectionOptions(
        Optional.ofNullable(kubeconfig),
        Optional.empty(),
        connectTimeout,
        requestTimeout,
        heartbeat);
  }

  private static void requirePositive(String property, Duration value) {
    if (!value.isPositive()) {
      throw new IllegalArgumentException(
          property + " must be positive, was " + value.toMillis() + "ms");
    }
  }
}
