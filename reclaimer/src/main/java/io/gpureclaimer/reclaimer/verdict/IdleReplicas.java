package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Finds the replicas of a Deployment that are judged by themselves, because they are idle while
 * others work. A replica of which anything is unknown counts as one that works. Confined to one
 * judging.
 */
final class IdleReplicas {
  private static final String KIND = "Deployment.apps";

  private final WorkloadEvidence all;
  private final EffectivePolicy policy;
  private final List<PodView> idle;

  /**
   * @param isIdle whether the evidence of one pod says that it is idle, for however short a time,
   *     and nothing else spares it
   */
  private IdleReplicas(
      WorkloadEvidence all, EffectivePolicy policy, Predicate<WorkloadEvidence> isIdle) {
    this.all = all;
    this.policy = policy;
    this.idle =
        all.workload().pods().stream().filter(pod -> isIdle.test(all.only(List.of(pod)))).toList();
  }

  /** Empty where the workload is judged as a whole. */
  static Optional<WorkloadEvidence> of(
      WorkloadEvidence all, EffectivePolicy policy, Predicate<WorkloadEvidence> isIdle) {
    if (!policy.partial().value()) {
      return Optional.empty();
    }
    Workload workload = all.workload();
    boolean isDeployment =
        workload.owner().filter(owner -> owner.qualifiedKind().equals(KIND)).isPresent()
            && workload.group().isEmpty();
    return isDeployment && workload.pods().size() > 1
        ? new IdleReplicas(all, policy, isIdle).part()
        : Optional.empty();
  }

  private Optional<WorkloadEvidence> part() {
    int replicas = all.workload().pods().size();
    List<PodView> forLong = idle.stream().filter(this::isIdleForLong).toList();
    if (forLong.size() == replicas) {
      return Optional.empty();
    }
    List<PodView> warned = warned();
    boolean others = idle.size() < replicas;
    List<PodView> part = !warned.isEmpty() ? warned : others ? forLong : List.of();
    return part.isEmpty() || part.size() == replicas
        ? Optional.empty()
        : Optional.of(all.only(part));
  }

  /**
   * Replicas that were warned stay together until the warning is acted on or withdrawn: one that
   * becomes idle later must not change the idle period that the warning names. A replica of that
   * period on which the warning could not be written belongs to them.
   */
  private List<PodView> warned() {
    Optional<Instant> period =
        all.workload().pods().stream()
            .map(pod -> Warning.noteIn(pod.annotations()))
            .flatMap(
                note ->
                    note instanceof Warning.Note.Given(var warning)
                        ? Stream.of(warning.idleSince())
                        : Stream.empty())
            .max(Comparator.naturalOrder());
    return all.workload().pods().stream()
        .filter(
            pod ->
                !(Warning.noteIn(pod.annotations()) instanceof Warning.Note.None)
                    || period.filter(since -> isIdleSince(pod, since)).isPresent())
        .toList();
  }

  private boolean isIdleSince(PodView pod, Instant since) {
    return idle.contains(pod) && !all.only(List.of(pod)).idleSince().isAfter(since);
  }

  private boolean isIdleForLong(PodView pod) {
    return all.only(List.of(pod)).idleFor().compareTo(policy.warnAfter()) >= 0;
  }
}
