package io.gpureclaimer.reclaimer.faults;

import io.gpureclaimer.reclaimer.faults.ActualWork.WorkPeriod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/** What kinds of pods there are, by when they work. */
@SuppressWarnings("ImmutableEnumChecker") // records of numbers
enum WorkPattern {
  /** Works for long, waits for data now and then, sometimes for nearly too long. */
  TRAINING(new Rhythm(60, 1800, 5, 240), new Rhythm(60, 900, 200, 590)),
  /** Answers bursts of requests, with quiet times between. */
  SERVING(new Rhythm(1, 30, 5, 300), new Rhythm(1, 20, 120, 595)),
  /** A user runs a cell and thinks. */
  NOTEBOOK(new Rhythm(1, 180, 60, 900), new Rhythm(1, 60, 300, 2400)),
  /** One short evaluation just before the idle time would be over, again and again. */
  TEASING(new Rhythm(2, 12, 560, 597), new Rhythm(2, 12, 560, 597)),
  /** Worked once, and is abandoned. */
  FORGOTTEN(new Rhythm(60, 600, 40_000, 40_001), new Rhythm(1, 60, 40_000, 40_001)),
  /** Never worked at all. */
  NEVER(new Rhythm(1, 2, 40_000, 40_001), new Rhythm(1, 2, 40_000, 40_001)),
  /** Computes at times, and loads data for much longer than a GPU may rest. */
  LOADING(
      new Rhythm(60, 300, 2400, 4800),
      new Rhythm(60, 300, 2400, 4800),
      SecondarySignal.CPU,
      new Rhythm(300, 1500, 5, 120),
      new Rhythm(300, 600, 300, 585)),
  /** Answers from what it has kept, for which it needs no GPU. */
  ANSWERING(
      new Rhythm(1, 20, 2400, 4800),
      new Rhythm(1, 20, 2400, 4800),
      SecondarySignal.REQUESTS,
      new Rhythm(120, 600, 5, 300),
      new Rhythm(120, 300, 400, 595)),
  /** Loaded data for long, computed nothing, and is abandoned. */
  LOADED_ONCE(
      new Rhythm(1, 60, 40_000, 40_001),
      new Rhythm(1, 60, 40_000, 40_001),
      SecondarySignal.CPU,
      new Rhythm(600, 2400, 40_000, 40_001),
      new Rhythm(600, 2400, 40_000, 40_001)),
  /** The same of requests. */
  ANSWERED_ONCE(
      new Rhythm(1, 60, 40_000, 40_001),
      new Rhythm(1, 60, 40_000, 40_001),
      SecondarySignal.REQUESTS,
      new Rhythm(200, 900, 40_000, 40_001),
      new Rhythm(200, 900, 40_000, 40_001));

  private static final Duration ALL = Duration.ofHours(10);

  private final Rhythm day;
  private final Rhythm night;
  private final Optional<SideActivity> beside;

  /** When it does which other work. */
  private record SideActivity(SecondarySignal what, Rhythm day, Rhythm night) {}

  /** Work and rest in seconds, evenly spread between their bounds. */
  private record Rhythm(int leastWork, int mostWork, int leastRest, int mostRest) {
    int work(Random random) {
      return random.nextInt(leastWork, mostWork + 1);
    }

    int rest(Random random) {
      return random.nextInt(leastRest, mostRest + 1);
    }
  }

  WorkPattern(Rhythm day, Rhythm night) {
    this.day = day;
    this.night = night;
    this.beside = Optional.empty();
  }

  WorkPattern(
      Rhythm day, Rhythm night, SecondarySignal what, Rhythm sideWorkDay, Rhythm sideWorkNight) {
    this.day = day;
    this.night = night;
    this.beside = Optional.of(new SideActivity(what, sideWorkDay, sideWorkNight));
  }

  /** The GPUs of one pod, working together. */
  ActualWork live(Random random, Instant from, int gpus) {
    List<WorkPeriod> together = stretches(random, from);
    return life(random, from, IntStream.range(0, gpus).mapToObj(_ -> together).toList());
  }

  /** Only the first of its GPUs ever works; the others are held for nothing. */
  ActualWork liveOnOneOf(Random random, Instant from, int gpus) {
    List<WorkPeriod> alone = stretches(random, from);
    return life(
        random,
        from,
        IntStream.range(0, gpus)
            .mapToObj(gpu -> gpu == 0 ? alone : List.<WorkPeriod>of())
            .toList());
  }

  /** All of its GPUs work but the last. */
  ActualWork liveOnAllButOneOf(Random random, Instant from, int gpus) {
    List<WorkPeriod> together = stretches(random, from);
    return life(
        random,
        from,
        IntStream.range(0, gpus)
            .mapToObj(gpu -> gpu == gpus - 1 ? List.<WorkPeriod>of() : together)
            .toList());
  }

  boolean isForgotten() {
    return this == FORGOTTEN || this == NEVER;
  }

  private ActualWork life(Random random, Instant from, List<List<WorkPeriod>> gpus) {
    return new ActualWork(
        gpus,
        beside
            .map(each -> Map.of(each.what(), stretches(random, from, each.day(), each.night())))
            .orElse(Map.of()));
  }

  private List<WorkPeriod> stretches(Random random, Instant start) {
    return this == NEVER ? List.of() : stretches(random, start, day, night);
  }

  private static List<WorkPeriod> stretches(
      Random random, Instant start, Rhythm day, Rhythm night) {
    var stretches = new ArrayList<WorkPeriod>();
    Instant end = start.plus(ALL);
    Instant at = start.plusSeconds(random.nextInt(120));
    while (at.isBefore(end)) {
      Rhythm rhythm = random.nextInt(4) == 0 ? night : day;
      Instant rest = at.plusSeconds(rhythm.work(random));
      stretches.add(new WorkPeriod(at, rest));
      at = rest.plusSeconds(rhythm.rest(random));
    }
    return stretches;
  }
}
