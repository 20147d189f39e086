package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.audit.record.VerdictInputs.JudgmentTerms;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.execution.PlanExecutor.StepListener;
import io.gpureclaimer.reclaimer.execution.PlanExecutor.StepResult;
import io.gpureclaimer.reclaimer.execution.PreActionCheck.Recheck;
import io.gpureclaimer.reclaimer.reclamation.ReclamationReconciler.ReconcileStep.Refused;
import io.gpureclaimer.reclaimer.reclamation.ReclamationReconciler.ReconcileStep.Transition;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Histogram;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;

/**
 * Reports every cycle to the log, the metrics and the records. Confined to the thread of the cycle.
 */
@Singleton
public class Auditor implements StepListener {
  private static final double NANOS_PER_SECOND = 1e9;

  private final CycleGauges gauges;
  private final AuditCounters counters;
  private final OutcomeCounters outcomes;
  private final Histogram.Child observeTime;
  private final Histogram.Child actTime;
  private final TransitionLog transitions = new TransitionLog();
  private final DecisionLog decisions;
  private final Leadership leadership;
  private final List<CycleListener> listeners;
  private final Clock clock;
  private final MonotonicClock monotonic;
  private long phaseStart;
  private Observation seen = new Observation.Blind("no cycle has looked yet");

  Auditor(
      CollectorRegistry registry,
      JudgmentTerms terms,
      RecordSink sink,
      List<CycleListener> listeners,
      Leadership leadership,
      TeamLabel team,
      Clock clock,
      MonotonicClock monotonic) {
    this.gauges = new CycleGauges(leadership, team).register(registry);
    this.counters = new AuditCounters(registry);
    this.outcomes = new OutcomeCounters(registry);
    Histogram times =
        Histogram.build("gpu_reclaimer_cycle_seconds", "Duration of the phases of a cycle.")
            .labelNames("phase")
            .buckets(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
            .register(registry);
    this.observeTime = times.labels("look");
    this.actTime = times.labels("act");
    this.decisions = new DecisionLog(terms, sink);
    this.leadership = leadership;
    this.listeners = List.copyOf(listeners);
    this.clock = clock;
    this.monotonic = monotonic;
    this.phaseStart = monotonic.nanos();
  }

  /** Listener of plans before any step is executed. */
  public interface CycleListener {

    /** A cycle observed and planned. */
    void onPlan(CycleReport report, boolean leads);

    /** The record of an action reached another state. */
    default void onTransition(Transition transition) {}
  }

  /** A cycle begins. */
  public void begins() {
    phaseStart = monotonic.nanos();
  }

  /** A cycle observed and planned; no step is executed yet. */
  public void planned(CycleReport report) {
    observeTime.observe(endPhase());
    seen = report.observation();
    gauges.found(report);
    counters.onPlan(report);
    transitions.onPlan(report);
    boolean leads = leadership.isHeld();
    outcomes.onPlan(report, leads);
    decisions.onPlan(report, leads);
    listeners.forEach(listener -> listener.onPlan(report, leads));
  }

  @Override
  public void onTransition(Transition transition) {
    counters.onTransition(transition);
    transitions.onTransition(transition);
    listeners.forEach(listener -> listener.onTransition(transition));
  }

  @Override
  public void onRefusal(Refused refused) {
    counters.onRefusal(refused);
    transitions.onRefusal(refused);
  }

  @Override
  public void onRecheck(Recheck recheck) {
    decisions.onRecheck(recheck);
  }

  @Override
  public void onResult(StepResult result) {
    counters.onResult(result, seen);
    outcomes.onResult(result, clock.instant());
    transitions.onResult(result, clock.instant());
    decisions.onResult(result);
  }

  /** The cycle is over. */
  public void finished() {
    actTime.observe(endPhase());
    gauges.finished(clock.instant());
    transitions.finished();
  }

  /** The API server did not answer, so the cycle ended early. */
  public void abandoned(ClusterUnreachable why) {
    gauges.clusterUnreachable();
    transitions.abandoned(why);
  }

  private double endPhase() {
    long now = monotonic.nanos();
    double seconds = (now - phaseStart) / NANOS_PER_SECOND;
    phaseStart = now;
    return seconds;
  }
}
