package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.reclaimer.json.Json;
import io.gpureclaimer.reclaimer.simulate.PolicyComparison;
import io.gpureclaimer.reclaimer.simulate.PolicyComparison.PolicyOutcome;
import io.gpureclaimer.reclaimer.simulate.SimulationResult;
import io.gpureclaimer.reclaimer.simulate.SimulationResult.HourlyUsage;
import io.gpureclaimer.reclaimer.simulate.SimulationResult.ReclaimedWorkload;
import io.gpureclaimer.reclaimer.simulate.SimulationResult.WaitFigures;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * JSON of a comparison of policies: every run by itself, so that all figures of {@link
 * SimulationText} can be computed from it; its names are stable.
 */
@Serdeable
public record SimulationJson(
    int schema,
    String description,
    Duration length,
    int nodes,
    int gpus,
    int workloads,
    List<Long> seeds,
    List<ComparedPolicyJson> policies,
    List<String> remarks) {

  /** One object, ended by a line feed. */
  public static String of(PolicyComparison comparison) {
    return Json.indented(
        new SimulationJson(
            PlanJson.SCHEMA,
            comparison.description(),
            comparison.length(),
            comparison.nodes(),
            comparison.gpus(),
            comparison.workloads(),
            comparison.seeds(),
            comparison.outcomes().stream().map(ComparedPolicyJson::of).toList(),
            comparison.remarks()));
  }

  /** One policy with its runs. */
  @Serdeable
  record ComparedPolicyJson(String policy, String text, List<RunJson> runs) {
    static ComparedPolicyJson of(PolicyOutcome outcome) {
      return new ComparedPolicyJson(
          outcome.policy().code(),
          outcome.policy().text(),
          outcome.runs().stream().map(RunJson::of).toList());
    }
  }

  /** One run; GPU time is in GPU-hours, other times in seconds. */
  @Serdeable
  record RunJson(
      long seed,
      double hours,
      double allocated,
      double free,
      double freeFragmented,
      double freeWhilePending,
      double active,
      double unknown,
      Map<String, WaitJson> pending,
      Map<String, WaitJson> pendingByPriority,
      WaitJson returns,
      int trainingsCompleted,
      double usefulWork,
      Map<String, Double> usefulWorkByKind,
      double workRepeated,
      double requestsMissed,
      int reclaimed,
      Map<String, Integer> reclaimedByAction,
      int reclaimedWhileActive,
      int neededWithin30m,
      int neededWithin1h,
      int neededWithin4h,
      int unknownWhetherNeeded,
      int usersDisturbed,
      double freed,
      double freedUsed,
      Map<String, Double> freedUsedByNamespace,
      double freedForPending,
      double freedForPendingUsed,
      List<ActionJson> actions,
      List<Double> allocatedByHour,
      List<Double> activeByHour) {
    static RunJson of(SimulationResult run) {
      var pending = new TreeMap<String, WaitJson>();
      run.pending()
          .forEach(
              (key, wait) ->
                  pending.put(key, WaitJson.of(wait, !key.equals(SimulationResult.ALL))));
      var byPriority = new TreeMap<String, WaitJson>();
      run.pendingByPriority()
          .forEach(
              (priority, wait) ->
                  byPriority.put(Integer.toString(priority), WaitJson.of(wait, true)));
      return new RunJson(
          run.seed(),
          run.hours(),
          run.usage().allocated(),
          run.usage().free(),
          run.usage().fragmented(),
          run.usage().stranded(),
          run.usage().active(),
          run.usage().unknown(),
          pending,
          byPriority,
          WaitJson.of(run.returns(), true),
          run.work().trainings(),
          run.work().useful(),
          run.work().usefulByKind(),
          run.work().lost(),
          run.work().missed(),
          run.reclaims().total(),
          run.reclaims().byAction(),
          run.reclaims().whileActive(),
          run.reclaims().neededWithin30m(),
          run.reclaims().neededWithin1h(),
          run.reclaims().neededWithin4h(),
          run.reclaims().unknownAfter(),
          run.reclaims().disturbances(),
          run.freed().total(),
          run.freed().used(),
          run.freed().usedBy(),
          run.freed().forUnits(),
          run.freed().usedByUnits(),
          run.actions().stream().map(ActionJson::of).toList(),
          run.series().stream().map(HourlyUsage::allocated).toList(),
          run.series().stream().map(HourlyUsage::active).toList());
    }
  }

  /** Pending times and their percentiles; the times of all pods are those of the shapes. */
  @Serdeable
  record WaitJson(
      int pods,
      int unserved,
      Optional<Integer> p50,
      Optional<Integer> p95,
      Optional<Integer> p99,
      Optional<List<Integer>> servedSeconds,
      Optional<List<Integer>> unservedSeconds) {
    static WaitJson of(WaitFigures wait, boolean listed) {
      return new WaitJson(
          wait.pods(),
          wait.unserved().size(),
          percentile(wait, 50),
          percentile(wait, 95),
          percentile(wait, 99),
          Optional.of(wait.served()).filter(_ -> listed),
          Optional.of(wait.unserved()).filter(_ -> listed));
    }

    private static Optional<Integer> percentile(WaitFigures wait, int percent) {
      OptionalInt found = wait.percentile(percent);
      return found.isPresent() ? Optional.of(found.getAsInt()) : Optional.empty();
    }
  }

  /** One workload that was reclaimed; times in seconds. */
  @Serdeable
  record ActionJson(
      long at,
      String namespace,
      String workload,
      String action,
      int gpus,
      boolean active,
      Optional<Long> neededAfter,
      long lostGpuSeconds) {
    static ActionJson of(ReclaimedWorkload each) {
      return new ActionJson(
          each.at(),
          each.namespace(),
          each.name(),
          each.action(),
          each.gpus(),
          each.active(),
          each.neededAfter(),
          each.lostGpuSeconds());
    }
  }
}
