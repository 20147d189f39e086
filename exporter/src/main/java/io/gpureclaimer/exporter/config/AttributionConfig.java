package io.gpureclaimer.exporter.config;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where to learn who holds which device. Bound from {@code attribution.*}.
 *
 * @param podsFile a file that says so
 * @param kubelet whether to ask the kubelet instead; nobody is known to hold anything without
 *     either
 * @param kubeletSocket where it listens
 * @param refreshAfter pause between its answer and the next question
 * @param deadline how long it may take to answer
 * @param staleAfter how long its answer stands without a newer one; at least twice as long as the
 *     pause and the deadline together
 * @param podUids whether to ask the API server for the uids of the pods that the kubelet names
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
    boolean podUids) {
  public AttributionConfig {
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

  private static void requirePositive(String property, Duration value) {
    if (!value.isPositive()) {
      throw new IllegalArgumentException(
          property + " must be positive, was " + value.toMillis() + "ms");
    }
  }
}
