package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.action.Action;
import io.gpureclaimer.reclaimer.action.Action.ActionId;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import io.gpureclaimer.reclaimer.verdict.Warning;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** One thing to do now, or the decision not to do it now. */
public sealed interface Step {

  Verdict verdict();

  /**
   * Give the warning.
   *
   * @param floors for which the workload may be reclaimed, as well as for pending pods
   */
  record Warn(Verdict.ToWarn verdict, List<FreeGpuFloor> floors) implements Step {
    public Warn {
      floors = List.copyOf(floors);
    }

    /** Without a floor. */
    public Warn(Verdict.ToWarn verdict) {
      this(verdict, List.of());
    }

    /** {@code 8 H100}, or several with commas; empty without a floor. */
    public Optional<String> keptFree() {
      return floors.isEmpty() ? Optional.empty() : Optional.of(FreeGpuFloor.amounts(floors));
    }
  }

  /** Take the warning back. */
  record Withdraw(Verdict.ToWithdraw verdict) implements Step {}

  /**
   * Free the devices of the workload.
   *
   * @param pending the pod or floor that needs its devices; absent where the workload is reclaimed
   *     in any case
   */
  record Act(Verdict.Due verdict, Optional<Beneficiary> pending) implements Step {

    /** What to do. */
    public Action action() {
      return verdict.action();
    }

    /** The pod that needs its devices. */
    public Optional<Demand> demand() {
      return pending.flatMap(
          each ->
              switch (each) {
                case Beneficiary.PendingPod(var demand, _) -> Optional.of(demand);
                case Beneficiary.KeepFree _ -> Optional.empty();
              });
    }

    /** {@code to keep 8 H100 free (2 free)}; empty if it is not for a floor. */
    public Optional<String> floorReason() {
      return pending.flatMap(
          each ->
              switch (each) {
                case Beneficiary.PendingPod _ -> Optional.empty();
                case Beneficiary.KeepFree floor -> Optional.of(floor.reason());
              });
    }
  }

  /** Warn, withdraw or act, but not now. */
  record Wait(Verdict verdict, WaitReason why) implements Step {}

  /** For what devices are freed. */
  sealed interface Beneficiary {

    /** What is served whole or not at all. */
    String unit();

    /**
     * A pending pod.
     *
     * @param node on which
     */
    record PendingPod(Demand demand, String node) implements Beneficiary {
      @Override
      public String unit() {
        return demand.unit();
      }
    }

    /**
     * A floor of free GPUs.
     *
     * @param free how many blocks of it were free
     * @param promised how many more were free, but for pending pods
     * @param blocks any block, for each name of the devices
     * @param block which one of it
     * @param node on which
     */
    record KeepFree(
        FreeGpuFloor floor, int free, int promised, List<Demand> blocks, Demand block, String node)
        implements Beneficiary {
      public KeepFree {
        blocks = List.copyOf(blocks);
      }

      @Override
      public String unit() {
        return block.unit();
      }

      /** {@code to keep 8 H100 free (2 free)}. */
      public String reason() {
        return "to keep " + floor.amount() + " free (" + free + " free)";
      }

      /** Whether enough is free meanwhile. */
      public boolean isMet(ClusterView cluster) {
        return FloorStatus.freeIn(cluster, blocks) - promised >= floor.blocks();
      }
    }
  }

  /** The workload that the step is about. */
  default Workload workload() {
    return verdict().workload();
  }

  /** Stable name in metrics, logs and JSON. */
  default String name() {
    return switch (this) {
      case Warn _ -> "warn";
      case Withdraw _ -> "withdraw";
      case Act act -> act.action().name();
      case Wait _ -> "wait";
    };
  }

  /** The action that the step announces or is; empty if no action follows. */
  default Optional<ActionId> actionId() {
    return switch (this) {
      case Warn(var toWarn, _) when toWarn.mode().acts() ->
          Optional.of(
              ActionId.of(toWarn.workload(), toWarn.idleSince().toString(), toWarn.action()));
      case Act(var due, _) ->
          Optional.of(ActionId.of(due.workload(), Warning.idleSinceAsWritten(due), due.action()));
      case Warn _, Withdraw _, Wait _ -> Optional.empty();
    };
  }

