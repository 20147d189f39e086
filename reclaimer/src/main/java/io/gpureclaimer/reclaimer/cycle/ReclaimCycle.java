package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.reclaimer.act.Deed;
import io.gpureclaimer.reclaimer.act.Performer;
import io.gpureclaimer.reclaimer.activity.ActivitySource;
import io.gpureclaimer.reclaimer.activity.Observation;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.plan.Plan;
import io.gpureclaimer.reclaimer.plan.Planner;
import io.gpureclaimer.reclaimer.policy.Judge;
import io.gpureclaimer.reclaimer.policy.Judgment;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.List;

/** One cycle, from the look to the deed. Decides nothing itself. */
@Singleton
public class ReclaimCycle {
  private final Cluster cluster;
  private final ActivitySource source;
  private final Judge judge;
  private final Planner planner;
  private final Performer performer;
  private final Clock clock;

  ReclaimCycle(
      Cluster cluster,
      ActivitySource source,
      Judge judge,
      Planner planner,
      Performer performer,
      Clock clock) {
    this.cluster = cluster;
    this.source = source;
    this.judge = judge;
    this.planner = planner;
    this.performer = performer;
    this.clock = clock;
  }

  /** Looks, judges and plans; changes nothing. */
  public CycleReport look() {
    ClusterView view = cluster.look();
    Observation observation = source.lookAtAll();
    Instant now = clock.instant();
    List<Judgment> judgments = judge.judge(view, observation, now);
    Plan plan = planner.plan(judgments.stream().map(Judgment::verdict).toList(), view, now);
    return new CycleReport(now, observation, judgments, plan, List.of());
  }

  /** Looks, judges, plans, and does what the plan says. */
  public CycleReport run() {
    CycleReport looked = look();
    return switch (looked.observation()) {
      case Observation.Blind _ -> looked;
      case Observation.Seen seen -> {
        List<Deed> deeds = performer.perform(looked.plan(), seen);
        yield new CycleReport(looked.at(), seen, looked.judgments(), looked.plan(), deeds);
      }
    };
  }
}
