package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.act.Deed;
import io.gpureclaimer.reclaimer.activity.Observation;
import io.gpureclaimer.reclaimer.plan.Plan;
import io.gpureclaimer.reclaimer.policy.Judgment;
import io.gpureclaimer.reclaimer.policy.Remark;
import io.gpureclaimer.reclaimer.policy.VerdictCode;
import io.gpureclaimer.reclaimer.policy.VerdictSentence;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what changed since the last cycle: verdicts, remarks, oddities, and every deed. Confined to
 * the thread of the cycle.
 */
@Singleton
final class TransitionLog {
  private static final Logger log = LoggerFactory.getLogger(TransitionLog.class);

  private Map<String, String> verdicts = Map.of();
  private Set<String> complaints = Set.of();

  void record(CycleReport report) {
    recordVerdicts(report.judgments());
    recordComplaints(report.observation(), report.judgments());
    report.deeds().forEach(deed -> log(deed, report.plan()));
  }

  private void recordVerdicts(List<Judgment> judgments) {
    var now = new HashMap<String, String>();
    for (Judgment judgment : judgments) {
      String name = VerdictCode.of(judgment.verdict()).verdict();
      String uid = judgment.verdict().workload().uid();
      now.put(uid, name);
      if (!name.equals(verdicts.get(uid))) {
        log.info(
            "{} is {}: {}",
            judgment.verdict().workload(),
            name,
            VerdictSentence.of(judgment.verdict()));
      }
    }
    verdicts = Map.copyOf(now);
  }

  private void recordComplaints(Observation observation, List<Judgment> judgments) {
    var now = new HashSet<String>();
    switch (observation) {
      case Observation.Blind(String reason) -> now.add("nothing is known of any GPU: " + reason);
      case Observation.Seen seen -> now.addAll(seen.oddities());
    }
    for (Judgment judgment : judgments) {
      judgment.policy().ifPresent(p -> p.remarks().stream().map(Remark::text).forEach(now::add));
    }
    now.stream().filter(line -> !complaints.contains(line)).sorted().forEach(log::warn);
    complaints = Set.copyOf(now);
  }

  private static void log(Deed deed, Plan plan) {
    String step = Names.of(deed.step());
    var workload = deed.step().verdict().workload();
    switch (deed) {
      case Deed.Done _ -> log.info("{} {}: done: {}", step, workload, reason(deed, plan));
      case Deed.Rehearsed _ -> log.info("{} {}: dry run: {}", step, workload, reason(deed, plan));
      case Deed.Spared(_, String why) -> log.info("{} {}: spared: {}", step, workload, why);
      case Deed.Postponed(_, var notBefore, String why) ->
          log.info("{} {}: not before {}: {}", step, workload, notBefore, why);
      case Deed.Failed(_, String why) -> log.error("{} {}: failed: {}", step, workload, why);
      case Deed.NotLeading _ -> log.warn("{} {}: left to the new leader", step, workload);
    }
  }

  private static String reason(Deed deed, Plan plan) {
    return plan.entries().stream()
        .filter(entry -> entry.step().equals(deed.step()))
        .map(Plan.Entry::reason)
        .findFirst()
        .orElse("");
  }
}