  /** One English sentence, without the workload's name and the final stop. */
  default String sentence(Instant now) {
    return switch (this) {
      case Warn _, Withdraw _ -> VerdictSentence.of(verdict());
      case Act act ->
          VerdictSentence.of(act.verdict())
              + ": "
              + act.action().participle()
              + act.demand().map(demand -> " so that " + sentence(demand, now)).orElse("")
              + act.floorReason().map(floor -> " " + floor).orElse("");
      case Wait(var verdict, var why) ->
          VerdictSentence.withoutTimes(verdict) + ", but not now: " + why.sentence();
    };
  }

  private static String sentence(Demand demand, Instant now) {
    return "pod "
        + demand.pod()
        + " can run, which has waited "
        + Durations.format(Duration.between(demand.since(), now))
        + " for "
        + demand.amount()
        + demand.group().map(group -> ", with all pending pods of " + group).orElse("");
  }

  /** Why a step that is due is not done now. */
  public enum WaitReason {
    /** On demand only, and no pod is pending for GPUs alone. */
    NO_PENDING_POD("nobody-waits", "no pod is pending for GPUs alone"),
    /** On demand only, and it would help no pending pod or floor, or others were chosen. */
    NOT_NEEDED("not-needed", "no pending pod needs it"),
    /** As many as allowed are being evicted; more victims are not searched then. */
    BUDGET_SPENT("budget-spent", "as many as allowed are being evicted"),
    /** On demand only, and the pending pod needs more evictions than one plan may ever have. */
    BUDGET_TOO_SMALL(
        "budget-too-small", "the pending pod needs more evictions than are allowed at a time"),
    /** As many of its namespace as allowed are being evicted. */
    NAMESPACE_BUDGET_SPENT(
        "namespace-budget-spent", "as many of its namespace as allowed are being evicted"),
    /** As many of its namespace as allowed in an hour were evicted, or may have been. */
    NAMESPACE_HOUR_SPENT(
        "namespace-hour-spent",
        "the budget per hour of its namespace is used up, or still fills after a start"),
    /** As often as allowed in a day its owner was evicted. */
    OWNER_DAY_SPENT("owner-day-spent", "it was evicted as often as is allowed in a day"),
    /** As many as allowed in an hour were evicted, or may have been. */
    HOUR_SPENT("hour-spent", "the budget per hour is used up, or still fills after a start"),
    /** As many GPUs as allowed in an hour were reclaimed, or may have been. */
    GPU_SHARE_SPENT(
        "gpu-share-spent", "the budget of GPUs per hour is used up, or still fills after a start"),
    /** It was created again after its eviction; it is left alone for a while. */
    COOLING_DOWN(
        "cooling-down",
        "it was created again after its last eviction, so it is left alone for a while"),
    /** On demand only, and it is too likely that it works again soon. */
    NEEDED_SOON(
        "needed-soon",
        "it is too likely to be needed again within an hour (plan.max-need-probability)"),
    /** Its priority is higher than its namespace allows a victim to have. */
    PRIORITY_TOO_HIGH(
        "priority-too-high", "its priority is higher than its namespace allows a victim to have"),
    /** An owner is changed only after that is recorded, and the records cannot be read. */
    RECORDS_UNREADABLE(
        "records-unreadable",
        "the records of actions on it (reclamations.gpu-reclaimer.io) cannot be read"),
    /** On demand only, and Events by which autoscalers announce nodes cannot be read. */
    OTHERS_UNKNOWN(
        "others-unknown", "it is not known whether an autoscaler adds a node for the pending pod"),
    /** As many pods as one cycle writes on get or lose a warning. */
    WARNINGS_SPENT("warnings-spent", "as many pods as one cycle annotates are being annotated"),
    /** The circuit breaker is open: nothing new is begun. */
    BREAKER_OPEN("breaker-open", "the circuit breaker is open");

    private final String code;
    private final String sentence;

    WaitReason(String code, String sentence) {
      this.code = code;
      this.sentence = sentence;
    }

    /** Whether it applies to every workload of the namespace, and to no other. */
    boolean isOfNamespace() {
      return this == NAMESPACE_BUDGET_SPENT || this == NAMESPACE_HOUR_SPENT;
    }

    /** Stable name, for metrics and JSON. */
    public String code() {
      return code;
    }

    /** The reason in words. */
    String sentence() {
      return sentence;
    }
  }
}
