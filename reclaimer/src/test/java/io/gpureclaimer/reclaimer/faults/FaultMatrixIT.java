package io.gpureclaimer.reclaimer.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.PodRef;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Under every fault: no active pod is evicted, none under doubt, none without a warning, none
 * twice, no protected pod, never too many; and after the fault, forgotten pods are evicted.
 *
 * <p>Properties: {@code faults.runs}, the number of runs with several faults at once; {@code
 * faults.seed}, the first of their seeds; {@code faults.everySource}, each fault with every source
 * that it concerns instead of the most sensitive ones.
 */
class FaultMatrixIT {
  private static final Duration HOUR = Duration.ofHours(1);

  /** A pod has to have started for a quarter of an hour before its idle time begins. */
  private static final Duration SOON = Duration.ofMinutes(27);

  /** A Prometheus knows the last sample of a series that has ended for a while. */
  private static final Duration NOTICED = Duration.ofMinutes(6);

  private static final boolean EVERY_SOURCE = Boolean.getBoolean("faults.everySource");
  private static final int QUERIES_PER_CYCLE = 5;

  /** A large cluster is read in parts, if need be all of them in one cycle. */
  private static final int QUERIES_OF_TURNS = 16;

  private static final int MOST_FAULTS_AT_ONCE = 5;

  private static EventCounts total = new EventCounts();
  private static int evictions;
  private static int stops;
  private static int restorations;

  @BeforeAll
  static void countFromZero() {
    total = new EventCounts();
    evictions = 0;
    stops = 0;
    restorations = 0;
  }

  /** It is no proof of anything unless all of it happened often. */
  @AfterAll
  static void thingsHappened() {
    System.out.println(
        "fault matrix: "
            + evictions
            + " evictions, "
            + stops
            + " owners stopped, "
            + restorations
            + " restored, in "
            + total);
    assertThat(stops).isGreaterThan(60);
    assertThat(restorations).isGreaterThan(5);
    assertThat(evictions).isGreaterThan(80);
    assertThat(total.unknown()).isGreaterThan(1000);
    assertThat(total.killed()).isGreaterThan(10);
    assertThat(total.sparedByCpu()).isGreaterThan(1000);
    assertThat(total.sparedByRequests()).isGreaterThan(1000);
    assertThat(total.sparedByLoss()).isGreaterThan(500);
    assertThat(total.leftOut()).isGreaterThan(1000);
  }

  @Execution(ExecutionMode.CONCURRENT)
  @ParameterizedTest
  @EnumSource
  void theForgottenGo_whenNothingIsWrong(EvidenceSourceKind source) {
    try (var run = new FaultRun(1, source, Set.of())) {
      run.live(HOUR);
      check(run);
      assertThat(run.referee().evictions()).isGreaterThan(4);
      assertThat(run.overlooked(SOON)).isEmpty();
      assertThat(run.sharing()).isEqualTo(source.isOfSeries() ? 4 : 2);
    }
  }

  @Tag("matrix")
  @Execution(ExecutionMode.CONCURRENT)
  @ParameterizedTest
  @MethodSource("faults")
  void everyEvictionIsRight_under(InjectedFault fault, EvidenceSourceKind source) {
    try (var run = new FaultRun(fault.name().hashCode(), source, EnumSet.of(fault))) {
      // No action for 20 minutes after a signal stops being reported.
      run.live(fault.isSideWork() ? minutes(90) : minutes(30));
      check(run);
    }
  }

  static Stream<Arguments> faults() {
    return InjectedFault.promised().stream()
        .flatMap(
            fault ->
                Stream.of(EvidenceSourceKind.values())
                    .filter(fault::concerns)
                    .filter(source -> EVERY_SOURCE || fault.isMostSensitive(source))
                    .map(source -> Arguments.of(fault, source)));
  }

