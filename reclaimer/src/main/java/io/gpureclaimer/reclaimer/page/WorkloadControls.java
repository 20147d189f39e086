package io.gpureclaimer.reclaimer.page;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
import io.gpureclaimer.reclaimer.request.KeepRequests;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What the reader of a page may request for a workload.
 *
 * @param path below which requests are sent
 * @param keeps for how long it may be kept, as in annotations; none if it cannot be
 * @param restriction what the namespace does not honor, in a sentence
 * @param isRestorable whether it is reclaimed
 * @param target {@code KIND/NAME --namespace NAMESPACE}; empty for a group of pods, which is no
 *     object
 */
public record WorkloadControls(
    String path,
    List<String> keeps,
    Optional<String> restriction,
    boolean isRestorable,
    Optional<String> target) {
  private static final Duration SHORT = Duration.ofHours(4);
  private static final Duration LONG = Duration.ofHours(24);

  public WorkloadControls {
    keeps = List.copyOf(keeps);
  }

  /** Of a workload without pods. */
  static WorkloadControls ofOwner(WorkloadLink owner, boolean isRestorable) {
    return new WorkloadControls(
        owner.path(), List.of(), Optional.empty(), isRestorable, target(owner));
  }

  /** Of a workload with pods. */
  static WorkloadControls of(Judgment judgment, boolean isRestorable, Instant now) {
    WorkloadLink workload = WorkloadLink.of(judgment.verdict().workload());
    return judgment
        .policy()
        .map(policy -> of(judgment, policy, workload, isRestorable, now))
        .orElseGet(() -> ofOwner(workload, isRestorable));
  }

  private static WorkloadControls of(
      Judgment judgment,
      EffectivePolicy policy,
      WorkloadLink workload,
      boolean isRestorable,
      Instant now) {
    Instant last = KeepRequests.lastHonored(judgment, policy, now);
    String bound = Durations.format(policy.maxKeep().value());
    if (!last.isAfter(now)) {
      return new WorkloadControls(
          workload.path(),
          List.of(),
          Optional.of(
              "It cannot be kept by request: its namespace honors one only within "
                  + bound
                  + " of idleness. Work on its GPUs ends the idle time."),
          isRestorable,
          target(workload));
    }
    return new WorkloadControls(
        workload.path(),
        last.isBefore(now.plus(SHORT)) ? List.of("4h") : List.of("4h", "24h"),
        last.isBefore(now.plus(LONG))
            ? Optional.of(
                "Its namespace honors a request until "
                    + last
                    + " at most: max-keep is "
                    + bound
                    + " of idleness.")
            : Optional.empty(),
        isRestorable,
        target(workload));
  }

  private static Optional<String> target(WorkloadLink workload) {
    return workload.kind().equals("Group")
        ? Optional.empty()
        : Optional.of(
            workload.kind().toLowerCase(Locale.ROOT)
                + "/"
                + workload.name()
                + " --namespace "
                + workload.namespace());
  }
}
