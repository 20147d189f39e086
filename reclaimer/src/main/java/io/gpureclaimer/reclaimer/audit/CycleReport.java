package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.execution.PlanExecutor.StepResult;
import io.gpureclaimer.reclaimer.execution.Postponements.Postponement;
import io.gpureclaimer.reclaimer.plan.CircuitBreaker;
import io.gpureclaimer.reclaimer.plan.PendingStatus;
import io.gpureclaimer.reclaimer.plan.PlanHistory.FollowUp;
import io.gpureclaimer.reclaimer.plan.Planner.Plan;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Observation, verdicts, plan and results of one cycle.
 *
 * @param observation what the activity source said
 * @param judgments of every workload with GPUs, in a stable order
 * @param postponed which of them the plan leaves out for a while
 * @param breaker whether anything may follow from the observation
 * @param followUps what became of earlier actions, found in this cycle
 * @param plan what follows from the others
 * @param results of the steps; empty for a replica that does not lead
 */
public record CycleReport(
    Instant at,
    ClusterView cluster,
    Observation observation,
    List<Judgment> judgments,
    List<Postponement> postponed,
    CircuitBreaker.BreakerStatus breaker,
    List<FollowUp> followUps,
    Plan plan,
    List<StepResult> results) {
  public CycleReport {
    judgments = List.copyOf(judgments);
    postponed = List.copyOf(postponed);
    followUps = List.copyOf(followUps);
    results = List.copyOf(results);
  }

  /** One with a closed circuit breaker, and without follow-ups. */
  public CycleReport(
      Instant at,
      ClusterView cluster,
      Observation observation,
      List<Judgment> judgments,
      List<Postponement> postponed,
      Plan plan,
      List<StepResult> results) {
    this(
        at,
        cluster,
        observation,
        judgments,
        postponed,
        CircuitBreaker.BreakerStatus.CLOSED,
        List.of(),
        plan,
        results);
  }

  /** The namespaces of workloads, pending pods and actions. */
  public Set<String> namespaces() {
    return Stream.of(
            judgments.stream().map(judgment -> judgment.verdict().workload().namespace()),
            plan.pending().stream().map(PendingStatus::namespace),
            cluster.reclamations().stream().flatMap(List::stream).map(Reclamation::namespace))
        .flatMap(names -> names)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** What of it is about workloads of some namespaces. */
  public CycleReport in(Predicate<String> namespaces) {
    return new CycleReport(
        at,
        cluster.withRecordsOf(namespaces),
        observation,
        judgments.stream().filter(judgment -> isIn(namespaces, judgment.verdict())).toList(),
        postponed.stream().filter(wait -> isIn(namespaces, wait.verdict())).toList(),
        breaker,
        followUps,
        new Plan(
            plan.entries().stream()
                .filter(entry -> isIn(namespaces, entry.step().verdict()))
                .toList(),
            plan.pending().stream().filter(unit -> namespaces.test(unit.namespace())).toList(),
            plan.floors(),
            plan.fairness().in(namespaces)),
        results.stream().filter(result -> isIn(namespaces, result.step().verdict())).toList());
  }

  private static boolean isIn(Predicate<String> namespaces, Verdict verdict) {
    return namespaces.test(verdict.workload().namespace());
  }

  /** The same with the results of the steps. */
  public CycleReport with(List<StepResult> done) {
    return new CycleReport(
        at, cluster, observation, judgments, postponed, breaker, followUps, plan, done);
  }

  /** The one hand-over between the cycle and the pages, logs and metrics that show it. */
  @Singleton
  public static class LatestReport {
    private final AtomicReference<@Nullable CycleReport> latest = new AtomicReference<>();

    public void publish(CycleReport report) {
      latest.set(report);
    }

    /** The newest finished cycle; empty before the first. */
    public Optional<CycleReport> get() {
      return Optional.ofNullable(latest.get());
    }
  }
}
