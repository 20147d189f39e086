package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.verdict.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.VerdictCode;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was decided since the start, and how long GPUs did nothing meanwhile. Confined to the thread
 * of the cycle.
 */
final class DecisionCounters {
  private static final double MILLIS_PER_SECOND = 1_000.0;

  private final Counter decisions;
  private final Counter idleSeconds;

  private Map<String, VerdictCode> decided = Map.of();
  private Optional<Instant> lastLook = Optional.empty();

  DecisionCounters(CollectorRegistry registry) {
    decisions =
        Counter.build(
                "gpu_reclaimer_decisions_total",
                "Verdicts on workloads, counted when a workload comes to another one.")
            .labelNames("verdict", "reason")
            .register(registry);
    idleSeconds =
        Counter.build(
                "gpu_reclaimer_idle_gpu_seconds_total",
                "Seconds that whole GPUs were held and did nothing, as far as cycles have seen it;"
                    + " without those of protected workloads.")
            .labelNames("namespace", "class")
            .register(registry);
  }

  void onPlan(CycleReport report) {
    var now = new HashMap<String, VerdictCode>();
    for (Judgment judgment : report.judgments()) {
      Verdict verdict = judgment.verdict();
      VerdictCode code = VerdictCode.of(verdict);
      String uid = verdict.workload().uid();
      now.put(uid, code);
      if (!code.equals(decided.get(uid))) {
        decisions.labels(code.verdict(), code.reason()).inc();
      }
    }
    lastLook.ifPresent(last -> countIdleSeconds(report, Duration.between(last, report.at())));
    decided = Map.copyOf(now);
    lastLook = Optional.of(report.at());
  }

  /** Of the time since the last look, only that for which a workload is known to be idle. */
  private void countIdleSeconds(CycleReport report, Duration sinceLastLook) {
    for (Judgment judgment : report.judgments()) {
      Verdict verdict = judgment.verdict();
      verdict
          .idleTime()
          .map(idleFor -> idleFor.compareTo(sinceLastLook) < 0 ? idleFor : sinceLastLook)
          .filter(Duration::isPositive)
          .ifPresent(
              idle ->
                  idleSeconds
                      .labels(verdict.workload().namespace(), workloadClass(judgment))
                      .inc(
                          WholeGpus.heldBy(verdict.workload(), report.observation())
                              * idle.toMillis()
                              / MILLIS_PER_SECOND));
    }
  }

  private static String workloadClass(Judgment judgment) {
    return judgment.policy().map(policy -> policy.workloadClass().value().text()).orElse("unknown");
  }
}
