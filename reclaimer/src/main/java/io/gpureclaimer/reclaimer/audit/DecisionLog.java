package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.act.ActionId;
import io.gpureclaimer.reclaimer.act.Deed;
import io.gpureclaimer.reclaimer.act.DeedSentence;
import io.gpureclaimer.reclaimer.act.LookAgain;
import io.gpureclaimer.reclaimer.audit.record.Circumstances;
import io.gpureclaimer.reclaimer.audit.record.Decision;
import io.gpureclaimer.reclaimer.audit.record.Decision.Account;
import io.gpureclaimer.reclaimer.audit.record.Decision.SecondThought;
import io.gpureclaimer.reclaimer.audit.record.DecisionJson;
import io.gpureclaimer.reclaimer.audit.record.Inputs;
import io.gpureclaimer.reclaimer.audit.record.Terms;
import io.gpureclaimer.reclaimer.plan.Plan;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.verdict.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.VerdictCode;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records each decision of the replica that leads: a verdict or a step that is another than in the
 * last cycle, and every deed. Who only follows decides nothing; who begins to lead records all that
 * he thinks. Confined to the thread of the cycle.
 */
final class DecisionLog {
  private final Terms terms;
  private final RecordSink sink;

  private Map<String, String> decided = Map.of();
  private @Nullable Circumstances circumstances;
  private @Nullable LookAgain again;

  DecisionLog(Terms terms, RecordSink sink) {
    this.terms = terms;
    this.sink = sink;
  }

  /**
   * @param leads whether this replica decides
   */
  void looked(CycleReport report, boolean leads) {
    var seen = new Circumstances(report.at(), terms, report.observation(), report.cluster());
    circumstances = seen;
    again = null;
    if (!leads) {
      decided = Map.of();
      return;
    }
    Map<String, Plan.Entry> entries = entries(report.plan());
    var now = new HashMap<String, String>();
    var lines = new ArrayList<String>();
    for (Judgment judgment : report.judgments()) {
      Verdict verdict = judgment.verdict();
      String uid = verdict.workload().uid();
      Optional<Plan.Entry> entry = Optional.ofNullable(entries.get(uid));
      String key = key(verdict, entry.map(Plan.Entry::step));
      now.put(uid, key);
      if (!key.equals(decided.get(uid))) {
        lines.add(line(verdict, entry.map(DecisionLog::account), seen));
      }
    }
    sink.write(lines);
    decided = Map.copyOf(now);
  }

  void looksAgain(LookAgain look) {
    again = look;
  }

  void did(Deed deed) {
    if (circumstances == null) {
      throw new IllegalStateException("a deed before the first look: " + deed);
    }
    var step = new Account(Names.of(deed.step()), "");
    var outcome = new Account(Names.of(deed), DeedSentence.of(deed));
    Inputs inputs = circumstances.about(deed.step().verdict().workload());
    sink.write(
        List.of(
            DecisionJson.write(
                Decision.on(deed.step().verdict(), Optional.of(step), Optional.of(outcome), inputs)
                    .of(deed.actionId().map(ActionId::value))
                    .lookedAgain(secondLookAt(deed.step().verdict().workload())))));
  }

  private Optional<SecondThought> secondLookAt(Workload workload) {
    return Optional.ofNullable(again)
        .filter(look -> look.pod().ref().uid().equals(workload.uid()))
        .map(
            look ->
                SecondThought.of(
                    look.verdict(),
                    new Circumstances(look.now(), terms, look.observation(), look.cluster())
                        .about(look.verdict().workload())));
  }

  private static String line(Verdict verdict, Optional<Account> step, Circumstances seen) {
    return DecisionJson.write(
        Decision.on(verdict, step, Optional.empty(), seen.about(verdict.workload())));
  }

  private static Map<String, Plan.Entry> entries(Plan plan) {
    var entries = new HashMap<String, Plan.Entry>();
    plan.entries().forEach(entry -> entries.put(entry.step().verdict().workload().uid(), entry));
    return entries;
  }

  private static Account account(Plan.Entry entry) {
    return new Account(Names.of(entry.step()), entry.reason());
  }

  /** What makes two decisions the same, whatever the time. */
  private static String key(Verdict verdict, Optional<Step> step) {
    VerdictCode code = VerdictCode.of(verdict);
    return code.verdict() + " " + code.reason() + step.map(DecisionLog::key).orElse("");
  }

  private static String key(Step step) {
    return " "
        + Names.of(step)
        + switch (step) {
          case Step.Wait(_, var why) -> " " + why.code();
          case Step.Warn _, Step.Withdraw _, Step.Evict _ -> "";
        };
  }
}
