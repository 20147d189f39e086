package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;

/**
 * How long a reclaimed workload takes until it works again once it has GPUs: the start of its pods,
 * and {@link #STATE} for what its processes had in memory.
 *
 * <p>The start is that of the slowest of its pods. More than {@link #LONGEST} is not used, because
 * a pod that was not ready for a moment has a later time, too.
 *
 * @param start from when a pod gets its node until it is ready
 * @param isMeasured whether its own pods took that long; otherwise {@link #TYPICAL} is assumed
 */
public record RestartTime(Duration start, boolean isMeasured) {
  static final Duration SHORTEST = Duration.ofMinutes(1);
  static final Duration LONGEST = Duration.ofHours(1);

  /** The start of pods of which it is not known. */
  static final Duration TYPICAL = Duration.ofMinutes(5);

  /**
   * The time to load data and models again, and to repeat the work since the last checkpoint, which
   * the API does not show. It does not depend on the idle time: an idle workload does no work.
   */
  public static final Duration STATE = Duration.ofMinutes(10);

  /** That of a workload. */
  public static RestartTime of(Workload workload) {
    return workload.pods().stream()
        .map(PodView::startup)
        .flatMap(Optional::stream)
        .filter(length -> length.compareTo(LONGEST) <= 0)
        .max(Comparator.naturalOrder())
        .map(length -> new RestartTime(length.compareTo(SHORTEST) < 0 ? SHORTEST : length, true))
        .orElseGet(() -> new RestartTime(TYPICAL, false));
  }

  Duration total() {
    return start.plus(STATE);
  }

  /** {@code 15m to restart (start 5m assumed, state 10m)}. */
  String sentence() {
    return Durations.format(total())
        + " to restart (start "
        + Durations.format(start)
        + (isMeasured ? " measured" : " assumed")
        + ", state "
        + Durations.format(STATE)
        + ")";
  }
}
