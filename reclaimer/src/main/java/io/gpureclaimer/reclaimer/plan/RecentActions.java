package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.plan.PlanHistory.FollowUp;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Actions of the last day, by the name of the workload. A pod that comes back under its name within
 * the hour is contested: it is left alone for an hour, and twice as long each time, up to a day.
 */
record RecentActions(Map<WorkloadName, ActionTrace> traces) {
  static final RecentActions NONE = new RecentActions(Map.of());

  private static final Duration FIRST_COOL_DOWN = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);

  RecentActions {
    traces = Map.copyOf(traces);
  }

  /** What stays the same when a workload is created again. */
  record WorkloadName(String namespace, String kind, String name) {
    private static final String POD = "Pod";

    static WorkloadName of(Workload workload) {
      return new WorkloadName(workload.namespace(), workload.kind(), workload.name());
    }

    static WorkloadName of(PodRef pod) {
      return new WorkloadName(pod.namespace(), POD, pod.name());
    }

    boolean isOfPod() {
      return kind.equals(POD);
    }
  }

  /**
   * What happened to a name.
   *
   * @param uid of the workload when it was reclaimed
   * @param actions when it was reclaimed, of the last day, oldest first; never none
   * @param regrets how often the name came back
   * @param regretted whether it came back after the last action
   * @param coolUntil until when it is left alone
   */
  record ActionTrace(
      String uid, List<Instant> actions, int regrets, boolean regretted, Instant coolUntil) {
    ActionTrace {
      actions = List.copyOf(actions);
    }

    /** After one more. */
    static ActionTrace reclaimed(String uid, Optional<ActionTrace> before, Instant now) {
      Stream<Instant> earlier = before.stream().flatMap(trace -> trace.lately(now));
      return new ActionTrace(
          uid,
          Stream.concat(earlier, Stream.of(now)).toList(),
          before.map(ActionTrace::regrets).orElse(0),
          false,
          now);
    }

    private Instant at() {
      return actions.getLast();
    }

    Stream<Instant> lately(Instant now) {
      return actions.stream().filter(at -> now.isBefore(at.plus(DAY)));
    }

    boolean mayBeRegretted(PodView pod, Instant now) {
      return !regretted
          && !uid.equals(pod.ref().uid())
          && !pod.terminating()
          && !now.isAfter(at().plus(FollowUp.Recreated.WITHIN));
    }

    boolean matters(Instant now) {
      return now.isBefore(at().plus(DAY)) || now.isBefore(coolUntil.plus(DAY));
    }

    Duration nextCoolDown() {
      Duration longer = FIRST_COOL_DOWN.multipliedBy(1L << Math.min(regrets, 10));
      return longer.compareTo(DAY) < 0 ? longer : DAY;
    }

    ActionTrace contested(Instant now) {
      return new ActionTrace(uid, actions, regrets + 1, true, now.plus(nextCoolDown()));
    }
  }

  /** The same after one more action. */
  RecentActions after(Workload workload, Instant now) {
    var next = new HashMap<>(traces);
    next.put(
        WorkloadName.of(workload), ActionTrace.reclaimed(workload.uid(), trace(workload), now));
    return new RecentActions(next);
  }

  /** Whether a workload of this name is left alone. */
  boolean coolsDown(Workload workload, Instant now) {
    return trace(workload).filter(trace -> now.isBefore(trace.coolUntil())).isPresent();
  }

  /** How often a workload of this name was reclaimed in the last day. */
  long inLastDay(Workload workload, Instant now) {
    return trace(workload).stream().flatMap(trace -> trace.lately(now)).count();
  }

  private Optional<ActionTrace> trace(Workload workload) {
    return Optional.ofNullable(traces.get(WorkloadName.of(workload)));
  }

  /** Which of these pods have come back; see {@link #after(List, Instant)}. */
  List<FollowUp.Recreated> recreations(List<PodView> pods, Instant now) {
    var found = new ArrayList<FollowUp.Recreated>();
    if (traces.keySet().stream().noneMatch(WorkloadName::isOfPod)) {
      return found;
    }
    for (PodView pod : pods) {
      ActionTrace trace = traces.get(WorkloadName.of(pod.ref()));
      if (trace != null && trace.mayBeRegretted(pod, now)) {
        found.add(new FollowUp.Recreated(pod.ref(), trace.regrets() + 1, trace.nextCoolDown()));
      }
    }
    return found;
  }

  /** The same with the pods that have come back, and without what no longer matters. */
  RecentActions after(List<FollowUp.Recreated> recreations, Instant now) {
    var next = new HashMap<>(traces);
    recreations.forEach(
        each ->
            next.computeIfPresent(WorkloadName.of(each.pod()), (_, trace) -> trace.contested(now)));
    next.values().removeIf(trace -> !trace.matters(now));
    return new RecentActions(next);
  }
}
