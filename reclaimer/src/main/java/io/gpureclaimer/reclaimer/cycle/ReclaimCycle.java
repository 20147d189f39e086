package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.reclaimer.act.Backoff;
import io.gpureclaimer.reclaimer.act.Deed;
import io.gpureclaimer.reclaimer.act.Performer;
import io.gpureclaimer.reclaimer.act.Postponement;
import io.gpureclaimer.reclaimer.act.Witness;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.evidence.ActivitySource;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.SignalHistoryStore;
import io.gpureclaimer.reclaimer.plan.CircuitBreaker;
import io.gpureclaimer.reclaimer.plan.CircuitBreaker.Check;
import io.gpureclaimer.reclaimer.plan.Memory;
import io.gpureclaimer.reclaimer.plan.NamespaceBudget;
import io.gpureclaimer.reclaimer.plan.Plan;
import io.gpureclaimer.reclaimer.plan.Planner;
import io.gpureclaimer.reclaimer.plan.Situation;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.verdict.Judge;
import io.gpureclaimer.reclaimer.verdict.Judgment;
import io.gpureclaimer.reclaimer.verdict.Recognition;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** One cycle, from the look to the deed. Decides nothing itself. Confined to one thread. */
@Singleton
public class ReclaimCycle {
  /** What was seen longer ago is no reason to begin another round; the next cycle looks again. */
  private static final Duration LONGEST_RELIED_ON = Duration.ofMinutes(2);

  private final Cluster cluster;
  private final ActivitySource source;
  private final SignalHistoryStore signals;
  private final Judge judge;
  private final CircuitBreaker breaker;
  private final Planner planner;
  private final Backoff backoff;
  private final Performer performer;
  private final Leadership leadership;
  private final Clock clock;
  private Memory memory;

  /** What the last plan was made of. */
  private Situation situation;

  ReclaimCycle(
      Cluster cluster,
      ActivitySource source,
      SignalHistoryStore signals,
      Judge judge,
      CircuitBreaker breaker,
      Planner planner,
      Backoff backoff,
      Performer performer,
      Leadership leadership,
      Clock clock) {
    this.cluster = cluster;
    this.source = source;
    this.signals = signals;
    this.judge = judge;
    this.breaker = breaker;
    this.planner = planner;
    this.backoff = backoff;
    this.performer = performer;
    this.leadership = leadership;
    this.clock = clock;
    this.memory = Memory.none(clock.instant());
    this.situation = Situation.nothing(memory, clock.instant());
  }

  /** The cluster alone, as it is now; nobody is asked what it does. */
  ClusterView cluster() {
    return cluster.look();
  }

  /** Looks, judges and plans; changes nothing. */
  public CycleReport look() {
    boolean leading = leadership.isHeld();
    ClusterView view = cluster.look();
    // The source answers about the moment at which it was asked, however long that takes it.
    Instant now = clock.instant();
    Observation observation =
        signals.update(source.fetchAll().joined(Recognition.holders(view.pods())));
    List<Judgment> judgments = judge.judge(view, observation, now);
    Memory.News news = memory.at(leading, now).news(view, planner.limits(), now);
    Check check = breaker.check(observation, judgments, news.memory(), now);
    memory = check.memory();
    List<Postponement> postponed =
        verdicts(judgments)
            .filter(ReclaimCycle::asksForMore)
            .flatMap(verdict -> backoff.of(verdict).stream())
            .toList();
    List<Verdict> verdicts = verdicts(judgments).filter(this::isNotPostponed).toList();
    situation =
        new Situation(verdicts, view, NamespaceBudget.of(judgments), check.health(), memory, now);
    Plan plan =
        switch (observation) {
          case Observation.Blind _ -> new Plan(List.of());
          case Observation.Seen _ -> planner.plan(situation);
        };
    return new CycleReport(
        now,
        view,
        observation,
        judgments,
        postponed,
        check.health(),
        news.found(),
        plan,
        List.of());
  }

  /**
   * Does what was planned, if it was planned as a leader. While refusals leave all evictions of the
   * plan undone, others take their turn, as long as what was seen is not old.
   *
   * @param looked from {@link #look}, just now
   * @param witness sees each deed at once
   * @return the same with what came of it
   */
  public CycleReport act(CycleReport looked, Witness witness) {
    return switch (looked.observation()) {
      case Observation.Seen seen when memory.leads() -> {
        List<Deed> round = perform(looked.plan(), seen, witness);
        var deeds = new ArrayList<>(round);
        while (isRefusedAltogether(round)
            && Duration.between(looked.at(), clock.instant()).compareTo(LONGEST_RELIED_ON) < 0) {
          round = perform(evictionsOfOthers(looked, deeds), seen, witness);
          deeds.addAll(round);
        }
        yield looked.with(deeds);
      }
      case Observation.Seen _, Observation.Blind _ -> looked;
    };
  }

  /** An eviction is remembered before it is tried: one whose answer is lost may have been heard. */
  private List<Deed> perform(Plan plan, Observation.Seen seen, Witness witness) {
    var attempts = new Attempts(memory, this::after, witness);
    try {
      return performer.perform(plan, seen, attempts);
    } finally {
      memory = attempts.memory();
    }
  }

  private Memory after(Memory before, Step.Evict evict) {
    return before.after(evict, situation, planner.limits(), clock.instant());
  }

  private Plan evictionsOfOthers(CycleReport looked, List<Deed> deeds) {
    List<String> tried =
        deeds.stream().map(deed -> deed.step().verdict().workload().uid()).toList();
    List<Verdict> others =
        verdicts(looked.judgments())
            .filter(Verdict.Due.class::isInstance)
            .filter(this::isNotPostponed)
            .filter(verdict -> !tried.contains(verdict.workload().uid()))
            .toList();
    situation =
        new Situation(
            others, cluster.look(), situation.caps(), looked.health(), memory, clock.instant());
    return planner.plan(situation);
  }

  private static boolean isRefusedAltogether(List<Deed> round) {
    List<Deed> evictions =
        round.stream().filter(deed -> deed.step() instanceof Step.Evict).toList();
    return !evictions.isEmpty() && evictions.stream().allMatch(ReclaimCycle::isRefusal);
  }

  private static boolean isRefusal(Deed deed) {
    return switch (deed) {
      case Deed.Spared _, Deed.Postponed _, Deed.Failed _ -> true;
      case Deed.Done _, Deed.Rehearsed _, Deed.NotLeading _ -> false;
    };
  }

  private boolean isNotPostponed(Verdict verdict) {
    return !asksForMore(verdict) || backoff.of(verdict).isEmpty();
  }

  /** Taking a warning back is never put off. */
  private static boolean asksForMore(Verdict verdict) {
    return verdict instanceof Verdict.ToWarn || verdict instanceof Verdict.Due;
  }

  private static Stream<Verdict> verdicts(List<Judgment> judgments) {
    return judgments.stream().map(Judgment::verdict);
  }
}
