package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Remark;
import io.gpureclaimer.reclaimer.policy.PolicyKeys.PolicyKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * The policy without annotations, and the bounds of annotations.
 *
 * @param mode of a namespace without annotations: off or report, never more
 * @param idleAfter how long a workload of any class must have been idle; if absent, its class
 *     decides
 * @param minIdleAfter the shortest idle time that an annotation can ask for
 * @param maxIdleAfter the longest idle time that an annotation can ask for
 * @param warnBefore how long before the act the warning is given
 * @param minWarnBefore the shortest warning that an annotation can ask for
 * @param maxWarnBefore the longest warning that an annotation can ask for
 * @param classes how long workloads of each class must have been idle
 * @param startupGrace how long after its start the idle time of a workload begins
 * @param maxKeep how long an idle workload may be kept by its own annotation
 * @param vetoSettings what spares an idle workload
 * @param receivers whom an annotation may name to be notified; empty if they are not known
 * @param checkpoints which checkpoint hooks an annotation may name
 */
public record PolicyDefaults(
    Mode mode,
    Optional<Duration> idleAfter,
    Duration minIdleAfter,
    Duration maxIdleAfter,
    Duration warnBefore,
    Duration minWarnBefore,
    Duration maxWarnBefore,
    ClassLimits classes,
    Duration startupGrace,
    Duration maxKeep,
    VetoSettings vetoSettings,
    Optional<Set<String>> receivers,
    CheckpointTargets checkpoints) {

  public PolicyDefaults {
    receivers = receivers.map(Set::copyOf);
    if (mode.exceeds(Mode.REPORT)) {
      throw new IllegalArgumentException(
          "the default mode must be off or report, was " + mode.text());
    }
    requireAtMost("min-idle-after", minIdleAfter, "max-idle-after", maxIdleAfter);
    requireWithin("warn-before", minWarnBefore, warnBefore, maxWarnBefore);
    idleAfter.ifPresent(
        limit -> {
          requireWithin("idle-after", minIdleAfter, limit, maxIdleAfter);
          requireAtMost("warn-before", warnBefore, "idle-after", limit);
        });
    requireAtMost("max-warn-before", maxWarnBefore, "max-idle-after", maxIdleAfter);
  }

  /** Defaults where no checkpoint hook is allowed. */
  public PolicyDefaults(
      Mode mode,
      Optional<Duration> idleAfter,
      Duration minIdleAfter,
      Duration maxIdleAfter,
      Duration warnBefore,
      Duration minWarnBefore,
      Duration maxWarnBefore,
      ClassLimits classes,
      Duration startupGrace,
      Duration maxKeep,
      VetoSettings vetoSettings,
      Optional<Set<String>> receivers) {
    this(
        mode,
        idleAfter,
        minIdleAfter,
        maxIdleAfter,
        warnBefore,
        minWarnBefore,
        maxWarnBefore,
        classes,
        startupGrace,
        maxKeep,
        vetoSettings,
        receivers,
        CheckpointTargets.NONE);
  }

  /** The same defaults with these receivers. */
  public PolicyDefaults notifying(Set<String> names) {
    return with(Optional.of(names), checkpoints);
  }

  /** The same defaults with these checkpoint hooks. */
  public PolicyDefaults calling(CheckpointTargets allowed) {
    return with(receivers, allowed);
  }

  private PolicyDefaults with(Optional<Set<String>> names, CheckpointTargets allowed) {
    return new PolicyDefaults(
        mode,
        idleAfter,
        minIdleAfter,
        maxIdleAfter,
        warnBefore,
        minWarnBefore,
        maxWarnBefore,
        classes,
        startupGrace,
        maxKeep,
        vetoSettings,
        names,
        allowed);
  }

  private static void requireAtMost(String name, Duration value, String limit, Duration most) {
    if (value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          name
              + " must be at most "
              + limit
              + ", which is "
              + Durations.format(most)
              + ", was "
              + Durations.format(value));
    }
  }

  private static void requireWithin(String name, Duration min, Duration value, Duration max) {
    if (!min.isPositive() || min.compareTo(value) > 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          name
              + " must be positive and within "
              + Durations.format(min)
              + " (min-"
              + name
              + ") and "
              + Durations.format(max)
              + " (max-"
              + name
              + "), was "
              + Durations.format(value));
    }
  }

  /**
   * How long a workload must have been idle where no annotation says it, by what it is for.
   *
   * @param interactive a person works in it, with pauses
   * @param serving it waits for requests
   * @param batch it computes until it is done
   * @param elastic it grows and shrinks with its work
   * @param other what it is for is not known
   */
  public record ClassLimits(
      Duration interactive, Duration serving, Duration batch, Duration elastic, Duration other) {

    /** The limit of this class. */
    Duration of(WorkloadClass workloadClass) {
      return switch (workloadClass) {
        case INTERACTIVE -> interactive;
        case SERVING -> serving;
        case BATCH -> batch;
        case ELASTIC -> elastic;
        case OTHER -> other;
      };
    }
  }

  /**
   * What spares a workload whose GPUs are idle. Nothing else that says so does.
   *
   * @param signals that are measured
   * @param heartbeats that are written by the workload, always in the same order
   */
  public record VetoSettings(Set<Signal.SignalKind> signals, Set<ActivityAnnotation> heartbeats) {
    public VetoSettings {
      signals = Set.copyOf(signals);
      heartbeats =
          heartbeats.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(heartbeats));
    }

    /** Whether the remark is about an activity annotation that is not enabled. */
    boolean ignores(Remark remark) {
      return Arrays.stream(ActivityAnnotation.values())
          .filter(heartbeat -> !heartbeats.contains(heartbeat))
          .anyMatch(heartbeat -> heartbeat.key().name().equals(remark.key()));
    }

    /** An annotation by which a workload says when it last did something. */
    public enum ActivityAnnotation {
      /** Ours; the workload writes it, or who looks after it. */
      LAST_ACTIVITY("last-activity"),
      /** Kubeflow's, which asks a Notebook's kernels. */
      NOTEBOOK("notebook");

      private final String code;

      ActivityAnnotation(String code) {
        this.code = code;
      }

      /** The stable name, for configuration and JSON. */
      public String code() {
        return code;
      }

      /** Where it is written. */
      PolicyKey<Instant> key() {
        return switch (this) {
          case LAST_ACTIVITY -> PolicyKeys.LAST_ACTIVITY;
          case NOTEBOOK -> PolicyKeys.NOTEBOOK_LAST_ACTIVITY;
        };
      }
    }
  }
}
