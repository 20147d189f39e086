package io.gpureclaimer.reclaimer.cluster;

import java.time.Duration;
import java.util.Optional;

/** How an attempt to evict a pod ended. */
public sealed interface Eviction {

  /** The API server accepted; the pod terminates in its own time. */
  record Accepted() implements Eviction {}

  /** A disruption budget has no room; try again later, at the earliest after {@code retryAfter}. */
  record Blocked(Optional<Duration> retryAfter, String message) implements Eviction {}

  /** The pod is gone already. */
  record Gone() implements Eviction {}

  /** The pod is another one, or changed since it was looked at. */
  record Changed(String message) implements Eviction {}

  /** The API server refuses for another reason. */
  record Refused(int code, String message) implements Eviction {}
}
