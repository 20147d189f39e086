package io.gpureclaimer.reclaimer.execution;

import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.verdict.Judge;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.Verdict.ReportOnly;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Events that say why idle GPUs are not reclaimed, where the owner of the workload can change it.
 * One for each idle period and reason. Confined to the cycle's thread. A new leader may write an
 * Event again.
 */
final class RefusalNotices {
  /** So that a first cycle in a large cluster is not busy with Events. */
  private static final int WORKLOADS_PER_CYCLE = 50;

  private final Cluster cluster;
  private final Leadership leadership;
  private final Map<String, WrittenNotice> written = new HashMap<>();

  /** What the last Event of a workload was about. */
  private record WrittenNotice(Instant idleSince, String code) {}

  RefusalNotices(Cluster cluster, Leadership leadership) {
    this.cluster = cluster;
    this.leadership = leadership;
  }

  /** Writes about workloads that are only reported, up to the first Event that is not stored. */
  void reported(List<Judgment> judgments) {
    if (!written.isEmpty()) {
      Set<String> known = HashSet.newHashSet(judgments.size());
      judgments.forEach(judgment -> known.add(judgment.verdict().workload().uid()));
      written.keySet().retainAll(known);
    }
    int workloads = 0;
    for (Judgment judgment : judgments) {
      if (judgment.verdict() instanceof Verdict.Reported reported) {
        Optional<WrittenNotice> about =
            code(reported.why())
                .map(code -> new WrittenNotice(reported.idleSince(), code))
                .filter(news -> isNews(reported.workload(), news));
        if (about.isPresent()
            && (!write(reported.workload(), about.get(), Notices.reported(reported))
                || ++workloads == WORKLOADS_PER_CYCLE)) {
          return;
        }
      }
    }
  }

  /** Writes about an action that the API server, or a checkpoint hook, refused. */
  void refused(Step.Act act, String why, Instant notBefore) {
    Verdict.Due due = act.verdict();
    var about = new WrittenNotice(due.idleSince(), "refused");
    if (isNews(due.workload(), about)) {
      write(due.workload(), about, Notices.refused(act, why, notBefore));
    }
  }

  private boolean isNews(Workload workload, WrittenNotice about) {
    return !about.equals(written.get(workload.uid()));
  }

  /** Whether the Event on the pod is stored. */
  private boolean write(Workload workload, WrittenNotice about, Notice notice) {
    if (!leadership.isHeld() || !cluster.recordEvent(workload.firstPod().ref(), notice)) {
      return false;
    }
    Notices.onOwners(workload, Optional.empty())
        .forEach(
            owner -> {
              if (leadership.isHeld()) {
                cluster.recordEvent(owner, notice);
              }
            });
    written.put(workload.uid(), about);
    return true;
  }

  /**
   * Empty where people chose it: a mode, an action, hours or a time to be kept; and where an Event
   * of an earlier action says it.
   */
  private static Optional<String> code(ReportOnly why) {
    return switch (why) {
      case ReportOnly.PolicyDistrusted(var remark) -> Optional.of(remark.key());
      case ReportOnly.ActionRefused(var refused) ->
          Optional.of(refused.code()).filter(code -> !Judge.ACTED_ALREADY.contains(code));
      case ReportOnly.ModeIsReport _,
          ReportOnly.InProtectedHours _,
          ReportOnly.Kept _,
          ReportOnly.ActionWithheld _ ->
          Optional.empty();
    };
  }
}
