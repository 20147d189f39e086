package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.PodActivity.LeftOut;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Evidence that the next fetch may leave out, because nothing can follow from it yet. All pods of
 * the workload are idle, and the next step is further away than a few cycles, or is none. While a
 * step is possible, signals are read in each cycle: they show only what happens at the moment.
 */
public final class LeavableEvidence {

  private LeavableEvidence() {}

  /**
   * Finds the pods.
   *
   * @param judgments of every workload
   * @param observation that they were judged by
   * @param margin before the next step, in which all evidence is read
   * @return what may be left out, by UID
   */
  public static Map<String, LeftOut> of(
      List<Judgment> judgments, Observation observation, Duration margin) {
    return switch (observation) {
      case Observation.Blind _ -> Map.of();
      case Seen seen -> {
        Map<String, LeftOut> leavable = new HashMap<>();
        for (Judgment judgment : judgments) {
          of(judgment, seen, margin)
              .ifPresent(
                  what ->
                      judgment.evidence().forEach(each -> leavable.put(each.pod().uid(), what)));
        }
        yield leavable;
      }
    };
  }

  private static Optional<LeftOut> of(Judgment judgment, Seen seen, Duration margin) {
    if (!judgment.evidence().stream().allMatch(each -> each.evidence() instanceof Evidence.Idle)) {
      return Optional.empty();
    }
    return switch (judgment.verdict()) {
      case Verdict.Watching watching ->
          judgment.isReportOnly()
                  || watching.remaining().minus(age(judgment, seen)).compareTo(margin) > 0
              ? Optional.of(what(judgment))
              : Optional.empty();
      case Verdict.Reported _ -> Optional.of(what(judgment));
      case Verdict.Protected _, Verdict.Notified _ -> Optional.of(LeftOut.RECORD);
      case Verdict.NotRunning _,
          Verdict.Starting _,
          Verdict.Vetoed _,
          Verdict.Active _,
          Verdict.Unknown _,
          Verdict.ToWarn _,
          Verdict.Warned _,
          Verdict.ToWithdraw _,
          Verdict.Due _ ->
          Optional.empty();
    };
  }

  private static LeftOut what(Judgment judgment) {
    return judgment.isReportOnly() ? LeftOut.RECORD_AND_SIGNALS : LeftOut.RECORD;
  }

  /** By how much longer the pods may have been idle than records that were left out say. */
  private static Duration age(Judgment judgment, Seen seen) {
    return judgment.evidence().stream()
        .flatMap(each -> seen.pod(each.pod().uid()).stream())
        .filter(pod -> pod.leftOut().isPresent())
        .flatMap(pod -> pod.devices().stream())
        .map(DeviceActivity::sampledAt)
        .min(Comparator.naturalOrder())
        .map(oldest -> Duration.between(oldest, seen.at()))
        .orElse(Duration.ZERO);
  }

  /** The first pod of a workload of which something was left out of an observation. */
  static Optional<PodRef> leftOutOf(Observation observation, Workload workload) {
    return switch (observation) {
      case Observation.Blind _ -> Optional.empty();
      case Seen seen ->
          workload.pods().stream()
              .map(PodView::ref)
              .filter(pod -> seen.pod(pod.uid()).flatMap(PodActivity::leftOut).isPresent())
              .findFirst();
    };
  }
}
