package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.json.Json;
import io.gpureclaimer.reclaimer.plan.ExpectedLoss;
import io.gpureclaimer.reclaimer.plan.RestartTime;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Remark;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment.PodEvidence;
import io.gpureclaimer.reclaimer.verdict.OwnPast;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** JSON about one workload, with the same facts as {@link ExplainText}; its names are stable. */
@Serdeable
public record ExplainJson(
    int schema,
    Instant at,
    PlanJson.WorkloadJson workload,
    PlanJson.VerdictJson verdict,
    String next,
    Optional<Double> expectedLossGpuMinutes,
    Optional<NeedJson> neededAgain,
    Optional<RestartJson> restart,
    Optional<String> fairness,
    Optional<ActionSummary> action,
    List<PlanJson.BreakerJson> breaker,
    List<PlanJson.PendingJson> pending,
    List<PlanJson.FloorJson> floors,
    List<PlanJson.StepJson> steps,
    List<PlanJson.PostponedJson> postponed,
    List<PlanJson.ResultJson> deeds,
    List<RuleJson> rules,
    Optional<PolicyJson> policy,
    List<PodEvidenceJson> evidence) {

  /** One object, indented and ended by a line feed; empty when the report has no such workload. */
  public static Optional<String> of(CycleReport report, ExplainedObject subject) {
    return Explanation.of(report, subject).map(about -> Json.indented(of(about)));
  }

  private static ExplainJson of(Explanation about) {
    var verdict = about.judgment().verdict();
    return new ExplainJson(
        PlanJson.SCHEMA,
        about.report().at(),
        PlanJson.WorkloadJson.of(verdict.workload(), Optional.empty()),
        PlanJson.VerdictJson.of(verdict),
        about.outlook(),
        verdict instanceof Verdict.Due due
            ? Optional.of(ExpectedLoss.gpuMinutes(due))
            : Optional.empty(),
        verdict instanceof Verdict.Due due ? Optional.of(NeedJson.of(due)) : Optional.empty(),
        verdict instanceof Verdict.Due due
            ? Optional.of(RestartJson.of(RestartTime.of(due.workload())))
            : Optional.empty(),
        verdict instanceof Verdict.Due due
            ? Optional.of(about.report().plan().fairness().sentence(due.workload()))
            : Optional.empty(),
        about.action(),
        about.report().breaker().reasons().stream().map(PlanJson.BreakerJson::of).toList(),
        about.pending().stream().map(PlanJson.PendingJson::of).toList(),
        about.floors().stream().map(PlanJson.FloorJson::of).toList(),
        about.planned().stream().map(PlanJson.StepJson::of).toList(),
        about.postponed().stream().map(PlanJson.PostponedJson::of).toList(),
        about.results().stream().map(PlanJson.ResultJson::of).toList(),
        about.findings().stream()
            .map(f -> new RuleJson(f.rule(), f.status().code, f.sentence()))
            .toList(),
        about.judgment().policy().map(PolicyJson::of),
        about.judgment().evidence().stream().map(pod -> PodEvidenceJson.of(pod, about)).toList());
  }

  /**
   * How probable it is that the workload is needed again within an hour.
   *
   * @param prior by its class alone
   * @param idlePeriods how many idle periods in its past lasted as long
   * @param endedWithinHour how many of these ended within the next hour
   * @param idlePeriodsAtThisTime how many of the periods lasted as long at about this time of day
   * @param endedWithinHourAtThisTime how many of these ended within the next hour
   * @param pastUnknown why its past is not known
   */
  @Serdeable
  record NeedJson(
      double probability,
      double prior,
      Optional<Integer> idlePeriods,
      Optional<Integer> endedWithinHour,
      Optional<Integer> idlePeriodsAtThisTime,
      Optional<Integer> endedWithinHourAtThisTime,
      Optional<Duration> pastLength,
      Optional<String> pastUnknown) {
    static NeedJson of(Verdict.Due due) {
      double probability = thousandths(ExpectedLoss.probability(due));
      double prior = thousandths(ExpectedLoss.prior(due));
      return switch (due.past()) {
        case OwnPast.Counted(var all, var atThisTime, var length) ->
            new NeedJson(
                probability,
                prior,
                Optional.of(all.periods()),
                Optional.of(all.ended()),
                Optional.of(atThisTime.periods()),
                Optional.of(atThisTime.ended()),
                Optional.of(length),
                Optional.empty());
        case OwnPast.Unread(String why) ->
            new NeedJson(
                probability,
                prior,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(why));
      };
    }

    private static double thousandths(double value) {
      return Math.round(value * 1_000) / 1_000.0;
    }
  }

  /**
   * How long the workload takes to work again once it has GPUs.
   *
   * @param start from when a pod gets its node until it is ready
   * @param startMeasured whether its own pods took that long
   * @param state for what its processes had in memory
   */
  @Serdeable
  record RestartJson(Duration start, boolean startMeasured, Duration state) {
    static RestartJson of(RestartTime time) {
      return new RestartJson(time.start(), time.isMeasured(), RestartTime.STATE);
    }
  }

  /** Result of one rule. */
  @Serdeable
  record RuleJson(String rule, String outcome, String sentence) {}

  /** The effective policy. */
  @Serdeable
  record PolicyJson(List<PolicyRow> values, Optional<String> excludedBy, List<String> remarks) {
    static PolicyJson of(EffectivePolicy policy) {
      return new PolicyJson(
          PolicyRow.of(policy),
          policy.excludedBy(),
          policy.remarks().stream().map(Remark::text).toList());
    }
  }

  /** Evidence about one pod: the members of its state, and what the source reported of it. */
  @Serdeable
  record PodEvidenceJson(
      String pod,
      String uid,
      String state,
      Optional<Instant> lastActive,
      Optional<Instant> idleSince,
      Optional<Long> idleSeconds,
      Optional<String> startedAfter,
      Optional<String> cause,
      Optional<String> reason,
      Optional<List<DeviceEvidenceJson>> devices,
      Optional<List<SignalJson>> signals,
      Optional<SignalHistoryJson> heard) {
    static PodEvidenceJson of(PodEvidence pod, Explanation about) {
      Optional<Evidence.Active> active = as(Evidence.Active.class, pod.evidence());
      Optional<Evidence.Idle> idle = as(Evidence.Idle.class, pod.evidence());
      Optional<Evidence.Unknown> unknown = as(Evidence.Unknown.class, pod.evidence());
      Optional<PodActivity> activity = about.activity(pod);
      return new PodEvidenceJson(
          pod.pod().name(),
          pod.pod().uid(),
          switch (pod.evidence()) {
            case Evidence.Active _ -> "active";
            case Evidence.Idle _ -> "idle";
            case Evidence.Unknown _ -> "unknown";
          },
          active.map(Evidence.Active::lastActive),
          idle.map(Evidence.Idle::idleSince),
          idle.map(state -> state.idleFor().toSeconds()),
          idle.flatMap(Evidence.Idle::startedAfter),
          unknown.map(state -> state.cause().code()),
          unknown.map(Evidence.Unknown::reason),
          activity.flatMap(
              a ->
                  as(Observation.Seen.class, about.report().observation())
                      .map(seen -> devices(a, seen))),
          activity.map(a -> a.signals().stream().map(SignalJson::of).toList()),
          activity
              .flatMap(PodActivity::signalHistory)
              .map(heard -> new SignalHistoryJson(heard.since(), heard.workByCode())));
    }

    private static List<DeviceEvidenceJson> devices(PodActivity activity, Observation.Seen seen) {
      return activity.devices().stream()
          .map(device -> DeviceEvidenceJson.of(device, seen.at()))
          .toList();
    }

    private static <T> Optional<T> as(Class<T> type, Object value) {
      return Optional.of(value).filter(type::isInstance).map(type::cast);
    }
  }

  /** A GPU or MIG instance. */
  @Serdeable
  record DeviceEvidenceJson(
      String gpu,
      Optional<Integer> instance,
      Optional<Instant> lastActive,
      Instant observedSince,
      Instant observedUntil,
      Instant sampledAt,
      long sampleAgeSeconds,
      OptionalDouble recentUtilization) {
    static DeviceEvidenceJson of(DeviceActivity device, Instant answeredAt) {
      return new DeviceEvidenceJson(
          device.device().gpu().value(),
          device.device().instanceId(),
          device.lastActive(),
          device.observedSince(),
          device.observedUntil(),
          device.sampledAt(),
          Duration.between(device.sampledAt(), answeredAt).toSeconds(),
          device.recentUtilization());
    }
  }

  /** Value of one signal. */
  @Serdeable
  record SignalJson(String kind, String what, double value, double limit, boolean saysWork) {
    static SignalJson of(Signal signal) {
      return new SignalJson(
          signal.kind().code(), signal.what(), signal.value(), signal.limit(), signal.saysWork());
    }
  }

  /** History of the signals. */
  @Serdeable
  record SignalHistoryJson(Instant since, Map<String, Instant> work) {}
}
