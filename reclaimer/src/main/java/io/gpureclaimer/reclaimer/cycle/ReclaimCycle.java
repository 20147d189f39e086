package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.config.ReclaimerConfig;
import io.gpureclaimer.reclaimer.evidence.ActivitySource;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.PodIdentity;
import io.gpureclaimer.reclaimer.evidence.PodActivity.LeftOut;
import io.gpureclaimer.reclaimer.evidence.SignalHistoryStore;
import io.gpureclaimer.reclaimer.execution.NominatedNodes;
import io.gpureclaimer.reclaimer.execution.PlanExecutor;
import io.gpureclaimer.reclaimer.execution.PlanExecutor.StepListener;
import io.gpureclaimer.reclaimer.execution.PlanExecutor.StepResult;
import io.gpureclaimer.reclaimer.execution.Postponements;
import io.gpureclaimer.reclaimer.execution.Postponements.Postponement;
import io.gpureclaimer.reclaimer.execution.PreActionCheck.Recheck;
import io.gpureclaimer.reclaimer.plan.ActionBudgets.NamespaceBudget;
import io.gpureclaimer.reclaimer.plan.CircuitBreaker;
import io.gpureclaimer.reclaimer.plan.CircuitBreaker.BreakerCheck;
import io.gpureclaimer.reclaimer.plan.PlanHistory;
import io.gpureclaimer.reclaimer.plan.Planner;
import io.gpureclaimer.reclaimer.plan.Planner.Plan;
import io.gpureclaimer.reclaimer.plan.Planner.PlanInput;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.reclamation.ReclamationReconciler;
import io.gpureclaimer.reclaimer.verdict.Judge;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.LeavableEvidence;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * One cycle, from the observation to the results. Decides nothing itself. Confined to one thread.
 */
@Singleton
public class ReclaimCycle {
  /** An older observation is no basis for another round; the next cycle observes again. */
  private static final Duration LONGEST_RELIED_ON = Duration.ofMinutes(2);

  /** In so many cycles before a warning or an action can follow, all evidence is read. */
  private static final int CYCLES_BEFORE_A_STEP = 3;

  private final Cluster cluster;
  private final ActivitySource source;
  private final SignalHistoryStore signals;
  private final Judge judge;
  private final PastOfWorkloads past;
  private final CircuitBreaker breaker;
  private final Planner planner;
  private final Postponements postponements;
  private final PlanExecutor executor;
  private final ReclamationReconciler keeper;
  private final NominatedNodes nominatedNodes;
  private final Leadership leadership;
  private final Clock clock;
  private final Duration readEarly;
  private PlanHistory history;

  /** What the next fetch may leave out. */
  private Map<String, LeftOut> leavable = Map.of();

  /** What the last plan was made from. */
  private PlanInput input;

  ReclaimCycle(
      Cluster cluster,
      ActivitySource source,
      SignalHistoryStore signals,
      Judge judge,
      PastOfWorkloads past,
      CircuitBreaker breaker,
      Planner planner,
      Postponements postponements,
      PlanExecutor executor,
      ReclamationReconciler keeper,
      NominatedNodes nominatedNodes,
      Leadership leadership,
      ReclaimerConfig config,
      Clock clock) {
    this.cluster = cluster;
    this.source = source;
    this.signals = signals;
    this.judge = judge;
    this.past = past;
    this.breaker = breaker;
    this.planner = planner;
    this.postponements = postponements;
    this.executor = executor;
    this.keeper = keeper;
    this.nominatedNodes = nominatedNodes;
    this.leadership = leadership;
    this.clock = clock;
    this.readEarly = config.interval().multipliedBy(CYCLES_BEFORE_A_STEP);
    this.history = PlanHistory.none(clock.instant());
    this.input = PlanInput.empty(history, clock.instant());
  }

  /** The cluster alone, as it is now, without evidence. */
  ClusterView cluster() {
    return cluster.view();
  }

  /** Observes, judges and plans; changes nothing. */
  public CycleReport plan() {
    boolean leading = leadership.isHeld();
    ClusterView view = cluster.view();
    keeper.observe(view);
    // The source answers about the moment at which it was asked, however long that takes it.
    Instant now = clock.instant();
    List<PodIdentity> pods = Judge.identities(view.pods());
    Observation observation = signals.update(source.fetchAll(pods, leavable).joined(pods));
    List<Judgment> judgments = past.addTo(judge.judge(view, observation, now), now);
    leavable = LeavableEvidence.of(judgments, observation, readEarly);
    PlanHistory.FollowUps followUps =
        history.at(leading, leadership.isFirst(), now).followUps(view, planner.limits(), now);
    BreakerCheck check = breaker.check(observation, judgments, followUps.history(), now);
    history = check.history();
    List<Postponement> postponed =
        verdicts(judgments)
            .filter(Verdict::asksForMore)
            .flatMap(verdict -> postponements.of(verdict).stream())
            .toList();
    List<Verdict> verdicts = verdicts(judgments).filter(this::isNotPostponed).toList();
    input =
        new PlanInput(verdicts, view, NamespaceBudget.of(judgments), check.status(), history, now);
    Plan plan =
        switch (observation) {
          case Observation.Blind _ -> new Plan(List.of());
          case Observation.Seen _ -> planner.plan(input);
        };
    history = history.after(plan);
    return new CycleReport(
        now,
        view,
        observation,
        judgments,
        postponed,
        check.status(),
        followUps.found(),
        plan,
        List.of());
  }

