package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import io.gpureclaimer.reclaimer.execution.PlanExecutor.StepResult;
import io.gpureclaimer.reclaimer.plan.BreakerReason;
import io.gpureclaimer.reclaimer.plan.FloorStatus.FloorOutcome;
import io.gpureclaimer.reclaimer.plan.PlanHistory.FollowUp;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Remark;
import io.gpureclaimer.reclaimer.reclamation.ReclamationReconciler.ReconcileStep.Refused;
import io.gpureclaimer.reclaimer.reclamation.ReclamationReconciler.ReconcileStep.Transition;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.VerdictCode;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs what changed since the last cycle: verdicts, remarks, the circuit breaker, follow-ups of
 * actions, the results of steps, and records of actions. Confined to the thread of the cycle.
 */
final class TransitionLog {
  private static final Logger log = LoggerFactory.getLogger(TransitionLog.class);

  private Map<String, String> verdicts = Map.of();
  private Set<String> complaints = Set.of();
  private Set<String> breakerReasons = Set.of();
  private final Map<String, String> outcomes = new HashMap<>();
  private final Map<String, String> refusals = new HashMap<>();
  private Optional<FormatName> form = Optional.empty();
  private Optional<String> abandoned = Optional.empty();

  void onPlan(CycleReport report) {
    recordVerdicts(report.judgments());
    recordComplaints(report);
    recordBreaker(report.breaker().reasons());
    report.followUps().forEach(TransitionLog::followUp);
    outcomes.keySet().removeIf(uid -> !verdicts.containsKey(uid));
    report
        .cluster()
        .reclamations()
        .map(records -> records.stream().map(Reclamation::uid).collect(Collectors.toSet()))
        .ifPresent(there -> refusals.keySet().retainAll(there));
  }

  /** A result that is the same as the last one is not logged again, however long ago that was. */
  void onResult(StepResult result, Instant now) {
    Step step = result.step();
    Workload workload = step.workload();
    String outcome = step.name() + " " + result.result().code();
    if (outcome.equals(outcomes.put(workload.uid(), outcome))) {
      return;
    }
    String line = step.name() + " " + workload + ": " + result.sentence();
    switch (result.result()) {
      case ActionResult.Done _, ActionResult.DryRun _ ->
          log.info("{}: {}", line, step.sentence(now));
      case ActionResult.Skipped _, ActionResult.Blocked _, ActionResult.Awaiting _ ->
          log.info(line);
      case ActionResult.Failed _ -> log.error(line);
      case ActionResult.NotLeading _ -> log.warn(line);
    }
  }

  void onTransition(Transition transition) {
    ReclamationProgress progress = transition.progress();
    refusals.remove(transition.record().uid());
    log.atLevel(isUnexpected(progress.state()) ? Level.WARN : Level.INFO)
        .log(
            "reclamation {}/{} of {} is {}: {}",
            transition.record().namespace(),
            transition.record().name(),
            progress.owner(),
            progress.state().text(),
            progress.message());
  }

  private static boolean isUnexpected(ReclamationState state) {
    return state == ReclamationState.CONTESTED || state == ReclamationState.FAILED;
  }

  /** A refusal that is the same as the last one is not logged again. */
  void onRefusal(Refused refused) {
    Reclamation record = refused.record();
    if (!refused.why().equals(refusals.put(record.uid(), refused.why()))) {
      log.warn(
          "reclamation {}/{} unchanged, the next cycle tries again: {}",
          record.namespace(),
          record.name(),
          refused.why());
    }
  }

  void finished() {
    if (abandoned.isPresent()) {
      log.info("the API server responds again");
      abandoned = Optional.empty();
    }
  }

  void abandoned(ClusterUnreachable why) {
    Optional<String> message = Optional.ofNullable(why.getMessage());
    if (!abandoned.equals(message)) {
      log.error("cycle abandoned, the next one will try again: {}", why.getMessage(), why);
    }
    abandoned = message;
  }

