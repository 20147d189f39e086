package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.act.Deed;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.prometheus.client.CollectorRegistry;
import jakarta.inject.Singleton;
import java.time.Clock;

/** Tells every cycle to the log and to the metrics. Confined to the thread of the cycle. */
@Singleton
public class Auditor {
  private final CycleGauges gauges;
  private final DeedCounters counters;
  private final BreakerTeller breaker;
  private final TransitionLog transitions = new TransitionLog();
  private final Clock clock;

  Auditor(CollectorRegistry registry, Clock clock) {
    this.gauges = new CycleGauges().register(registry);
    this.counters = new DeedCounters(registry);
    this.breaker = new BreakerTeller(registry);
    this.clock = clock;
  }

  /** What a cycle has seen and planned; nothing of it is done yet. */
  public void looked(CycleReport report) {
    gauges.found(report);
    transitions.looked(report);
    breaker.looked(report);
  }

  /** What came of one step, as soon as it is known. */
  public void did(Deed deed) {
    counters.count(deed);
    transitions.did(deed, clock.instant());
  }

  /** The cycle is over. */
  public void finished() {
    gauges.finished(clock.instant());
    transitions.finished();
  }

  /** The cycle is over before its end. */
  public void abandoned(ClusterUnreachable why) {
    gauges.clusterUnreachable();
    transitions.abandoned(why);
  }
}
