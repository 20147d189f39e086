package io.gpureclaimer.reclaimer.evidence;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Activity of all GPUs of one pod, from one observation. Three values, and only one leads anywhere.
 */
public sealed interface Evidence {

  /**
   * At least one of its GPUs works.
   *
   * @param lastActive the newest instant of activity, by the node's clock; where the raw
   *     utilization says so, the newest observation, which it may precede by two minutes
   * @param sign what says so
   */
  record Active(Instant lastActive, EvidenceSign sign) implements Evidence {}

  /**
   * None of its GPUs worked, and every one of them was watched all the while.
   *
   * @param idleSince when the last of its GPUs became idle, by the node's clock, or what came after
   *     it
   * @param idleFor how long it has been idle at least since then
   * @param startedAfter for people, what its idle time began after, where that was not the work of
   *     its GPUs: {@code cpu said work}
   */
  record Idle(Instant idleSince, Duration idleFor, Optional<String> startedAfter)
      implements Evidence {
    public Idle(Instant idleSince, Duration idleFor) {
      this(idleSince, idleFor, Optional.empty());
    }
  }

  /**
   * Its activity is unknown. Nothing may follow from it.
   *
   * @param cause for machines
   * @param reason for people: what was expected and what was found
   */
  record Unknown(UnknownCause cause, String reason) implements Evidence {}

  /** Sign of activity. */
  enum EvidenceSign {
    /** The agent's record of when the GPU was last active. */
    RECORD,
    /** The raw utilization of the last two minutes. */
    UTILIZATION
  }

  /** Cause of unknown activity. */
  enum UnknownCause {
    /** The source did not answer, or not completely. */
    BLIND("blind"),
    /** No agent reports on the pod. */
    NOT_SEEN("not-seen"),
    /** Not exactly the requested number of GPUs is observed. */
    GPU_COUNT("gpu-count"),
    /** The newest sample is too old. */
    STALE("stale"),
    /** Clocks disagree, or the agent stopped observing. */
    CLOCK_SKEW("clock-skew"),
    /** The record contradicts itself. */
    IMPOSSIBLE("impossible"),
    /** A second look needs the record and the raw utilization, and has only one of them. */
    ONE_SIGNAL("one-signal");

    private final String code;

    UnknownCause(String code) {
      this.code = code;
    }

    /** The stable name, for metrics and JSON. */
    public String code() {
      return code;
    }
  }
}
