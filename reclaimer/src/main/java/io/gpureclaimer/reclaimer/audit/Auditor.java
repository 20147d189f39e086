package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.act.Deed;
import io.gpureclaimer.reclaimer.act.LookAgain;
import io.gpureclaimer.reclaimer.audit.record.Terms;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.prometheus.client.CollectorRegistry;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;

/**
 * Tells every cycle to the log, to the metrics and to the records. Confined to the thread of the
 * cycle.
 */
@Singleton
public class Auditor {
  private final CycleGauges gauges;
  private final DeedCounters counters;
  private final BreakerTeller breaker;
  private final DecisionCounters verdicts;
  private final CycleTimes times;
  private final TransitionLog transitions = new TransitionLog();
  private final DecisionLog decisions;
  private final Leadership leadership;
  private final List<Listener> listeners;
  private final Clock clock;
  private Observation seen = new Observation.Blind("no cycle has looked yet");

  Auditor(
      CollectorRegistry registry,
      Terms terms,
      RecordSink sink,
      List<Listener> listeners,
      Leadership leadership,
      Clock clock) {
    this.gauges = new CycleGauges().register(registry);
    this.counters = new DeedCounters(registry);
    this.breaker = new BreakerTeller(registry);
    this.verdicts = new DecisionCounters(registry);
    this.times = new CycleTimes(registry);
    new LeaderGauge(leadership).register(registry);
    this.decisions = new DecisionLog(terms, sink);
    this.leadership = leadership;
    this.listeners = List.copyOf(listeners);
    this.clock = clock;
  }

  /** A cycle begins. */
  public void begins() {
    times.begins();
  }

  /** What a cycle has seen and planned; nothing of it is done yet. */
  public void looked(CycleReport report) {
    times.looked();
    seen = report.observation();
    gauges.found(report);
    verdicts.looked(report);
    transitions.looked(report);
    breaker.looked(report);
    boolean leads = leadership.isHeld();
    decisions.looked(report, leads);
    listeners.forEach(listener -> listener.looked(report, leads));
  }

  /** What was seen right before a deed. */
  public void looksAgain(LookAgain look) {
    decisions.looksAgain(look);
  }

  /** What came of one step, as soon as it is known. */
  public void did(Deed deed) {
    counters.count(deed, seen);
    transitions.did(deed, clock.instant());
    decisions.did(deed);
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
