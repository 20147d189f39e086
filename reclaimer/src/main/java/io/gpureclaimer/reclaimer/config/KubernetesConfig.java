package io.gpureclaimer.reclaimer.config;

import io.gpureclaimer.core.kubernetes.ConnectionOptions;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The API server. Bound from {@code kubernetes.*}.
 *
 * @param kubeconfig this file; otherwise found as kubectl finds it, or the pod's service account
 * @param context this context of it
 * @param connectTimeout for opening a connection
 * @param requestTimeout for one request
 * @param heartbeat how often an open watch is checked
 * @param staleAfter how long a watch may be broken before nothing is believed of it
 */
@Context
@ConfigurationProperties("kubernetes")
public record KubernetesConfig(
    @Nullable Path kubeconfig,
    @Nullable String context,
    Duration connectTimeout,
    Duration requestTimeout,
    Duration heartbeat,
    Duration staleAfter) {

  public KubernetesConfig {
    new Property("kubernetes.connect-timeout", connectTimeout).mustBePositive();
    new Property("kubernetes.request-timeout", requestTimeout).mustBePositive();
    new Property("kubernetes.heartbeat", heartbeat).mustBePositive();
    new Property("kubernetes.stale-after", staleAfter).mustBePositive();
  }

  /** How to find and speak to it. */
  public ConnectionOptions connection() {
    return new ConnectionOptions(
        Optional.ofNullable(kubeconfig),
        Optional.ofNullable(context),
        connectTimeout,
        requestTimeout,
        heartbeat);
  }
}
