package io.gpureclaimer.reclaimer.evidence;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Recorded activity of one GPU or MIG instance for one pod.
 *
 * <p>The first three instants are of one clock, the node's or the source's, so that durations
 * between them are true whatever other clocks say; {@code sampledAt} is of the source's clock.
 *
 * @param device the GPU or the instance
 * @param lastActive when it was last seen working for this pod; absent if never since {@code
 *     observedSince}
 * @param observedSince start of the unbroken observation
 * @param observedUntil the newest observation
 * @param sampledAt when the source took these values from the agent
 * @param recentUtilization highest raw utilization of the last two minutes in percent; only a
 *     second look asks for it
 */
public record DeviceActivity(
    Entity device,
    Optional<Instant> lastActive,
    Instant observedSince,
    Instant observedUntil,
    Instant sampledAt,
    OptionalDouble recentUtilization) {

  /** The same of a whole GPU. */
  public DeviceActivity(
      GpuUuid gpu,
      Optional<Instant> lastActive,
      Instant observedSince,
      Instant observedUntil,
      Instant sampledAt,
      OptionalDouble recentUtilization) {
    this(Entity.whole(gpu), lastActive, observedSince, observedUntil, sampledAt, recentUtilization);
  }

  /** The same, believed from an instant on only: what lies before may be another pod's. */
  DeviceActivity notBefore(Instant start) {
    Instant since = observedSince.isBefore(start) ? start : observedSince;
    return new DeviceActivity(
        device,
        lastActive.filter(last -> !last.isBefore(since)),
        since,
        observedUntil,
        sampledAt,
        recentUtilization);
  }

  /** Timestamps that a source reports of one device of one pod. */
  public enum TimestampKind {
    LAST_ACTIVE("last_active", true),
    OBSERVED_SINCE("observed_since", true),
    OBSERVED_UNTIL("observed_until", false),
    SAMPLED_AT("time of the scrape", false);

    private final String text;
    private final boolean laterIsLessIdle;

    TimestampKind(String text, boolean laterIsLessIdle) {
      this.text = text;
      this.laterIsLessIdle = laterIsLessIdle;
    }

    /** The name in a message. */
    public String text() {
      return text;
    }

    /** Of two values, the one that makes the device look less idle. */
    public Instant leastIdle(Instant one, Instant other) {
      return one.isAfter(other) == laterIsLessIdle ? one : other;
    }
  }

  /** Builder from the samples of one fetch, in any order. Confined to one thread. */
  static final class Builder {
    private static final List<TimestampKind> NEEDED =
        List.of(
            TimestampKind.OBSERVED_SINCE, TimestampKind.OBSERVED_UNTIL, TimestampKind.SAMPLED_AT);

    private final Map<TimestampKind, Instant> timestamps = new EnumMap<>(TimestampKind.class);
    private Duration lag = Duration.ZERO;
    private boolean rejected;
    private boolean neverActive;

    void merge(TimestampKind kind, Instant instant) {
      timestamps.merge(kind, instant, kind::leastIdle);
    }

    Optional<Instant> timestamp(TimestampKind kind) {
      return Optional.ofNullable(timestamps.get(kind));
    }

    /** Whether it was active a moment before its last observation. */
    boolean wasJustActive() {
      return lastActive()
          .flatMap(
              active ->
                  timestamp(TimestampKind.OBSERVED_UNTIL)
                      .map(until -> Duration.between(active, until)))
          .filter(ago -> ago.compareTo(EvidenceRule.ACTIVE_WITHIN) <= 0)
          .isPresent();
    }

    /** Sets the scrape time of the pod, unless the device has one of its own. */
    void sampledAtIfAbsent(Instant instant) {
      timestamps.putIfAbsent(TimestampKind.SAMPLED_AT, instant);
    }

    /** Takes what is known for so much older; the longest lag counts. */
    void lag(Duration length) {
      lag = length.compareTo(lag) > 0 ? length : lag;
    }

    /** Rejects the device: one of its samples cannot be true, so none of them is believed. */
    void reject() {
      rejected = true;
    }

    boolean isRejected() {
      return rejected;
    }

    /** Discards what the timestamps say about the time before. */
    void knownSince(Instant since) {
      merge(TimestampKind.OBSERVED_SINCE, since);
      dropLastActiveIf(lastActive().filter(last -> last.isBefore(since)).isPresent());
    }

    /** Marks the device as idle since its observation began; a missing timestamp does not. */
    void neverActive() {
      neverActive = true;
    }

    /** Takes a last activity at the very start of the observation for none. */
    void idleFromStart() {
      dropLastActiveIf(
          lastActive()
              .filter(last -> last.equals(timestamps.get(TimestampKind.OBSERVED_SINCE)))
              .isPresent());
    }

    private void dropLastActiveIf(boolean condition) {
      if (condition) {
        timestamps.remove(TimestampKind.LAST_ACTIVE);
        neverActive = true;
      }
    }

    /** The reason why the samples are no evidence; empty if they are. */
    Optional<String> flaw() {
      for (TimestampKind needed : NEEDED) {
        if (!timestamps.containsKey(needed)) {
          return Optional.of("no " + needed.text());
        }
      }
      Instant since = at(TimestampKind.OBSERVED_SINCE);
      Instant until = at(TimestampKind.OBSERVED_UNTIL).minus(lag);
      if (until.isBefore(since)) {
        return Optional.of("observed_until " + until + " is before observed_since " + since);
      }
      return lastActive().isPresent() || neverActive
          ? Optional.empty()
          : Optional.of("no last_active, and nothing says that it never worked");
    }

    /** Whether the last activity lies before the observation began, and so is worth nothing. */
    boolean activeBeforeObserved() {
      return lastActive()
          .filter(last -> last.isBefore(at(TimestampKind.OBSERVED_SINCE)))
          .isPresent();
    }

    /** The activity; only without a {@link #flaw}. */
    DeviceActivity build(Entity device, OptionalDouble utilization) {
      return new DeviceActivity(
          device,
          activeBeforeObserved() ? Optional.empty() : lastActive(),
          at(TimestampKind.OBSERVED_SINCE),
          at(TimestampKind.OBSERVED_UNTIL).minus(lag),
          at(TimestampKind.SAMPLED_AT).minus(lag),
          utilization);
    }

    private Optional<Instant> lastActive() {
      return Optional.ofNullable(timestamps.get(TimestampKind.LAST_ACTIVE));
    }

    private Instant at(TimestampKind kind) {
      return Objects.requireNonNull(timestamps.get(kind), kind::text);
    }
  }
}