  /**
   * The clock was ahead and is right again; while that time passes once more, a pod works of whom
   * nothing is stored, and both replicas may be new.
   */
  @Execution(ExecutionMode.CONCURRENT)
  @ParameterizedTest
  @MethodSource("setBacks")
  void everyEvictionIsRight_whileAPrometheusLivesThroughATimeOnceMore(
      EvidenceSourceKind source, Duration setBack, Optional<Duration> startAfter) {
    try (var run = new FaultRun(5, source, Set.of())) {
      Instant at = run.now().plus(HOUR.dividedBy(4));
      PodRef pod = run.tenants().insteadOfNever(List.of(unseen(at, setBack)));
      run.prometheus().setClockError(setBack);
      run.live(HOUR.dividedBy(4));
      run.prometheus().setClockError(Duration.ZERO);
      startAfter.ifPresent(
          after -> {
            run.live(after);
            run.restartReplicas();
          });
      run.live(setBack.plus(HOUR.dividedBy(2)));
      check(run);
      assertThat(run.referee().hasEvicted(pod)).isTrue();
    }
  }

  static Stream<Arguments> setBacks() {
    return Stream.of(EvidenceSourceKind.SERIES, EvidenceSourceKind.RULES)
        .flatMap(
            source ->
                Stream.of(
                    Arguments.of(source, minutes(5).plusSeconds(10), Optional.empty()),
                    Arguments.of(source, minutes(20).plusSeconds(10), Optional.empty()),
                    Arguments.of(source, minutes(5), Optional.of(minutes(1))),
                    Arguments.of(source, minutes(20), Optional.of(minutes(2))),
                    Arguments.of(source, minutes(20), Optional.of(minutes(17)))));
  }

  /** A warned pod loaded data during a gap in the observation. */
  @Execution(ExecutionMode.CONCURRENT)
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyEvictionIsRight_whenAPodDidOtherWorkBetweenCycles(boolean restarted) {
    try (var run = new FaultRun(11, EvidenceSourceKind.PROMETHEUS, Set.of())) {
      Instant at = run.now();
      var loads = new ActualWork.WorkPeriod(at.plus(minutes(22)), at.plus(minutes(33)));
      PodRef pod =
          run.tenants()
              .insteadOfNever(
                  new ActualWork(
                      List.of(List.of(), List.of()), Map.of(SecondarySignal.CPU, List.of(loads))));
      run.live(minutes(21));
      run.replicas().forEach(replica -> replica.api().watch(() -> FaultyApi.Watch.LOST));
      run.live(minutes(18));
      if (restarted) {
        run.restartReplicas();
      } else {
        run.replicas().forEach(replica -> replica.api().watch(() -> FaultyApi.Watch.CURRENT));
      }
      run.live(minutes(30));
      check(run);
      assertThat(run.referee().hasEvicted(pod)).isTrue();
    }
  }

  /**
   * A lost GPU keeps its XID and health families with its pod, and has no utilization: before and
   * after the pod was warned, on one and on all of its GPUs.
   */
  @Execution(ExecutionMode.CONCURRENT)
  @ParameterizedTest
  @MethodSource("losses")
  void aPodIsUnknown_whileItsGpusAreLost(EvidenceSourceKind source, int after, int lost) {
    try (var run = new FaultRun(13, source, Set.of())) {
      PodRef pod = run.tenants().insteadOfNever(List.of());
      run.live(minutes(after));
      var gpus = Set.copyOf(run.gpusOf(pod).subList(0, lost));
      run.agents().forEach(agent -> agent.loseGpus(gpus));
      run.live(NOTICED);
      for (int minute = 0; minute < 15; minute++) {
        run.live(minutes(1));
        assertThat(run.isUnknown(pod)).as("minute %d", minute).isTrue();
      }
      assertThat(run.referee().hasEvicted(pod)).isFalse();

      run.agents().forEach(agent -> agent.loseGpus(Set.of()));
      run.live(minutes(40));
      assertThat(run.referee().hasEvicted(pod)).isTrue();
      check(run);
    }
  }

  static Stream<Arguments> losses() {
    return Stream.of(EvidenceSourceKind.values())
        .flatMap(source -> Stream.of(Arguments.of(source, 5, 2), Arguments.of(source, 22, 1)));
  }

  private static Duration minutes(int minutes) {
    return Duration.ofMinutes(minutes);
  }

