package io.gpureclaimer.reclaimer.backtest;

import io.gpureclaimer.reclaimer.backtest.Backtest.NamespaceScope;
import io.gpureclaimer.reclaimer.backtest.SimulatedReclamation.SimulatedEviction;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.HistoricalObservation;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.SignalHistoryStore;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.verdict.Judge;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.Warning;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Replays past observations through the judge, with warnings, withdrawals and evictions as in a
 * cycle. What would have been reclaimed is followed through what it really did, and is judged again
 * once it has come back to work. Confined to one thread.
 */
public final class PolicyReplay {
  private final ReconstructedCluster cluster;
  private final Judge judge;
  private final SignalHistoryStore signals;
  private final UsageTotals books;
  private final Map<String, Map<String, String>> warnings = new HashMap<>();
  private final Map<String, SimulatedEviction> reclaimed = new HashMap<>();
  private final Map<String, Instant> lastSeen = new HashMap<>();
  private final List<SimulatedReclamation> reclaims = new ArrayList<>();
  private final TimeRange range;

  /**
   * @param today the cluster as it is now
   * @param signals remembers those of the steps that are played
   */
  public PolicyReplay(
      TimeRange range,
      ClusterView today,
      ModeOverride modes,
      Judge judge,
      SignalHistoryStore signals,
      NamespaceScope scope) {
    this.range = range;
    this.cluster = new ReconstructedCluster(today, modes);
    this.judge = judge;
    this.signals = signals;
    this.books = new UsageTotals(range, today, modes, scope);
  }

  /** Plays the next observation. */
  public void play(HistoricalObservation observation) {
    ClusterView view = cluster.at(observation, warnings);
    Observation heard = signals.update(observation.seen().joined(Judge.identities(view.pods())));
    if (!(heard instanceof Seen seen)) {
      throw new IllegalStateException("an observation of the past is never blind, was " + heard);
    }
    books.add(observation, seen);
    for (Judgment judgment : judge.judge(view, seen, seen.at())) {
      books.enter(judgment, seen);
      follow(judgment, seen);
    }
    seen.pods().keySet().forEach(uid -> lastSeen.put(uid, seen.at()));
  }

  /** What came of all steps. */
  public Backtest finish() {
    Instant end = range.at(range.steps());
    reclaimed.forEach(
        (uid, each) ->
            reclaims.add(each.with(each.atTheEnd(end, lastSeen.getOrDefault(uid, end)))));
    reclaimed.clear();
    return books.close(reclaims, cluster.gone());
  }

  private void follow(Judgment judgment, Seen seen) {
    Workload workload = judgment.verdict().workload();
    String uid = workload.pods().getFirst().ref().uid();
    SimulatedEviction before = reclaimed.get(uid);
    if (before == null) {
      actOn(judgment.verdict(), seen);
      return;
    }
    Optional<PodActivity> activity = seen.pod(uid);
    if (activity.isPresent()) {
      before
          .follow(judgment, activity.get(), seen.at())
          .ifPresent(
              afterwards -> {
                reclaims.add(before.with(afterwards));
                reclaimed.remove(uid);
              });
    }
  }

  private void actOn(Verdict verdict, Seen seen) {
    switch (verdict) {
      case Verdict.ToWarn toWarn -> warn(toWarn, seen.at());
      case Verdict.ToWithdraw withdraw -> forgetWarning(withdraw.workload());
      case Verdict.Due due -> take(due, seen);
      case Verdict.Protected _,
          Verdict.NotRunning _,
          Verdict.Starting _,
          Verdict.Vetoed _,
          Verdict.Active _,
          Verdict.Unknown _,
          Verdict.Watching _,
          Verdict.Reported _,
          Verdict.Warned _,
          Verdict.Notified _ -> {}
    }
  }

  private void warn(Verdict.ToWarn toWarn, Instant now) {
    Map<String, String> written = new HashMap<>();
    Warning.of(toWarn, now)
        .annotations()
        .forEach((key, value) -> value.ifPresent(text -> written.put(key, text)));
    toWarn.workload().pods().forEach(pod -> warnings.put(pod.ref().uid(), Map.copyOf(written)));
  }

  private void forgetWarning(Workload workload) {
    workload.pods().forEach(pod -> warnings.remove(pod.ref().uid()));
  }

  private void take(Verdict.Due due, Seen seen) {
    PodView pod = due.workload().firstPod();
    String uid = pod.ref().uid();
    forgetWarning(due.workload());
    if (!books.isAskedFor(pod.ref().namespace())) {
      return;
    }
    PodActivity activity = seen.pod(uid).orElseThrow();
    reclaimed.put(
        uid,
        new SimulatedEviction(
            due, cluster.isGone(uid), pod.accelerators().devices(), activity, seen.at()));
  }
}
