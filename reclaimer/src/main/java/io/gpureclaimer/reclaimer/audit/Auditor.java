package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.audit.record.Terms;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.execution.PreActionCheck.Recheck;
import io.gpureclaimer.reclaimer.execution.StepListener;
import io.gpureclaimer.reclaimer.execution.StepResult;
import io.prometheus.client.CollectorRegistry;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;

/**
 * Reports every cycle to the log, the metrics and the records. Confined to the thread of the cycle.
 */
@Singleton
public class Auditor implements StepListener {
  private final CycleGauges gauges;
  private final StepCounters counters;
  private final BreakerLog breaker;
  private final DecisionCounters verdicts;
  private final CycleTimes times;
  private final TransitionLog transitions = new TransitionLog();
  private final DecisionLog decisions;
  private final Leadership leadership;
  private final List<CycleListener> listeners;
  private final Clock clock;
  private Observation seen = new Observation.Blind("no cycle has looked yet");

  Auditor(
      CollectorRegistry registry,
      Terms terms,
      RecordSink sink,
      List<CycleListener> listeners,
      Leadership leadership,
      Clock clock) {
    this.gauges = new CycleGauges(leadership).register(registry);
    this.counters = new StepCounters(registry);
    this.breaker = new BreakerLog(registry);
    this.verdicts = new DecisionCounters(registry);
    this.times = new CycleTimes(registry);
    this.decisions = new DecisionLog(terms, sink);
    this.leadership = leadership;
    this.listeners = List.copyOf(listeners);
    this.clock = clock;
  }

  /** Sees every plan before anything is done. */
  public interface CycleListener {

    /**
     * What a cycle has observed and planned.
     *
     * @param leads whether this replica speaks for all of them
     */
    void onPlan(CycleReport report, boolean leads);
  }

  /** A cycle begins. */
  public void begins() {
    times.begins();
  }

  /** What a cycle has observed and planned; nothing of it is done yet. */
  public void planned(CycleReport report) {
    times.planned();
    seen = report.observation();
    gauges.found(report);
    verdicts.onPlan(report);
    transitions.onPlan(report);
    breaker.onPlan(report);
    boolean leads = leadership.isHeld();
    decisions.onPlan(report, leads);
    listeners.forEach(listener -> listener.onPlan(report, leads));
  }

  @Override
  public void onRecheck(Recheck recheck) {
    decisions.onRecheck(recheck);
  }

  @Override
  public void onResult(StepResult result) {
    counters.count(result, seen);
    transitions.onResult(result, clock.instant());
    decisions.onResult(result);
  }

  /** The cycle is over. */
  public void finished() {
    times.finished();
    gauges.finished(clock.instant());
    transitions.finished();
  }

  /** The cycle is over before its end. */
  public void abandoned(ClusterUnreachable why) {
    gauges.clusterUnreachable();
    transitions.abandoned(why);
  }
}
