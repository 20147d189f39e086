package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.PodPhase;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.evidence.Evidence.Active;
import io.gpureclaimer.reclaimer.evidence.Evidence.Idle;
import io.gpureclaimer.reclaimer.evidence.Evidence.Unknown;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment.PodEvidence;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Evidence about a workload, from its pods. One active pod makes it active; all pods with GPUs must
 * be idle before it is.
 *
 * @param workload the pods
 * @param evidence of every one that runs with GPUs or MIG slices, or may
 */
record WorkloadEvidence(Workload workload, List<PodEvidence> evidence) {
  WorkloadEvidence {
    evidence = List.copyOf(evidence);
  }

  /** Whether evidence about the pod can be expected. */
  static boolean isExpectedOf(PodView pod) {
    return pod.phase() == PodPhase.RUNNING
        && pod.node().isPresent()
        && pod.accelerators().mayBeAny();
  }

  /** What is known of these of its pods alone. */
  WorkloadEvidence only(List<PodView> pods) {
    Workload some = workload.only(pods);
    Set<PodRef> refs = pods.stream().map(PodView::ref).collect(Collectors.toUnmodifiableSet());
    return new WorkloadEvidence(
        some, evidence.stream().filter(of -> refs.contains(of.pod())).toList());
  }

  /** The verdict, unless it is idle. */
  Optional<Verdict> verdictUnlessIdle() {
    return active().or(this::notRunning).or(this::unknown);
  }

  /** The verdict while one of its pods is starting. */
  Optional<Verdict> starting(IdleClock clock, Instant now) {
    for (PodView pod : workload.pods()) {
      Optional<Verdict> starting = isExpectedOf(pod) ? starting(pod, clock, now) : Optional.empty();
      if (starting.isPresent()) {
        return starting;
      }
    }
    return Optional.empty();
  }

  private Optional<Verdict> starting(PodView pod, IdleClock clock, Instant now) {
    Optional<Instant> until = clock.started(pod).filter(now::isBefore);
    return pod.readyAt().isEmpty() || until.isPresent()
        ? Optional.of(new Verdict.Starting(workload, pod.ref(), pod.readyAt().flatMap(_ -> until)))
        : Optional.empty();
  }

  /** When the last of its pods became idle. */
  Instant idleSince() {
    return last().idleSince();
  }

  /** For people, what its idle time began after, where that was not the work of its GPUs. */
  Optional<String> startedAfter() {
    return last().startedAfter();
  }

  /** How long every one of its pods has been idle at least. */
  Duration idleFor() {
    Duration shortest = ((Idle) evidence.getFirst().evidence()).idleFor();
    for (PodEvidence of : evidence) {
      Duration idleFor = ((Idle) of.evidence()).idleFor();
      shortest = idleFor.compareTo(shortest) < 0 ? idleFor : shortest;
    }
    return shortest;
  }

  private Optional<Verdict> active() {
    Optional<Verdict.Active> last = Optional.empty();
    for (PodEvidence of : evidence) {
      if (of.evidence() instanceof Active active
          && last.filter(known -> !active.lastActive().isAfter(known.evidence().lastActive()))
              .isEmpty()) {
        last = Optional.of(new Verdict.Active(workload, of.pod(), active));
      }
    }
    return last.map(verdict -> verdict);
  }

  /** A pod that waits for a node holds nothing; but a workload without any other is not idle. */
  private Optional<Verdict> notRunning() {
    for (PodView pod : workload.pods()) {
      if (!isExpectedOf(pod) && (evidence.isEmpty() || !waitsForNode(pod))) {
        return Optional.of(new Verdict.NotRunning(workload, pod.ref()));
      }
    }
    return Optional.empty();
  }

  private static boolean waitsForNode(PodView pod) {
    return pod.phase() == PodPhase.PENDING && pod.node().isEmpty();
  }

  private Optional<Verdict> unknown() {
    for (PodEvidence of : evidence) {
      if (of.evidence() instanceof Unknown doubt) {
        return Optional.of(new Verdict.Unknown(workload, of.pod(), doubt));
      }
    }
    return Optional.empty();
  }

  private Idle last() {
    Idle last = (Idle) evidence.getFirst().evidence();
    for (PodEvidence of : evidence) {
      Idle idle = (Idle) of.evidence();
      last = idle.idleSince().isAfter(last.idleSince()) ? idle : last;
    }
    return last;
  }

  /**
   * Earliest possible start of the idle time of a pod. A container that starts, or starts again,
   * loads and compiles, which a GPU does not show.
   *
   * @param policy what holds for the pod's workload
   */
  record IdleClock(EffectivePolicy policy) {

    /**
     * Something after which a pod can be idle at the earliest.
     *
     * @param at when it was
     * @param what for people, what it was: {@code cpu said work}
     */
    record IdleStart(Instant at, String what) {}

    /** When the pod has started, grace included; absent where it is not known when it did. */
    Optional<Instant> started(PodView pod) {
      Optional<Instant> started = pod.startedAt();
      Optional<Instant> ready = pod.readyAt();
      boolean readyLater =
          started.isEmpty() || (ready.isPresent() && ready.get().isAfter(started.get()));
      return (readyLater ? ready : started).map(at -> at.plus(policy.startupGrace().value()));
    }

    /**
     * The evidence, with an idle time that begins no earlier than the pod can have been idle.
     *
     * @param sign when something that was measured last said that it works
     */
    Evidence.Idle since(PodView pod, Optional<IdleStart> sign, Evidence.Idle idle) {
      Evidence.Idle latest = idle;
      for (Optional<IdleStart> start : List.of(start(pod), heartbeat(), sign)) {
        if (start.isPresent() && latest.idleSince().isBefore(start.get().at())) {
          latest = later(start.get(), idle);
        }
      }
      return latest;
    }

    private Optional<IdleStart> start(PodView pod) {
      return started(pod)
          .map(at -> new IdleStart(at, "it started or became ready, and the grace after that"));
    }

    private Optional<IdleStart> heartbeat() {
      return policy
          .lastActivity()
          .map(
              last ->
                  new IdleStart(
                      last.value(), VerdictSentence.of(last.origin()) + " said that it worked"));
    }

    private static Evidence.Idle later(IdleStart start, Evidence.Idle idle) {
      Duration shorter = idle.idleFor().minus(Duration.between(idle.idleSince(), start.at()));
      return new Evidence.Idle(
          start.at(), shorter.isNegative() ? Duration.ZERO : shorter, Optional.of(start.what()));
    }
  }
}
