package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.reclaimer.cli.FlagConverters.HistoryTime;
import io.gpureclaimer.reclaimer.cli.FlagConverters.TraceTime;
import io.gpureclaimer.reclaimer.config.EvidenceConfig;
import io.gpureclaimer.reclaimer.config.KubernetesApiConfig;
import io.gpureclaimer.reclaimer.config.PrometheusConfig;
import io.gpureclaimer.reclaimer.evidence.ClusterHistoryRecord.NodeGpus;
import io.gpureclaimer.reclaimer.evidence.EvidenceRule;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.source.ClusterHistory;
import io.gpureclaimer.reclaimer.evidence.source.PrometheusHistory;
import io.gpureclaimer.reclaimer.evidence.source.PrometheusHistory.Replayed;
import io.gpureclaimer.reclaimer.simulate.HistoryTraceBuilder;
import io.gpureclaimer.reclaimer.simulate.TraceProblems.InvalidTrace;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace;
import io.micronaut.context.ApplicationContext;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The past of a cluster as a trace, from the Prometheus of the configuration. */
final class PrometheusTraceReader {
  /** The longest that every evidence format allows. */
  private static final Duration STEP = Duration.ofMinutes(1);

  private final ApplicationContext context;
  private final Map<String, Integer> priorities;
  private final Clock clock = Clock.systemUTC();

  /**
   * @param priorities of priority classes
   */
  PrometheusTraceReader(ApplicationContext context, Map<String, Integer> priorities) {
    this.context = context;
    this.priorities = priorities;
  }

  /** No complete answer of the Prometheus. */
  static final class HistoryUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private HistoryUnavailable(String reason) {
      super(reason);
    }
  }

  /**
   * The trace of a part of the past.
   *
   * @param from empty for {@code length} before its end
   * @param to empty for now
   */
  WorkloadTrace trace(Optional<TraceTime> from, Optional<HistoryTime> to, Duration length) {
    TimeRange range = range(from, to, length);
    PrometheusConnection connection =
        context.getBean(PrometheusConfig.class).connection().orElseThrow();
    var cluster =
        new ClusterHistory(connection, context.getBean(KubernetesApiConfig.class).gpuResources());
    announce(cluster.address(), range);
    var trace =
        new HistoryTraceBuilder(
            range, new EvidenceRule(context.getBean(EvidenceConfig.class).limits()), priorities);
    readCluster(cluster, range, trace);
    return trace.trace(readActivity(connection, range, trace));
  }

  private TimeRange range(Optional<TraceTime> from, Optional<HistoryTime> to, Duration length) {
    Instant now = clock.instant();
    Instant end = to.map(time -> time.before(now)).orElse(now);
    Instant start =
        from.map(time -> time.at().orElseGet(() -> now.minus(time.after().orElseThrow())))
            .orElseGet(() -> end.minus(length));
    if (end.isAfter(now)) {
      throw new InvalidTrace("--to must not be in the future, was " + end);
    }
    if (start.plus(STEP).isAfter(end)
        || Duration.between(start, end).compareTo(WorkloadTrace.LONGEST) > 0) {
      throw new InvalidTrace(
          "--from must be from 1m to 3650d before --to, was " + start + " and " + end);
    }
    return new TimeRange(start, end, STEP).aligned();
  }

  private static void announce(String address, TimeRange range) {
    System.err.println(
        "gpu-reclaimer: queries "
            + address
            + " from "
            + range.from()
            + " to "
            + range.to()
            + " every 1m, in at least "
            + ClusterHistory.queries(range)
            + " requests for "
            + String.join(", ", ClusterHistory.METRICS)
            + " of kube-state-metrics, and at least "
            + (1 + PrometheusHistory.slices(range))
            + " for the activity of GPUs, as backtest does");
  }

  private void readCluster(ClusterHistory cluster, TimeRange range, HistoryTraceBuilder trace) {
    var progress = new ProgressReport("pods", range, clock);
    Optional<String> problem =
        cluster.replay(
            range,
            fact -> {
              trace.add(fact);
              if (fact instanceof NodeGpus node) {
                progress.reached(node.at());
              }
            });
    if (problem.isPresent()) {
      throw new HistoryUnavailable(problem.get());
    }
  }

  /** Signals other than the activity of GPUs are not simulated. */
  private String readActivity(
      PrometheusConnection connection, TimeRange range, HistoryTraceBuilder trace) {
    var progress = new ProgressReport("activity", range, clock);
    var history =
        new PrometheusHistory(
            connection,
            context.getBean(PrometheusConfig.class).options(SignalLimits.none()),
            List.of());
    return switch (history.replay(
        range,
        observation -> {
          trace.add(observation);
          progress.reached(observation.seen().at());
        })) {
      case Replayed.Complete(var format) -> format.toString();
      case Replayed.Unusable(String reason) -> throw new HistoryUnavailable(reason);
      case Replayed.StepTooLong(String rule, _) -> throw new HistoryUnavailable(rule);
    };
  }
}
