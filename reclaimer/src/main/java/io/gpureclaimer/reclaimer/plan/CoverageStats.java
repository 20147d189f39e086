package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * How much of the cluster one observation covers.
 *
 * @param expected running pods with GPUs of which there should be evidence
 * @param seen those of them of which there is
 */
public record CoverageStats(int expected, int seen) {

  /** An empty cluster. */
  public static final CoverageStats EMPTY = new CoverageStats(0, 0);

  /** A container this young may not have been reported on yet. */
  private static final Duration YOUNG = Duration.ofMinutes(5);

  /** Counts; a pod that also holds accelerators that are not counted is left out. */
  public static CoverageStats of(List<Judgment> judgments, Instant now) {
    int expected = 0;
    int seen = 0;
    for (Judgment judgment : judgments) {
      for (PodWithEvidence each : PodWithEvidence.of(judgment)) {
        boolean isSeen = !(each.evidence() instanceof Evidence.Unknown);
        seen += isSeen ? 1 : 0;
        expected += isSeen || !isYoung(each.pod(), now) ? 1 : 0;
      }
    }
    return new CoverageStats(expected, seen);
  }

  /** Which share of the expected pods was seen. */
  public double coverage() {
    return expected == 0 ? 1 : (double) seen / expected;
  }

  private static boolean isYoung(PodView pod, Instant now) {
    return pod.startedAt().filter(start -> start.plus(YOUNG).isAfter(now)).isPresent();
  }
}
