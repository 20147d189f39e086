package io.gpureclaimer.reclaimer.evidence;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

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
 * @param signal what its agent recorded of the signals of its board; absent if it does not
 */
public record DeviceActivity(
    Entity device,
    Optional<Instant> lastActive,
    Instant observedSince,
    Instant observedUntil,
    Instant sampledAt,
    OptionalDouble recentUtilization,
    Optional<AgentSignal> signal) {

  /** The same of an agent that records no signals. */
  public DeviceActivity(
      Entity device,
      Optional<Instant> lastActive,
      Instant observedSince,
      Instant observedUntil,
      Instant sampledAt,
      OptionalDouble recentUtilization) {
    this(
        device,
        lastActive,
        observedSince,
        observedUntil,
        sampledAt,
        recentUtilization,
        Optional.empty());
  }

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
        recentUtilization,
        signal.map(known -> known.notBefore(since)));
  }

  /**
   * What an agent recorded of the signals of a board.
   *
   * @param at when one of them was last above its limit or was not known, by the node's clock; the
   *     start of the observation if none was
   * @param kind which; absent if none was
   * @param watched those that the agent watches
   */
  public record AgentSignal(Instant at, Optional<SignalKind> kind, Set<SignalKind> watched) {
    public AgentSignal {
      watched = Set.copyOf(watched);
    }

    AgentSignal notBefore(Instant start) {
      return at.isBefore(start) ? new AgentSignal(start, Optional.empty(), watched) : this;
    }

    /** Of two records about one device, the later; of two kinds, both of which are watched. */
    AgentSignal leastIdle(AgentSignal other) {
      AgentSignal later =
          at.isAfter(other.at) || (at.equals(other.at) && kind.isPresent()) ? this : other;
      return new AgentSignal(
          later.at, later.kind, PodActivityAggregator.both(watched, other.watched));
    }
  }

  /** Timestamps that a source reports of one device of one pod. */
  public enum TimestampKind {
    LAST_ACTIVE("last_active", true),
    OBSERVED_SINCE("observed_since", true),
    LAST_SIGNAL("last_signal", true),
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
    private Optional<AgentSignal> signal = Optional.empty();

    void merge(TimestampKind kind, Instant instant) {
      timestamps.merge(kind, instant, kind::leastIdle);
    }

    void signal(AgentSignal recorded) {
      signal = signal.map(known -> known.leastIdle(recorded)).or(() -> Optional.of(recorded));
    }

    /** The signals that its agent watches. */
    Set<SignalKind> watched() {
      return signal.map(AgentSignal::watched).orElse(Set.of());
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
          utilization,
          signal.map(known -> known.notBefore(at(TimestampKind.OBSERVED_SINCE))));
    }

    private Optional<Instant> lastActive() {
      return Optional.ofNullable(timestamps.get(TimestampKind.LAST_ACTIVE));
    }

    private Instant at(TimestampKind kind) {
      return Objects.requireNonNull(timestamps.get(kind), kind::text);
    }
  }
}
