package io.gpureclaimer.reclaimer.simulate;

import static io.gpureclaimer.reclaimer.simulate.ActivityGenerator.DAY;
import static io.gpureclaimer.reclaimer.simulate.ActivityGenerator.HOUR;
import static io.gpureclaimer.reclaimer.simulate.ActivityGenerator.MINUTE;

import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedNode;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedWorkload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The generated scenario: nodes of 8 GPUs that three teams for each 64 nodes share with notebooks,
 * services and trainings, which {@code docs/reference/simulation.md} describes.
 */
public final class SeedScenario {
  private static final int GPUS_PER_NODE = 8;
  private static final String MODEL = "H100";
  private static final double UNIT = 64;
  private static final int TEAMS = 3;
  private static final int CHECKPOINT = 30 * MINUTE;

  /** For each 64 nodes. */
  private static final int NOTEBOOKS = 190;

  private static final int NEW_NOTEBOOKS_PER_DAY = 12;
  private static final int SERVICES = 60;
  private static final int TRAININGS_PER_DAY = 640;

  private final int nodes;
  private final int length;
  private final Random random;
  private final ActivityGenerator activity;
  private final List<TracedWorkload> workloads = new ArrayList<>();

  private SeedScenario(int nodes, Duration length, long seed) {
    this.nodes = nodes;
    this.length = Math.toIntExact(length.toSeconds());
    this.random = new Random(seed);
    this.activity = new ActivityGenerator(random);
  }

  /** The scenario of a seed; the same seed gives the same trace. */
  public static WorkloadTrace generate(int nodes, Duration length, long seed) {
    var scenario = new SeedScenario(nodes, length, seed);
    scenario.notebooks();
    scenario.services();
    scenario.trainings();
    return new WorkloadTrace(
        "generated scenario, teams: " + scenario.teams(),
        length,
        IntStream.range(0, nodes)
            .mapToObj(
                node ->
                    new TracedNode(
                        String.format(Locale.ROOT, "node-%05d", node), MODEL, GPUS_PER_NODE))
            .toList(),
        scenario.workloads,
        List.of());
  }

  private int teams() {
    return Math.max(1, scaled(TEAMS));
  }

  private int scaled(int perUnit) {
    return (int) Math.round(perUnit * nodes / UNIT);
  }

  private void notebooks() {
    for (int i = 0; i < scaled(NOTEBOOKS); i++) {
      notebook(0);
    }
    for (int day = 0; day * DAY < length; day++) {
      boolean isWorkday = day % 7 < 5;
      for (int i = 0; isWorkday && i < scaled(NEW_NOTEBOOKS_PER_DAY); i++) {
        notebook(day * DAY + activity.between(8 * HOUR, 18 * HOUR));
      }
    }
  }

  private void notebook(int arrival) {
    int gpus = activity.choose(new int[] {1, 2, 4}, new double[] {0.65, 0.2, 0.15});
    int used = gpus > 1 && activity.chance(0.4) ? 1 : gpus;
    int lifetime = HOUR + activity.exponential(14.0 * DAY);
    add(
        WorkloadKind.NOTEBOOK,
        arrival,
        lifetime,
        gpus,
        used,
        activity.notebook(arrival, Math.min(lifetime, length)));
  }

  private void services() {
    for (int i = 0; i < scaled(SERVICES); i++) {
      int gpus = activity.choose(new int[] {1, 2, 4}, new double[] {0.6, 0.25, 0.15});
      int lifetime = DAY + activity.exponential(30.0 * DAY);
      add(
          WorkloadKind.SERVICE,
          0,
          lifetime,
          gpus,
          gpus,
          activity.service(0, Math.min(lifetime, length)));
    }
  }

  private void trainings() {
    double mean = DAY / (double) Math.max(1, scaled(TRAININGS_PER_DAY));
    for (int at = activity.exponential(mean); at < length; at += activity.exponential(mean)) {
      int gpus = activity.choose(new int[] {1, 2, 4, 8}, new double[] {0.5, 0.2, 0.15, 0.15});
      int lifetime = Math.clamp(activity.logNormal(100.0 * MINUTE, 1.5), 5 * MINUTE, 3 * DAY);
      add(WorkloadKind.TRAINING, at, lifetime, gpus, gpus, activity.training(lifetime));
    }
  }

  private void add(
      WorkloadKind kind, int arrival, int lifetime, int gpus, int used, ActivityPeriods periods) {
    int number = workloads.size();
    workloads.add(
        new TracedWorkload(
            "team-" + random.nextInt(teams()),
            kind.code() + "-" + number,
            kind,
            arrival,
            lifetime,
            gpus,
            used,
            Set.of(),
            0,
            CHECKPOINT,
            periods));
  }
}
