package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.audit.AuditCounters.WholeGpus;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.plan.BreakerReason;
import io.gpureclaimer.reclaimer.plan.CircuitBreaker;
import io.gpureclaimer.reclaimer.plan.CoverageStats;
import io.gpureclaimer.reclaimer.plan.Fairness;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.VerdictCode;
import io.prometheus.client.Collector;
import io.prometheus.client.GaugeMetricFamily;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Gauges of the last cycle, and whether this replica leads, which is asked at each scrape. Gauges
 * of a cycle change at once, and are absent before the first. Written by the thread of the cycle,
 * read by scrapes.
 */
final class CycleGauges extends Collector {
  private static final double MILLIS_PER_SECOND = 1_000.0;

  private final Leadership leadership;
  private final WorkloadGauges ofWorkloads;
  private final AtomicReference<List<MetricFamilySamples>> families =
      new AtomicReference<>(List.of());

  /** How many workloads have each verdict; one that was seen once is counted on, even as zero. */
  private final TreeMap<String, Integer> workloads = new TreeMap<>();

  private List<MetricFamilySamples> found = List.of();
  private List<MetricFamilySamples> finished = List.of();

  CycleGauges(Leadership leadership, TeamLabel team) {
    this.ofWorkloads = new WorkloadGauges(team);
    this.leadership = leadership;
  }

  void found(CycleReport report) {
    found = new ArrayList<>(coverage(report.breaker().coverage()));
    found.addAll(
        List.of(
            workloads(report.judgments()),
            breaker(report.breaker()),
            new GaugeMetricFamily(
                "gpu_reclaimer_activity_source_up",
                "1 if the activity source answered the last cycle completely.",
                switch (report.observation()) {
                  case Observation.Seen _ -> 1;
                  case Observation.Blind _ -> 0;
                }),
            form(report.observation())));
    found.addAll(idleGpus(report));
    found.addAll(records(report));
    found.addAll(gpuHoursTaken(report));
    found.addAll(ofWorkloads.of(report));
    found.addAll(FragmentationGauges.of(report.cluster()));
    found.addAll(FloorGauges.of(report.plan().floors()));
    found.addAll(PendingUnitGauges.of(report));
    publish(true);
  }

  void finished(Instant at) {
    finished =
        List.of(
            new GaugeMetricFamily(
                "gpu_reclaimer_last_cycle_timestamp_seconds",
                "Unix time at which the last cycle finished.",
                at.toEpochMilli() / MILLIS_PER_SECOND));
    publish(true);
  }

  void clusterUnreachable() {
    publish(false);
  }

  @Override
  public List<MetricFamilySamples> collect() {
    var all = new ArrayList<>(families.get());
    all.add(
        new GaugeMetricFamily(
            "gpu_reclaimer_leader", "1 if this replica leads.", leadership.isHeld() ? 1 : 0));
    return all;
  }

  private void publish(boolean clusterUp) {
    var all = new ArrayList<MetricFamilySamples>();
    all.add(
        new GaugeMetricFamily(
            "gpu_reclaimer_cluster_up",
            "1 if the API server answered the last cycle.",
            clusterUp ? 1 : 0));
    all.addAll(found);
    all.addAll(finished);
    families.set(List.copyOf(all));
  }

  private MetricFamilySamples workloads(List<Judgment> judgments) {
    workloads.replaceAll((_, _) -> 0);
    judgments.forEach(
        judgment -> workloads.merge(VerdictCode.of(judgment.verdict()).verdict(), 1, Integer::sum));
    var family =
        new GaugeMetricFamily(
            "gpu_reclaimer_workloads",
            "Workloads with GPUs, by verdict of the last cycle.",
            List.of("verdict"));
    workloads.forEach((verdict, count) -> family.addMetric(List.of(verdict), count));
    return family;
  }

  private static MetricFamilySamples breaker(CircuitBreaker.BreakerStatus status) {
    var family =
        new GaugeMetricFamily(
            "gpu_reclaimer_breaker_open",
            "1 while the circuit breaker is open for this reason: no new warning or action begins.",
            List.of("reason"));
    for (String code : BreakerReason.CODES) {
      boolean open = status.reasons().stream().anyMatch(reason -> reason.code().equals(code));
      family.addMetric(List.of(code), open ? 1 : 0);
    }
    return family;
  }

  /** As the circuit breaker uses it; absent while no pod holds a GPU. */
  private static List<MetricFamilySamples> coverage(CoverageStats coverage) {
    return coverage.expected() == 0
        ? List.of()
        : List.of(
            new GaugeMetricFamily(
                "gpu_reclaimer_data_coverage_ratio",
                "Share of running GPU pods that the last cycle observed.",
                coverage.coverage()));
  }

  private static MetricFamilySamples form(Observation observation) {
    var family =
        new GaugeMetricFamily(
            "gpu_reclaimer_activity_source_info",
            "Evidence format of the last cycle.",
            List.of("form"));
    if (observation instanceof Observation.Seen seen) {
      seen.format().ifPresent(form -> family.addMetric(List.of(form.code()), 1));
    }
    return family;
  }

  /** Absent while the source does not respond: no idle GPU seen is not zero idle GPUs. */
  private static List<MetricFamilySamples> idleGpus(CycleReport report) {
    return switch (report.observation()) {
      case Observation.Blind _ -> List.of();
      case Observation.Seen _ ->
          List.of(
              new GaugeMetricFamily(
                  "gpu_reclaimer_idle_gpus",
                  "GPUs allocated to workloads that were idle in the last cycle.",
                  countIdle(report)));
    };
  }

  /** Absent while the records cannot be read: no record seen is not zero records. */
  private static List<MetricFamilySamples> records(CycleReport report) {
    return report.cluster().records().stream()
        .map(
            records -> {
              var family =
                  new GaugeMetricFamily(
                      "gpu_reclaimer_reclamations",
                      "Records of actions, by state; Unreadable counts those that cannot be read.",
                      List.of("state"));
              for (ReclamationState state : ReclamationState.values()) {
                long count =
                    records.all().stream()
                        .flatMap(record -> record.status().stream())
                        .filter(progress -> progress.state() == state)
                        .count();
                family.addMetric(List.of(state.text()), (double) count);
              }
              family.addMetric(List.of("Unreadable"), (double) records.unreadable().size());
              return (MetricFamilySamples) family;
            })
        .toList();
  }

  /** Absent while the records cannot be read: what is not known is not zero. */
  private static List<MetricFamilySamples> gpuHoursTaken(CycleReport report) {
    Fairness fairness = report.plan().fairness();
    if (!fairness.isKnown()) {
      return List.of();
    }
    var family =
        new GaugeMetricFamily(
            "gpu_reclaimer_gpu_hours_taken",
            "GPU-hours that reclaimed workloads of a namespace gave in the last week.",
            List.of("namespace"));
    fairness
        .namespaces()
        .forEach((name, given) -> family.addMetric(List.of(name), given.gpuHours()));
    return List.of(family);
  }

  private static int countIdle(CycleReport report) {
    return report.judgments().stream()
        .map(Judgment::verdict)
        .filter(verdict -> verdict.idleTime().isPresent())
        .mapToInt(verdict -> WholeGpus.heldBy(verdict.workload(), report.observation()))
        .sum();
  }
}
