package io.gpureclaimer.reclaimer.page;

import io.gpureclaimer.reclaimer.audit.Eviction;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.show.ExplainText.Line;
import io.gpureclaimer.reclaimer.show.ExplainText.Section;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;

/** An eviction, from the idle time that led to it on. */
final class EvictionSection {
  private EvictionSection() {}

  static Section of(Eviction eviction) {
    Step.Act act = eviction.act();
    var lines = new ArrayList<Line>();
    lines.add(new Line("state", "Evicted, " + act.workload().holdings() + " freed"));
    act.demand().ifPresent(demand -> lines.add(new Line("for pod", demand.pod().toString())));
    lines.add(new Line("evidence", VerdictSentence.of(act.verdict())));
    lines.add(line("idle since", act.verdict().idleSince()));
    lines.add(line("warned", act.verdict().warnedAt()));
    lines.add(line("evicted", eviction.at()));
    eviction.recreatedAt().ifPresent(at -> lines.add(line("created again", at)));
    lines.add(new Line("restore", eviction.wayBack()));
    return new Section("EVICTION", lines);
  }

  private static Line line(String key, Instant at) {
    return new Line(key, at.truncatedTo(ChronoUnit.SECONDS).toString());
  }
}
