package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.PodPhase;
import io.gpureclaimer.reclaimer.cluster.PodView.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A pending pod that needs GPUs and nothing else.
 *
 * @param pod which one
 * @param gpus how many it needs, all on one node
 * @param priority its priority
 * @param since when the scheduler first found no node for it
 * @param placement where it may run
 */
public record Demand(PodRef pod, int gpus, int priority, Instant since, Placement placement) {
  private static final Comparator<Demand> ORDER =
      Comparator.comparingInt(Demand::priority)
          .reversed()
          .thenComparing(Demand::since)
          .thenComparing(demand -> demand.pod().uid());

  /** All pods that would run if there were free GPUs: highest priority first, then the oldest. */
  public static List<Demand> in(ClusterView cluster, Duration pendingGrace, Instant now) {
    return cluster.pods().stream()
        .flatMap(pod -> of(pod).stream())
        .filter(demand -> Duration.between(demand.since(), now).compareTo(pendingGrace) >= 0)
        .sorted(ORDER)
        .toList();
  }

  /** What the pod needs; empty unless free GPUs are all that it needs. */
  public static Optional<Demand> of(PodView pod) {
    boolean couldRun =
        pod.phase() == PodPhase.PENDING
            && pod.node().isEmpty()
            && !pod.terminating()
            && pod.gpus() > 0
            && pod.accelerators().isCounted()
            && !pod.placement().constrainedFurther();
    return pod.waiting()
        .filter(_ -> couldRun)
        .filter(waiting -> SchedulerMessage.onlyGpusAreMissing(waiting.message()))
        .map(waiting -> of(pod, waiting));
  }

  private static Demand of(PodView pod, Waiting waiting) {
    return new Demand(pod.ref(), pod.gpus(), pod.priority(), waiting.since(), pod.placement());
  }

  /**
   * Reads the scheduler's words about a pod that fits nowhere, for example {@code 0/3 nodes are
   * available: 1 node(s) had untolerated taint {a: b}, 2 Insufficient nvidia.com/gpu. preemption:
   * …}.
   */
  static final class SchedulerMessage {
    private static final String GPUS_ARE_SHORT = "Insufficient " + ResourceNames.GPU;

    /** What keeps a pod off a node for reasons that we check ourselves. */
    private static final List<String> CHECKED_BY_US =
        List.of(
            GPUS_ARE_SHORT,
            "taint",
            "didn't match Pod's node affinity/selector",
            "were unschedulable",
            "were not ready");

    /** What the plugins say that were asked once no node was left; it gives no reasons. */
    private static final String AFTERWARDS = "(?:no new claims to deallocate|preemption: .*)";

    private static final Pattern SENTENCE =
        Pattern.compile(
            "^0/[0-9]+ nodes are available: (.+?)\\.?(?: %s(?:, %s)*)?$".replace("%s", AFTERWARDS));

    private static final Pattern NEXT_REASON = Pattern.compile(", (?=[0-9]+ )");

    private SchedulerMessage() {}

    /**
     * Whether free GPUs on a suitable node are all that is missing. A reason that is not understood
     * might remain after an eviction, so then the answer is no.
     */
    static boolean onlyGpusAreMissing(String message) {
      Matcher sentence = SENTENCE.matcher(message.strip());
      if (!sentence.matches()) {
        return false;
      }
      List<String> reasons = NEXT_REASON.splitAsStream(sentence.group(1)).toList();
      return reasons.stream().anyMatch(SchedulerMessage::isGpuShortage)
          && reasons.stream().allMatch(SchedulerMessage::isCheckedByUs);
    }

    private static boolean isGpuShortage(String reason) {
      return reason.endsWith(GPUS_ARE_SHORT);
    }

    private static boolean isCheckedByUs(String reason) {
      return CHECKED_BY_US.stream().anyMatch(reason::contains);
    }
  }
}
