package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.plan.Aftermath;
import io.gpureclaimer.reclaimer.plan.Trip;
import io.gpureclaimer.reclaimer.plan.TripSentence;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells when the circuit breaker opens and closes, and what became of earlier evictions. Confined
 * to the thread of the cycle.
 */
final class BreakerTeller {
  private static final Logger log = LoggerFactory.getLogger(BreakerTeller.class);

  private final Counter regrets;
  private final Counter unblocked;
  private Set<String> last = Set.of();

  BreakerTeller(CollectorRegistry registry) {
    regrets =
        Counter.build(
                "gpu_reclaimer_regrets_total",
                "Evicted pods that somebody created again within an hour.")
            .register(registry);
    unblocked =
        Counter.build(
                "gpu_reclaimer_pending_unblocked_total",
                "Waiting pods that got a node after somebody was evicted for them.")
            .register(registry);
  }

  void looked(CycleReport report) {
    trips(report.health().trips());
    report.aftermath().forEach(this::became);
  }

  /** That the source is blind is told elsewhere. */
  private void trips(List<Trip> all) {
    List<Trip> trips = all.stream().filter(trip -> !(trip instanceof Trip.Blind)).toList();
    Set<String> now = trips.stream().map(Trip::code).collect(Collectors.toSet());
    trips.stream().filter(trip -> !last.contains(trip.code())).forEach(BreakerTeller::opened);
    if (now.isEmpty() && !last.isEmpty()) {
      log.info("the circuit breaker is closed again");
    }
    last = now;
  }

  private static void opened(Trip trip) {
    String line = "the circuit breaker is open, nothing new is begun: {}";
    if (trip instanceof Trip.FreshLeader) {
      log.info(line, TripSentence.of(trip));
    } else {
      log.warn(line, TripSentence.of(trip));
    }
  }

  private void became(Aftermath aftermath) {
    switch (aftermath) {
      case Aftermath.Regretted(var pod, int times, var coolDown) -> {
        regrets.inc();
        log.warn(
            "pod {} was created again within an hour of its eviction, {} in a row; its name is left"
                + " alone for {}",
            pod,
            times,
            Durations.format(coolDown));
      }
      case Aftermath.Unblocked(var pod, var waited) -> {
        unblocked.inc();
        log.info("pod {} has a node now, after {}", pod, Durations.format(waited));
      }
    }
  }
}
