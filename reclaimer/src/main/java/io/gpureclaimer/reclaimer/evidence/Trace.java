package io.gpureclaimer.reclaimer.evidence;

import io.gpureclaimer.common.device.Entity;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * All that one look has told so far of one GPU in the hands of one pod. Confined to the thread of
 * its {@link Gathering}.
 */
final class Trace {
  private final Map<Mark, Instant> marks = new EnumMap<>(Mark.class);
  private boolean spoiled;
  private boolean neverActive;

  void merge(Mark mark, Instant instant) {
    marks.merge(mark, instant, mark::leastIdle);
  }

  /** Takes what is true of all of the pod's devices, where nothing is told of this one. */
  void sampledAtUnlessTold(Instant instant) {
    marks.putIfAbsent(Mark.SAMPLED_AT, instant);
  }

  /** One of the samples could not be true, so that none of the others is believed. */
  void spoil() {
    spoiled = true;
  }

  /** What its marks say of the time before is not known; that is no reason to wonder. */
  void knownSince(Instant since) {
    merge(Mark.OBSERVED_SINCE, since);
    Instant active = marks.get(Mark.LAST_ACTIVE);
    if (active != null && active.isBefore(since)) {
      marks.remove(Mark.LAST_ACTIVE);
      neverActive = true;
    }
  }

  /**
   * It has not worked since the observation began; that no last activity is told does not say so.
   */
  void neverActive() {
    neverActive = true;
  }

  /** A last activity at the very beginning of the observation stands for none. */
  void beganAtRest() {
    Instant active = marks.get(Mark.LAST_ACTIVE);
    if (active != null && active.equals(marks.get(Mark.OBSERVED_SINCE))) {
      marks.remove(Mark.LAST_ACTIVE);
      neverActive = true;
    }
  }

  boolean spoiled() {
    return spoiled;
  }

  /** Why these marks make no evidence; empty if they do. */
  Optional<String> flaw() {
    for (Mark needed : new Mark[] {Mark.OBSERVED_SINCE, Mark.OBSERVED_UNTIL, Mark.SAMPLED_AT}) {
      if (!marks.containsKey(needed)) {
        return Optional.of("no " + needed.text());
      }
    }
    if (at(Mark.OBSERVED_UNTIL).isBefore(at(Mark.OBSERVED_SINCE))) {
      return Optional.of(
          "observed_until "
              + at(Mark.OBSERVED_UNTIL)
              + " is before observed_since "
              + at(Mark.OBSERVED_SINCE));
    }
    return marks.containsKey(Mark.LAST_ACTIVE) || neverActive
        ? Optional.empty()
        : Optional.of("no last_active, and nothing says that it never worked");
  }

  /** Whether the last activity lies before the observation began, and so can tell nothing. */
  boolean activeBeforeObserved() {
    Instant active = marks.get(Mark.LAST_ACTIVE);
    return active != null && active.isBefore(at(Mark.OBSERVED_SINCE));
  }

  /** The evidence; only where there is no {@link #flaw}. */
  DeviceActivity device(Entity device, OptionalDouble utilization) {
    return new DeviceActivity(
        device,
        activeBeforeObserved()
            ? Optional.empty()
            : Optional.ofNullable(marks.get(Mark.LAST_ACTIVE)),
        at(Mark.OBSERVED_SINCE),
        at(Mark.OBSERVED_UNTIL),
        at(Mark.SAMPLED_AT),
        utilization);
  }

  private Instant at(Mark mark) {
    Instant instant = marks.get(mark);
    if (instant == null) {
      throw new IllegalStateException(mark + " was asked for before it was known to be there");
    }
    return instant;
  }
}
