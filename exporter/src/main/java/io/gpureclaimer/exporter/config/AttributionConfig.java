package io.gpureclaimer.exporter.config;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Source of device allocations. Bound from {@code attribution.*}.
 *
 * @param podsFile a file with the allocations
 * @param kubelet whether to query the kubelet instead; without either no allocation is known
 * @param kubeletSocket path of the kubelet's pod-resources socket
 * @param refreshAfter pause between a response of the kubelet and the next query
 * @param deadline timeout of one query of the kubelet
 * @param staleAfter how long a response is used without a newer one; at least twice the sum of
 *     {@code refresh-after} and {@code deadline}
 * @param podUids whether to ask the API server for the uids of the pods that the kubelet names
 * @param podLabels whether to ask it for their labels
 * @param podLabelAllowList regular expressions (Go RE2): a pod label is served if its key matches
 *     one of them, also in part; empty: all labels
 * @param podLabelLimit how many labels of a pod are served at most
 * @param virtualGpus whether each share of a device has series of its own
 * @param dra whether to ask the API server for the devices of dynamic resource allocation
 * @param gpuIdType no effect: device ids of both types, {@code uid} and {@code device-name}, are
 *     recognized
 * @param resourceNames resources that count in addition to {@code nvidia.com/…}
 * @param hpcJobMappingDir where a batch scheduler writes which jobs run where
 * @param procFolder the kernel's folder of processes
 */
@Context
@ConfigurationProperties("attribution")
public record AttributionConfig(
    @Nullable Path podsFile,
    boolean kubelet,
    Path kubeletSocket,
    Duration refreshAfter,
    Duration deadline,
    Duration staleAfter,
    boolean podUids,
    boolean podLabels,
    @Nullable List<String> podLabelAllowList,
    int podLabelLimit,
    boolean virtualGpus,
    boolean dra,
    String gpuIdType,
    @Nullable List<String> resourceNames,
    @Nullable Path hpcJobMappingDir,
    Path procFolder) {
  private static final List<String> GPU_ID_TYPES = List.of("uid", "device-name");

  public AttributionConfig {
    podLabelAllowList = podLabelAllowList == null ? List.of() : List.copyOf(podLabelAllowList);
    resourceNames = resourceNames == null ? List.of() : List.copyOf(resourceNames);
    podLabelAllowList.forEach(AttributionConfig::compiled);
    if (podLabelLimit < 0) {
      throw new IllegalArgumentException(
          "attribution.pod-label-limit must not be negative, was " + podLabelLimit);
    }
    if (!GPU_ID_TYPES.contains(gpuIdType)) {
      throw new IllegalArgumentException(
          "attribution.gpu-id-type must be one of " + GPU_ID_TYPES + ", was " + gpuIdType);
    }
    if (podsFile != null && kubelet) {
      throw new IllegalArgumentException(
          "attribution.pods-file must not be set together with attribution.kubelet, was "
              + podsFile);
    }
    requirePositive("attribution.refresh-after", refreshAfter);
    requirePositive("attribution.deadline", deadline);
    // An answer counts from when it was asked for, and one may be missed.
    if (staleAfter.compareTo(refreshAfter.plus(deadline).multipliedBy(2)) < 0) {
      throw new IllegalArgumentException(
          "attribution.stale-after must be at least twice attribution.refresh-after and"
              + " attribution.deadline together, was "
              + staleAfter.toMillis()
              + "ms");
    }
  }

  /** What has to be found in a label's key for it to be served; all are if there is nothing. */
  public List<Pattern> allowedPodLabels() {
    return Objects.requireNonNull(podLabelAllowList).stream()
        .map(AttributionConfig::compiled)
        .toList();
  }

  /** Whether a resource counts. */
  public boolean counts(String resource) {
    return resource.startsWith(ResourceNames.PREFIX)
        || Objects.requireNonNull(resourceNames).contains(resource);
  }

  /** Whether the API server has to be asked for the pods. */
  public boolean asksForPods() {
    return podUids || podLabels;
  }

  private static Pattern compiled(String regex) {
    try {
      return Pattern.compile(regex);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "attribution.pod-label-allow-list must be regular expressions of Go (RE2), was "
              + regex
              + ": "
              + e.getMessage());
    }
  }

  private static void requirePositive(String property, Duration value) {
    if (!value.isPositive()) {
      throw new IllegalArgumentException(
          property + " must be positive, was " + value.toMillis() + "ms");
    }
  }
}
