package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.plan.ActionBudgets.NamespaceBudget;
import io.gpureclaimer.reclaimer.plan.OtherComponents.Nominated;
import io.gpureclaimer.reclaimer.plan.Planner.PlanInput;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import io.gpureclaimer.reclaimer.plan.Step.Act;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * State that one cycle passes to the next. It is lost with the process, and nothing unsafe follows
 * from that: budgets begin empty after another leader, and nothing is begun until the leader has
 * settled.
 */
public final class PlanHistory {
  private final Optional<Instant> leadingSince;
  private final Optional<IdleLevel> idle;
  private final SpentBudgets spent;
  private final RecentActions actions;
  private final Nominations nominations;

  /** Where the scheduler expects pending pods, and since when. */
  private final Map<String, Nominated> expectations;

  /** Since when fewer GPUs are free than these ask for. */
  private final Map<FreeGpuFloor, Instant> belowFloors;

  private PlanHistory(
      Optional<Instant> leadingSince,
      Optional<IdleLevel> idle,
      SpentBudgets spent,
      RecentActions actions,
      Nominations nominations,
      Map<String, Nominated> expectations,
      Map<FreeGpuFloor, Instant> belowFloors) {
    this.leadingSince = leadingSince;
    this.idle = idle;
    this.spent = spent;
    this.actions = actions;
    this.nominations = nominations;
    this.expectations = Map.copyOf(expectations);
    this.belowFloors = Map.copyOf(belowFloors);
  }

  /** No history, for a program that never acts: no budget has been spent. */
  public static PlanHistory none(Instant now) {
    return new PlanHistory(
        Optional.empty(),
        Optional.empty(),
        SpentBudgets.none(now),
        RecentActions.NONE,
        Nominations.NONE,
        Map.of(),
        Map.of());
  }

  /**
   * The same at the begin of a cycle.
   *
   * @param leading whether this replica leads, and its plan may be executed
   * @param first whether it is the first that ever led, so that no budget was spent
   */
  public PlanHistory at(boolean leading, boolean first, Instant now) {
    if (leading == leadingSince.isPresent()) {
      return this;
    }
    return leading
        ? new PlanHistory(
            Optional.of(now),
            idle,
            first ? SpentBudgets.none(now) : SpentBudgets.from(now),
            actions,
            nominations,
            expectations,
            belowFloors)
        : new PlanHistory(
            Optional.empty(),
            idle,
            SpentBudgets.none(now),
            actions,
            nominations,
            expectations,
            belowFloors);
  }

  /** Whether this replica led in the last cycle. */
  public boolean leads() {
    return leadingSince.isPresent();
  }

  /**
   * Results of earlier actions.
   *
   * @param found in this cycle
   * @param history that knows it
   */
  public record FollowUps(List<FollowUp> found, PlanHistory history) {}

  /** Finds what became of earlier actions. */
  public FollowUps followUps(ClusterView cluster, PlanLimits limits, Instant now) {
    List<FollowUp.Recreated> recreated = actions.recreations(cluster.pods(), now);
    Map<String, PodView> nominated = nominations.among(cluster.pods());
    var found = new ArrayList<FollowUp>(recreated);
    found.addAll(nominations.bound(nominated, now));
    Nominations pending = nominations.after(nominated, limits.nomination(), now);
    List<FollowUp.TakenByOthers> taken = pending.taken(nominated, cluster);
    found.addAll(taken);
    found.addAll(nominations.inVain(nominated, limits.nomination(), now));
    var history =
        new PlanHistory(
            leadingSince,
            idle,
            spent,
            actions.after(recreated, now),
            pending.without(taken),
            OtherComponents.nominations(expectations, cluster, now),
            belowFloors);
    return new FollowUps(List.copyOf(found), history);
  }

  /**
   * The same after an action, whether it is known to have been accepted or may have been.
   *
   * @param input which it was planned from
   */
  public PlanHistory after(Act act, PlanInput input, PlanLimits limits, Instant now) {
    Workload workload = act.workload();
    NamespaceBudget caps = input.caps(workload.namespace()).within(limits.budgets().namespace());
    var rates =
        new SpentBudgets.Rates(
            limits.budgets().perHour().in(input.gpus()),
            limits.budgets().gpusPerHour(input.gpus()),
            caps.perHour());
    return new PlanHistory(
        leadingSince,
        idle,
        spent.after(workload.namespace(), workload.devicesHeld(), rates, now),
        actions.after(workload, now),
        act.pending().map(pending -> nominations.after(workload, pending, now)).orElse(nominations),
        expectations,
        belowFloors);
  }

  PlanHistory with(IdleLevel level) {
    return new PlanHistory(
        leadingSince, Optional.of(level), spent, actions, nominations, expectations, belowFloors);
  }

  /** The same after a plan. */
  public PlanHistory after(Planner.Plan plan) {
    var below = new HashMap<FreeGpuFloor, Instant>();
    plan.floors().forEach(each -> each.since().ifPresent(at -> below.put(each.floor(), at)));
    return new PlanHistory(leadingSince, idle, spent, actions, nominations, expectations, below);
  }

  /** Since when fewer GPUs are free than a floor asks for; empty if that was not so before. */
  Optional<Instant> belowFloor(FreeGpuFloor floor) {
    return Optional.ofNullable(belowFloors.get(floor));
  }

  Optional<Instant> leadingSince() {
    return leadingSince;
  }

  Optional<IdleLevel> idle() {
    return idle;
  }

  SpentBudgets spent() {
    return spent;
  }

  RecentActions actions() {
    return actions;
  }

  Nominations nominations() {
    return nominations;
  }

  /** Nodes on which devices were freed for pending pods that are not bound yet. */
  public Map<PodRef, String> nominatedNodes() {
    return nominations.nodes();
  }

  Map<String, Nominated> expectations() {
    return expectations;
  }

  /** Result of an earlier action, found in a later cycle. */
  public sealed interface FollowUp {

    /**
     * A pod of the same name was created again within the hour: it was still needed.
     *
     * @param pod the new one
     * @param times how often that happened to this name
     * @param coolDown how long its name is left alone
     */
    record Recreated(PodRef pod, int times, Duration coolDown) implements FollowUp {
      /** What is back or requested so early was still needed, and its action is regretted. */
      public static final Duration WITHIN = Duration.ofHours(1);
    }

    /**
     * The pending pod has a node now.
     *
     * @param pod which one
     * @param waited since the scheduler first found no node for it
     */
    record PodBound(PodRef pod, Duration waited) implements FollowUp {}

    /**
     * Other pods were allocated the GPUs that were freed for a pending pod.
     *
     * @param node where they were freed
     */
    record TakenByOthers(PodRef pod, String node) implements FollowUp {}

    /**
     * The pending pod ended or was deleted before it had a node.
     *
     * @param node where devices were freed for it
     */
    record PodGone(PodRef pod, String node) implements FollowUp {}

    /**
     * The pending pod got no node in time, although no other pod took the devices.
     *
     * @param node where they were freed
     */
    record NotScheduled(PodRef pod, String node) implements FollowUp {}
  }
}