  /** Until a while before that time is over, in which what is scraped is stored again. */
  private static ActualWork.WorkPeriod unseen(Instant begin, Duration length) {
    return new ActualWork.WorkPeriod(begin.plusSeconds(40), begin.plus(length).minusSeconds(60));
  }

  @Tag("fuzz")
  @Execution(ExecutionMode.CONCURRENT)
  @ParameterizedTest
  @MethodSource("seeds")
  void everyEvictionIsRight_underManyFaultsAtOnce_andTheForgottenGoAfterwards(long seed) {
    everyEvictionIsRight(seed);
  }

  static LongStream seeds() {
    long first = Long.getLong("faults.seed", 0);
    return LongStream.range(first, first + Integer.getInteger("faults.runs", 3));
  }

  private static void everyEvictionIsRight(long seed) {
    EvidenceSourceKind source = source(seed);
    Set<InjectedFault> some = someOf(promised(source), new Random(seed));
    try (var run = new FaultRun(seed, source, some)) {
      run.live(HOUR);
      run.recover().live(HOUR);
      assertThat(run.referee().wrongs()).as("seed %d, %s", seed, some).isEmpty();
      assertThat(run.overlooked(HOUR.dividedBy(2)))
          .as("forgotten after seed %d, %s", seed, some)
          .isEmpty();
      check(run);
    }
  }

  private static EvidenceSourceKind source(long seed) {
    if (seed % 3 == 0) {
      return EvidenceSourceKind.DIRECT;
    }
    return switch ((int) (seed % 5)) {
      case 4 -> EvidenceSourceKind.SERIES;
      case 3 -> EvidenceSourceKind.RULES;
      default -> EvidenceSourceKind.PROMETHEUS;
    };
  }

  /** Where the evidence is as good, all of them, whether they make a difference there or not. */
  private static List<InjectedFault> promised(EvidenceSourceKind source) {
    return InjectedFault.promised().stream()
        .filter(
            fault ->
                switch (source) {
                  case PROMETHEUS, SELECTIVE -> true;
                  // Power and raw utilization are those of the moment.
                  case DIRECT -> !fault.hidesWork();
                  case SERIES, RULES -> fault.concerns(source);
                })
        .toList();
  }

  @Execution(ExecutionMode.CONCURRENT)
  @ParameterizedTest
  @MethodSource("requests")
  void everyEvictionIsRight_whenTheLeaderIsKilledAtItsRequest(int number, boolean afterwards) {
    try (var run = new FaultRun(7, EvidenceSourceKind.PROMETHEUS, Set.of())) {
      run.live(Duration.ofMinutes(12));
      run.killLeaderAt(number, afterwards);
      run.live(Duration.ofMinutes(28));
      check(run);
      assertThat(run.tally().killed()).isEqualTo(1);
      assertThat(run.referee().evictions()).isPositive();
    }
  }

  static Stream<Arguments> requests() {
    return Stream.of(1, 2, 3, 4, 5, 6)
        .flatMap(number -> Stream.of(Arguments.of(number, false), Arguments.of(number, true)));
  }

  private static Set<InjectedFault> someOf(List<InjectedFault> all, Random random) {
    var some = EnumSet.noneOf(InjectedFault.class);
    int count = 2 + random.nextInt(MOST_FAULTS_AT_ONCE - 1);
    while (some.size() < count) {
      InjectedFault next = all.get(random.nextInt(all.size()));
      if (some.stream().noneMatch(next::leavesNoTraceWith)) {
        some.add(next);
      }
    }
    return some;
  }

  private static void check(FaultRun run) {
    assertThat(run.referee().wrongs()).isEmpty();
    assertThat(run.ownersReferee().wrongs()).isEmpty();
    assertThat(run.tally().mostQueries())
        .isLessThanOrEqualTo(
            QUERIES_PER_CYCLE
                + (run.isSelective() ? QUERIES_OF_TURNS : 0)
                + run.tally().mostLooksAgain());
    synchronized (FaultMatrixIT.class) {
      total.add(run.tally());
      evictions += run.referee().evictions();
      stops += run.ownersReferee().stops();
      restorations += run.ownersReferee().restorations();
    }
  }
}
