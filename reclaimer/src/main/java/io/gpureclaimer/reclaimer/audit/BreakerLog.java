package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.plan.BreakerReason;
import io.gpureclaimer.reclaimer.plan.FollowUp;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs when the circuit breaker opens and closes, and what became of earlier actions. Confined to
 * the thread of the cycle.
 */
final class BreakerLog {
  private static final Logger log = LoggerFactory.getLogger(BreakerLog.class);

  private final Counter regrets;
  private final Counter unblocked;
  private Set<String> last = Set.of();

  BreakerLog(CollectorRegistry registry) {
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

  void onPlan(CycleReport report) {
    reasons(report.breaker().reasons());
    report.followUps().forEach(this::followUp);
  }

  /** A source that does not answer is logged elsewhere. */
  private void reasons(List<BreakerReason> all) {
    List<BreakerReason> reasons =
        all.stream().filter(reason -> !(reason instanceof BreakerReason.Blind)).toList();
    Set<String> now = reasons.stream().map(BreakerReason::code).collect(Collectors.toSet());
    reasons.stream().filter(reason -> !last.contains(reason.code())).forEach(BreakerLog::opened);
    if (now.isEmpty() && !last.isEmpty()) {
      log.info("the circuit breaker is closed again");
    }
    last = now;
  }

  private static void opened(BreakerReason reason) {
    String line = "the circuit breaker is open, nothing new is begun: {}";
    if (reason instanceof BreakerReason.FreshLeader) {
      log.info(line, reason.sentence());
    } else {
      log.warn(line, reason.sentence());
    }
  }

  private void followUp(FollowUp followUp) {
    switch (followUp) {
      case FollowUp.Recreated(var pod, int times, var coolDown) -> {
        regrets.inc();
        log.warn(
            "pod {} was created again within an hour of its eviction, {} in a row; its name is left"
                + " alone for {}",
            pod,
            times,
            Durations.format(coolDown));
      }
      case FollowUp.Bound(var pod, var waited) -> {
        unblocked.inc();
        log.info("pod {} has a node now, after {}", pod, Durations.format(waited));
      }
    }
  }
}