  /**
   * Brings the records of earlier actions on, whatever was observed, and executes the plan, if it
   * was made as a leader. While refusals leave all actions of the plan undone, other workloads take
   * their turn, as long as the observation is not old.
   *
   * @param planned from {@link #plan}, just now
   * @param listener sees each result at once
   * @return the same with the results
   */
  public CycleReport act(CycleReport planned, StepListener listener) {
    keeper.update(planned.cluster(), listener);
    nominatedNodes.set(history.nominatedNodes(), planned.cluster().pods());
    return switch (planned.observation()) {
      case Observation.Seen seen when history.leads() -> {
        List<StepResult> round = execute(planned.plan(), seen, listener);
        var results = new ArrayList<>(round);
        while (isRefusedAltogether(round)
            && Duration.between(planned.at(), clock.instant()).compareTo(LONGEST_RELIED_ON) < 0) {
          round = execute(actionsOnOthers(planned, results), seen, listener);
          results.addAll(round);
        }
        executor.explain(planned.judgments(), planned.plan().pending());
        yield planned.with(results);
      }
      case Observation.Seen _, Observation.Blind _ -> planned;
    };
  }

  /** Runs one whole cycle: observes, judges, plans and acts. */
  public CycleReport run() {
    return act(plan(), _ -> {});
  }

  private List<StepResult> execute(Plan plan, Observation.Seen seen, StepListener listener) {
    var tracker = new ActionTracker(history, this::after, listener);
    try {
      return executor.execute(plan, seen, tracker);
    } finally {
      history = tracker.history();
      nominatedNodes.set(history.nominatedNodes(), input.cluster().pods());
    }
  }

  private PlanHistory after(PlanHistory before, Step.Act act) {
    return before.after(act, input, planner.limits(), clock.instant());
  }

  private Plan actionsOnOthers(CycleReport planned, List<StepResult> results) {
    List<String> tried = results.stream().map(result -> result.step().workload().uid()).toList();
    List<Verdict> others =
        verdicts(planned.judgments())
            .filter(Verdict.Due.class::isInstance)
            .filter(this::isNotPostponed)
            .filter(verdict -> !tried.contains(verdict.workload().uid()))
            .toList();
    input =
        new PlanInput(
            others, cluster.view(), input.caps(), planned.breaker(), history, clock.instant());
    return planner.plan(input);
  }

  private static boolean isRefusedAltogether(List<StepResult> round) {
    List<ActionResult> actions =
        round.stream()
            .filter(result -> result.step() instanceof Step.Act)
            .map(StepResult::result)
            .toList();
    return !actions.isEmpty() && actions.stream().allMatch(ReclaimCycle::isRefusal);
  }

  private static boolean isRefusal(ActionResult result) {
    return switch (result) {
      case ActionResult.Skipped _, ActionResult.Blocked _, ActionResult.Failed _ -> true;
      case ActionResult.Done _,
          ActionResult.DryRun _,
          ActionResult.Awaiting _,
          ActionResult.NotLeading _ ->
          false;
    };
  }

  /** A withdrawal is never postponed. */
  private boolean isNotPostponed(Verdict verdict) {
    return !verdict.asksForMore() || postponements.of(verdict).isEmpty();
  }

  private static Stream<Verdict> verdicts(List<Judgment> judgments) {
    return judgments.stream().map(Judgment::verdict);
  }

  /**
   * Adds every action to the history before it is tried, and removes it when it is known not to
   * have happened: an action whose answer is lost may have been accepted. Confined to one thread.
   */
  static final class ActionTracker implements StepListener {
    private final BiFunction<PlanHistory, Step.Act, PlanHistory> after;
    private final StepListener next;
    private PlanHistory history;
    private PlanHistory before;

    /**
     * Begins with nothing tried.
     *
     * @param after the history after an action
     * @param next sees everything as well
     */
    ActionTracker(
        PlanHistory history,
        BiFunction<PlanHistory, Step.Act, PlanHistory> after,
        StepListener next) {
      this.history = history;
      this.before = history;
      this.after = after;
      this.next = next;
    }

    @Override
    public void onRecheck(Recheck recheck) {
      next.onRecheck(recheck);
    }

    @Override
    public void onBegin(Step step) {
      next.onBegin(step);
      before = history;
      if (step instanceof Step.Act act) {
        history = after.apply(history, act);
      }
    }

    @Override
    public void onResult(StepResult result) {
      if (!(result.result() instanceof ActionResult.Done)) {
        history = before;
      }
      next.onResult(result);
    }

    /** The history with all actions that may have happened. */
    PlanHistory history() {
      return history;
    }
  }
}
