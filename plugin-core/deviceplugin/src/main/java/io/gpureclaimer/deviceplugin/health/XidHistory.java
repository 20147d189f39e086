package io.gpureclaimer.deviceplugin.health;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The XIDs of one GPU since the program started.
 *
 * @param totals how many of each code
 * @param recent how many of each code in the window that ends now
 * @param lastXid the newest; null if there was none
 */
public record XidHistory(
    Map<Integer, Long> totals, Map<Integer, Long> recent, @Nullable Last lastXid) {
  /** There was none. */
  public static final XidHistory NONE = new XidHistory(Map.of(), Map.of(), null);

  public XidHistory {
    totals = Map.copyOf(totals);
    recent = Map.copyOf(recent);
  }

  /** Which it was, and when we heard of it. */
  public record Last(int code, Instant at) {}

  /** The newest. */
  public Optional<Last> last() {
    return Optional.ofNullable(lastXid);
  }

  /** How many, of whatever code. */
  public long total() {
    return totals.values().stream().mapToLong(Long::longValue).sum();
  }
}
