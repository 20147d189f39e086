package io.gpureclaimer.reclaimer.cluster.kubernetes.lease;

import java.time.Duration;
import java.util.Optional;

/**
 * Where this replica stands in the campaign.
 *
 * @param holder who holds the lease, or empty
 * @param renewedNanos our monotonic time from which our own tenure counts; absent if the holder is
 *     somebody else
 */
record Standing(String holder, Optional<Long> renewedNanos) {
  static final Standing UNKNOWN = new Standing("", Optional.empty());

  static Standing follower(String holder) {
    return new Standing(holder, Optional.empty());
  }

  static Standing leader(String identity, long renewedNanos) {
    return new Standing(identity, Optional.of(renewedNanos));
  }

  boolean isHeld(long nowNanos, Duration deadline) {
    return renewedNanos.filter(renewed -> nowNanos - renewed < deadline.toNanos()).isPresent();
  }
}