  private void recordVerdicts(List<Judgment> judgments) {
    var now = new HashMap<String, String>();
    for (Judgment judgment : judgments) {
      String name = VerdictCode.of(judgment.verdict()).verdict();
      String uid = judgment.verdict().workload().uid();
      now.put(uid, name);
      if (!name.equals(verdicts.get(uid))) {
        outcomes.remove(uid);
        log.info(
            "{} is {}: {}",
            judgment.verdict().workload(),
            name,
            VerdictSentence.of(judgment.verdict()));
      }
    }
    verdicts = Map.copyOf(now);
  }

  private void recordForm(Optional<FormatName> now) {
    if (!now.equals(form)) {
      now.ifPresent(known -> log.info("evidence format: {}", known));
    }
    form = now;
  }

  /** Records of actions are needed only where an owner is due. */
  private static boolean isRecordMissing(CycleReport report) {
    return report.cluster().records().isEmpty()
        && report.plan().entries().stream()
            .anyMatch(
                entry ->
                    entry.step() instanceof Step.Wait(_, var why)
                        && why == Step.WaitReason.RECORDS_UNREADABLE);
  }

  private void recordComplaints(CycleReport report) {
    var now = new HashSet<String>();
    if (isRecordMissing(report)) {
      now.add(
          "actions on owners wait, because their records cannot be read: the CRD"
              + " reclamations.gpu-reclaimer.io or the right to read them is missing");
    }
    report.plan().floors().stream()
        .filter(each -> each.outcome() == FloorOutcome.NO_NODES)
        .forEach(each -> now.add("plan.keep-free " + each.floor() + ": " + each.sentence()));
    switch (report.observation()) {
      case Observation.Blind(String reason) -> now.add("nothing is known of any GPU: " + reason);
      case Observation.Seen seen -> {
        recordForm(seen.format());
        now.addAll(seen.oddities());
      }
    }
    for (Judgment judgment : report.judgments()) {
      judgment.policy().ifPresent(p -> p.remarks().stream().map(Remark::text).forEach(now::add));
    }
    now.stream().filter(line -> !complaints.contains(line)).sorted().forEach(log::warn);
    complaints = Set.copyOf(now);
  }

  /** A source that does not respond is logged as a complaint. */
  private void recordBreaker(List<BreakerReason> all) {
    List<BreakerReason> reasons =
        all.stream().filter(reason -> !(reason instanceof BreakerReason.Blind)).toList();
    Set<String> now = reasons.stream().map(BreakerReason::code).collect(Collectors.toSet());
    reasons.stream()
        .filter(reason -> !breakerReasons.contains(reason.code()))
        .forEach(TransitionLog::opened);
    if (now.isEmpty() && !breakerReasons.isEmpty()) {
      log.info("the circuit breaker is closed again");
    }
    breakerReasons = now;
  }

  private static void opened(BreakerReason reason) {
    String line = "the circuit breaker is open: {}; no new warning or action";
    if (reason instanceof BreakerReason.FreshLeader) {
      log.info(line, reason.sentence());
    } else {
      log.warn(line, reason.sentence());
    }
  }

  private static void followUp(FollowUp followUp) {
    switch (followUp) {
      case FollowUp.Recreated(var pod, int times, var coolDown) ->
          log.warn(
              "pod {} was created again within an hour of its eviction, {} in a "
                  + "row; pods of this name are not evicted for {}",
              pod,
              times,
              Durations.format(coolDown));
      case FollowUp.PodBound(var pod, var waited) ->
          log.info("pod {} has a node now, after {}", pod, Durations.format(waited));
      case FollowUp.TakenByOthers(var pod, var node) ->
          log.warn(
              "pod {} is still pending: other pods took the GPUs that were freed for it on {}",
              pod,
              node);
      case FollowUp.PodGone(var pod, var node) ->
          log.info("pod {} is gone; the GPUs that were freed for it on {} are free", pod, node);
      case FollowUp.NotScheduled(var pod, var node) ->
          log.warn(
              "pod {} is still pending, although GPUs were freed for it on {}; other workloads may"
                  + " be reclaimed for it",
              pod,
              node);
    }
  }
}
