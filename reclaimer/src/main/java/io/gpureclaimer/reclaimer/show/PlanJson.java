package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.reclaimer.action.Action.ActionId;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.GpuShare;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.execution.PlanExecutor.StepResult;
import io.gpureclaimer.reclaimer.execution.Postponements.Postponement;
import io.gpureclaimer.reclaimer.json.Json;
import io.gpureclaimer.reclaimer.plan.BreakerReason;
import io.gpureclaimer.reclaimer.plan.Fairness;
import io.gpureclaimer.reclaimer.plan.FloorStatus;
import io.gpureclaimer.reclaimer.plan.FreeBlocks;
import io.gpureclaimer.reclaimer.plan.PendingStatus;
import io.gpureclaimer.reclaimer.plan.Planner.Plan;
import io.gpureclaimer.reclaimer.verdict.VerdictCode;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** JSON of a whole report, with the same facts as {@link PlanText}; its names are stable. */
@Serdeable
public record PlanJson(
    int schema,
    Instant at,
    Optional<AnsweringReplica> replica,
    Optional<String> blind,
    List<BreakerJson> breaker,
    List<WorkloadJson> workloads,
    List<StepJson> steps,
    List<PostponedJson> postponed,
    List<ResultJson> deeds,
    List<PendingJson> pending,
    FairnessJson fairness,
    List<FloorJson> floors,
    Optional<List<ReclamationJson>> reclamations,
    List<String> remarks) {
  static final int SCHEMA = 1;

  /**
   * One object, indented and ended by a line feed.
   *
   * @param replica whose report it is; absent for a report that was made for this answer
   */
  public static String of(CycleReport report, Optional<AnsweringReplica> replica) {
    return Json.indented(
        new PlanJson(
            SCHEMA,
            report.at(),
            replica,
            switch (report.observation()) {
              case Observation.Blind(String reason) -> Optional.of(reason);
              case Observation.Seen _ -> Optional.empty();
            },
            report.breaker().reasons().stream().map(BreakerJson::of).toList(),
            report.judgments().stream()
                .map(judgment -> judgment.verdict())
                .map(v -> WorkloadJson.of(v.workload(), Optional.of(VerdictJson.of(v))))
                .toList(),
            report.plan().entries().stream().map(StepJson::of).toList(),
            report.postponed().stream().map(PostponedJson::of).toList(),
            report.results().stream().map(ResultJson::of).toList(),
            report.plan().pending().stream().map(PendingJson::of).toList(),
            FairnessJson.of(report.plan().fairness()),
            report.plan().floors().stream().map(FloorJson::of).toList(),
            ReclamationJson.of(report),
            PlanText.remarks(report)));
  }

  /** Pending pods that are of use only together, and what the plan does for them. */
  @Serdeable
  record PendingJson(
      String namespace,
      List<String> pods,
      Optional<String> group,
      int gpus,
      Map<String, Integer> requested,
      Optional<Instant> since,
      String outcome,
      Optional<Instant> until,
      Optional<Double> expectedLossGpuMinutes,
      String sentence) {
    static PendingJson of(PendingStatus unit) {
      return new PendingJson(
          unit.namespace(),
          unit.pods().stream().map(pod -> pod.name()).toList(),
          unit.group().map(group -> group.name()),
          unit.gpus(),
          new TreeMap<>(unit.requested()),
          unit.since(),
          unit.outcome().code(),
          unit.until(),
          unit.expectedLossGpuMinutes(),
          unit.sentence());
    }
  }

  /**
   * What namespaces gave in the last week, and which are over their share.
   *
   * @param known whether records of actions can be read
   */
  @Serdeable
  record FairnessJson(boolean known, List<NamespaceGivenJson> namespaces) {
    static FairnessJson of(Fairness fairness) {
      return new FairnessJson(
          fairness.isKnown(),
          Stream.concat(
                  fairness.namespaces().keySet().stream(), fairness.shares().keySet().stream())
              .distinct()
              .sorted()
              .map(name -> NamespaceGivenJson.of(name, fairness))
              .toList());
    }
  }

  /** What one namespace gave. */
  @Serdeable
  record NamespaceGivenJson(
      String namespace, double gpuHours, int actions, List<ShareJson> shares) {
    static NamespaceGivenJson of(String namespace, Fairness fairness) {
      Fairness.Given given = fairness.ofNamespace(namespace);
      return new NamespaceGivenJson(
          namespace,
          Math.round(given.gpuHours() * 100) / 100.0,
          given.actions(),
          fairness.shares().getOrDefault(namespace, List.of()).stream()
              .map(ShareJson::of)
              .toList());
    }
  }

  /** Devices of a resource that a namespace uses and is entitled to. */
  @Serdeable
  record ShareJson(String resource, String source, int used, int entitled) {
    static ShareJson of(GpuShare share) {
      return new ShareJson(share.resource(), share.source(), share.used(), share.entitled());
    }
  }

  /**
   * GPUs that are to be kept free, and what the plan does for that.
   *
   * @param gpus devices of the resource in one block
   * @param usualRequests what a usual pod requests in addition
   * @param strandedBlocks those that are free and do not count, because such a pod would not fit
   * @param scarce what their nodes have too little of
   */
  @Serdeable
  record FloorJson(
      String model,
      String resource,
      int blocks,
      int gpus,
      int nodes,
      Map<String, String> usualRequests,
      Optional<Integer> freeBlocks,
      Optional<Integer> strandedBlocks,
      List<String> scarce,
      Optional<Instant> since,
      String outcome,
      String sentence) {
    static FloorJson of(FloorStatus status) {
      return new FloorJson(
          status.floor().model(),
          status.floor().resource(),
          status.floor().blocks(),
          status.floor().devices(),
          status.nodes(),
          status.usualRequests(),
          status.free().map(FreeBlocks::count),
          status.free().map(FreeBlocks::stranded),
          status.free().stream().flatMap(free -> free.scarce().stream()).sorted().toList(),
          status.since(),
          status.outcome().code(),
          status.sentence());
    }
  }

  /** A workload; with its verdict where it is one of a list. */
  @Serdeable
  record WorkloadJson(
      String namespace,
      String kind,
      String name,
      String uid,
      int gpus,
      int slices,
      int replicas,
      int claimed,
      List<String> pods,
      Optional<VerdictJson> verdict) {
    static WorkloadJson of(
        io.gpureclaimer.reclaimer.workload.Workload workload, Optional<VerdictJson> verdict) {
      return new WorkloadJson(
          workload.namespace(),
          workload.kind(),
          workload.name(),
          workload.uid(),
          workload.gpusHeld(),
          workload.slicesHeld(),
          workload.replicasHeld(),
          workload.claimedHeld(),
          workload.pods().stream().map(pod -> pod.ref().name()).toList(),
          verdict);
    }
  }

  /** A verdict in words. */
  @Serdeable
  record VerdictJson(String code, String reason, String sentence) {
    static VerdictJson of(io.gpureclaimer.reclaimer.verdict.Verdict verdict) {
      VerdictCode code = VerdictCode.of(verdict);
      return new VerdictJson(code.verdict(), code.reason(), VerdictSentence.of(verdict));
    }
  }

  /** A planned step. */
  @Serdeable
  record StepJson(String step, String workload, String uid, String sentence) {
    static StepJson of(Plan.PlanEntry entry) {
      var workload = entry.step().workload();
      return new StepJson(entry.step().name(), workload.toString(), workload.uid(), entry.reason());
    }
  }

  /** A step that has to wait. */
  @Serdeable
  record PostponedJson(String workload, String uid, Instant notBefore, String sentence) {
    static PostponedJson of(Postponement postponed) {
      var workload = postponed.verdict().workload();
      return new PostponedJson(
          workload.toString(), workload.uid(), postponed.notBefore(), postponed.why());
    }
  }

  /** A reason for which the circuit breaker is open. */
  @Serdeable
  record BreakerJson(String reason, String sentence) {
    static BreakerJson of(BreakerReason why) {
      return new BreakerJson(why.code(), why.sentence());
    }
  }

  /** ResultJson of a step. */
  @Serdeable
  record ResultJson(
      String step,
      String workload,
      String uid,
      String outcome,
      Optional<String> action,
      String sentence) {
    static ResultJson of(StepResult result) {
      var workload = result.step().workload();
      return new ResultJson(
          result.step().name(),
          workload.toString(),
          workload.uid(),
          result.result().code(),
          result.step().actionId().map(ActionId::value),
          result.sentence());
    }
  }
}
