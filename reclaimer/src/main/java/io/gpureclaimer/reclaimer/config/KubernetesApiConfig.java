package io.gpureclaimer.reclaimer.config;

import io.gpureclaimer.common.kubernetes.ConnectionOptions;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KubernetesCluster.WatchTerms;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.AcceleratorNames;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The API server. Bound from {@code kubernetes.*}.
 *
 * @param kubeconfig this file; otherwise found as kubectl finds it, or the pod's service account
 * @param context this context of it
 * @param connectTimeout for opening a connection
 * @param requestTimeout for one request
 * @param heartbeat how often an open watch is checked
 * @param staleAfter how long a watch may be broken before its data counts as unknown
 * @param gpuResources the names under which the cluster offers whole GPUs
 * @param untouchableNamespaces namespaces whose pods are never warned or reclaimed, in addition to
 *     system namespaces and that of the reclaimer
 */
@Context
@ConfigurationProperties("kubernetes")
public record KubernetesApiConfig(
    @Nullable Path kubeconfig,
    @Nullable String context,
    Duration connectTimeout,
    Duration requestTimeout,
    Duration heartbeat,
    Duration staleAfter,
    List<String> gpuResources,
    List<String> untouchableNamespaces) {

  public KubernetesApiConfig {
    new Property("kubernetes.connect-timeout", connectTimeout).mustBePositive();
    new Property("kubernetes.request-timeout", requestTimeout).mustBePositive();
    new Property("kubernetes.heartbeat", heartbeat).mustBePositive();
    new Property("kubernetes.stale-after", staleAfter).mustBePositive();
    gpuResources = List.copyOf(gpuResources);
    untouchableNamespaces = List.copyOf(untouchableNamespaces);
    if (gpuResources.isEmpty()) {
      throw new IllegalArgumentException("kubernetes.gpu-resources must name at least one");
    }
    names("kubernetes.gpu-resources", gpuResources);
  }

  /**
   * What to look for.
   *
   * @param ownNamespace where we run, if we run in the cluster
   * @param ownerFields the fields to read of owners, by kind and group
   * @param teamLabel the label of pods and namespaces whose value is their team
   * @param announcements whether to read what autoscalers announce for pending pods
   */
  public WatchTerms terms(
      Optional<String> ownNamespace,
      Map<String, Set<String>> ownerFields,
      Optional<String> teamLabel,
      boolean announcements) {
    return new WatchTerms(
        staleAfter,
        names("kubernetes.gpu-resources", gpuResources),
        Stream.concat(untouchableNamespaces.stream(), ownNamespace.stream())
            .collect(Collectors.toUnmodifiableSet()),
        ownerFields,
        teamLabel,
        announcements);
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

  private static AcceleratorNames names(String property, List<String> values) {
    try {
      return new AcceleratorNames(Set.copyOf(values));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(property + ": " + e.getMessage(), e);
    }
  }
}
