package io.gpureclaimer.reclaimer.backtest;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.namespace;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.backtest.Backtest.GpuTime;
import io.gpureclaimer.reclaimer.backtest.Backtest.NamespaceScope;
import io.gpureclaimer.reclaimer.backtest.SimulatedReclamation.EvictionOutcome;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Observation.ByName;
import io.gpureclaimer.reclaimer.evidence.Observation.HistoricalObservation;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.evidence.SignalHistoryStore;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import io.gpureclaimer.reclaimer.verdict.ShortTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Identity of pods in a backtest, and pods whose identity is unknown. */
class PolicyReplayTest {
  private static final Duration STEP = Duration.ofMinutes(1);
  private static final Instant START = BacktestScenario.START;
  private static final Instant LONG_BEFORE = START.minus(Duration.ofHours(1));
  private static final NamespaceView REPORT = namespace("ml", "mode", "report");

  /** A pod in an observation. */
  private record ObservedPod(String uid, String name, PodActivity activity) {}

  @Test
  void takesAPod_onceItHasBeenIdleAndWarnedForLongEnough() {
    Backtest backtest =
        played(
            JudgeScenario.cluster(REPORT, pod("a").draw()),
            30,
            look -> List.of(idle("a", look, START)));

    assertThat(backtest.reclaims())
        .containsExactly(
            new SimulatedReclamation(
                pod("a").draw().ref(),
                false,
                1,
                minute(10),
                Duration.ofMinutes(10),
                Mode.ALWAYS,
                minute(30),
                new EvictionOutcome.StillIdle()));
    assertThat(backtest.total().account())
        .isEqualTo(
            new GpuTime(
                Duration.ofMinutes(30), Duration.ofMinutes(30), Duration.ZERO, Duration.ZERO));
    assertThat(backtest.total().freed()).isEqualTo(Duration.ofMinutes(20));
  }

  @Test
  void aPodOfTheSameName_isAnotherPod() {
    Backtest backtest =
        played(
            JudgeScenario.cluster(REPORT),
            30,
            look ->
                look <= 8
                    ? List.of(idle("old", "x", look, START))
                    : List.of(idle("new", "x", look, minute(8))));

    assertThat(backtest.reclaims())
        .extracting(reclaim -> reclaim.pod().uid() + " at " + reclaim.at())
        .containsExactly("new at " + minute(18));
    assertThat(backtest.deletedPods()).isEqualTo(2);
  }

  @Test
  void aPodThatIsGone_isNotTaken_whenItIsUnknownHowManyGpusItHeld() {
    Backtest backtest =
        played(
            JudgeScenario.cluster(REPORT),
            30,
            look -> {
              PodActivity original = idle("a", look, START).activity();
              return List.of(new ObservedPod("a", "a", new PodActivity("a", original.devices())));
            });

    assertThat(backtest.reclaims()).isEmpty();
    assertThat(backtest.total().account().unknown()).isEqualTo(Duration.ofMinutes(30));
  }

  @Test
  void isNotTaken_whenItHeldMoreGpusThanAreSeen() {
    Backtest backtest =
        played(
            JudgeScenario.cluster(REPORT, pod("a").gpus(2).draw()),
            30,
            look -> List.of(idle("a", look, START)));

    assertThat(backtest.reclaims()).isEmpty();
    assertThat(backtest.total().account().unknown()).isEqualTo(Duration.ofMinutes(60));
  }

  @Test
  void aTimeInWhichAPodWasNotSeen_isUnknown() {
    Backtest backtest =
        played(
            JudgeScenario.cluster(REPORT),
            10,
            look -> look > 3 && look < 8 ? List.of() : List.of(idle("a", look, START)));

    assertThat(backtest.total().account().held()).isEqualTo(Duration.ofMinutes(10));
    assertThat(backtest.total().account().unknown()).isEqualTo(Duration.ofMinutes(4));
    assertThat(backtest.recorded()).isEqualTo(Duration.ofMinutes(6));
    assertThat(backtest.firstSeen()).contains(minute(1));
  }

  @Test
  void aStartedPodIsUnknown_untilItIsObserved() {
    Backtest backtest =
        played(
            JudgeScenario.cluster(REPORT, pod("a").startedAt(LONG_BEFORE).draw()),
            10,
            look -> look <= 4 ? List.of() : List.of(idle("a", look, START)));

    assertThat(backtest.total().account().unknown()).isEqualTo(Duration.ofMinutes(4));
  }

  @Test
  void isTaken_thoughItsContainersWereRestartedSince() {
    Instant later = START.plus(Duration.ofDays(1));
    Backtest backtest =
        played(
            JudgeScenario.cluster(REPORT, pod("a").startedAt(later).readyAt(later).draw()),
            30,
            look -> List.of(idle("a", look, START)));

    assertThat(backtest.reclaims()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "exclude, true, 0",
    "idle-after, 20m, 1",
    "idle-after, 1d, 0",
    "keep-until, 2999-01-01, 0",
    "last-activity, 2999-01-01T00:00:00Z, 1",
    "last-activity, 2026-03-02T12:25:00Z, 1",
    "last-activity, 2026-03-02T11:00:00Z, 1",
    "warned-at, 2999-01-01T00:00:00Z, 1",
    "mode, off, 0",
    "nonsense, x, 0"
  })
  void usesTodaysAnnotations_butForWhatWasWrittenSince(String key, String value, int taken) {
    Backtest backtest =
        played(
            JudgeScenario.cluster(REPORT, pod("a").with(key, value).draw()),
            30,
            look -> List.of(idle("a", look, START)));

    assertThat(backtest.reclaims()).hasSize(taken);
  }

  @ParameterizedTest
  @CsvSource({
    "report, 1, report (as if always)",
    "notify, 1, notify (as if always)",
    "on-demand, 1, on-demand",
    "always, 1, always",
    "off, 0, off",
    "alwais, 0, alwais"
  })
  void playsANamespaceThatNeverActs_asIfItDid(String mode, int taken, String played) {
    Backtest backtest =
        played(
            JudgeScenario.cluster(namespace("ml", "mode", mode), pod("a").draw()),
            30,
            look -> List.of(idle("a", look, START)));

    assertThat(backtest.reclaims()).hasSize(taken);
    assertThat(backtest.namespaces().getFirst().mode().map(ModeOverride.OverriddenMode::toString))
        .contains(played);
  }

  @Test
  void takesNothing_fromANamespaceThatIsUnknown() {
    Backtest backtest =
        played(
            new ClusterView(List.of(), Map.of(), List.of(), Map.of()),
            30,
            look -> List.of(idle("a", look, START)));

    assertThat(backtest.reclaims()).isEmpty();
    assertThat(backtest.namespaces().getFirst().mode()).isEmpty();
    assertThat(backtest.total().account().idle()).isEqualTo(Duration.ofMinutes(30));
  }

  @Test
  void whatAnOwnerWouldRecreate_isOnlyReported_andOnlyWhileAllOfItIsIdle() {
    PodTraits server = PodTraits.NONE.withEndpoint("port 8000");
    PodDraft one = pod("a").owner("ReplicaSet", "chat").traits(server);
    PodDraft other = pod("b").owner("ReplicaSet", "chat").traits(server);
    ClusterView cluster = JudgeScenario.cluster(REPORT, one.draw(), other.draw());

    Backtest idle =
        played(cluster, 80, look -> List.of(idle("a", look, START), idle("b", look, START)));
    Backtest busy =
        played(cluster, 80, look -> List.of(idle("a", look, START), idle("b", look, minute(look))));

    assertThat(idle.reclaims()).isEmpty();
    // Serving pods may be idle for an hour, and there are two of them.
    assertThat(idle.total().account().reported()).isEqualTo(Duration.ofMinutes(2 * 21));
    assertThat(busy.total().account().reported()).isZero();
  }

  @Test
  void isNotTaken_whileAnotherPodHoldsTheSameGpu() {
    Backtest backtest =
        played(
            JudgeScenario.cluster(REPORT, pod("a").draw()),
            30,
            look ->
                List.of(
                    idle("a", look, START),
                    new ObservedPod("b", "b", activity("b", "GPU-a", look, START, LONG_BEFORE))));

    assertThat(backtest.reclaims()).isEmpty();
  }

  @Test
  void whatASignalSays_isWork() {
    Backtest spared =
        played(JudgeScenario.cluster(REPORT, pod("a").draw()), 30, look -> withCpu(look, 0));
    Backtest back =
        played(JudgeScenario.cluster(REPORT, pod("a").draw()), 30, look -> withCpu(look, 15));

    assertThat(spared.reclaims()).isEmpty();
    assertThat(back.reclaims())
        .extracting(SimulatedReclamation::afterwards)
        .containsExactly(new EvictionOutcome.ActiveAgain(minute(15)));
  }

  @Test
  void comesBackToWork_whenItWasSeenIdleForTheLastTime() {
    Backtest backtest =
        played(
            JudgeScenario.cluster(REPORT, pod("a").draw()),
            40,
            look -> List.of(idle("a", look, look < 25 ? START : minute(25).minusSeconds(20))));

    SimulatedReclamation reclaim = backtest.reclaims().getFirst();
    assertThat(reclaim.afterwards()).isEqualTo(new EvictionOutcome.ActiveAgain(minute(24)));
    assertThat(reclaim.neededAfter()).contains(Duration.ofMinutes(14));
    assertThat(backtest.total().neededWithin(Duration.ofMinutes(14))).isEqualTo(1);
    assertThat(backtest.total().neededWithin(Duration.ofMinutes(13))).isZero();
    assertThat(backtest.reclaims()).as("and is taken once more").hasSize(2);
  }

  /** Another of its pods may be the one that works. */
  @ParameterizedTest
  @CsvSource({"false, 1, 0", "true, 0, 1"})
  void isUnknownWhetherItWasNeeded_ifItsSharedGpuWorks(boolean isShared, int needed, int unknown) {
    PodDraft draft = isShared ? pod("a").gpus(0).replica("nvidia.com/gpu.shared") : pod("a");

    Backtest backtest =
        played(
            JudgeScenario.cluster(REPORT, draft.draw()),
            20,
            look -> List.of(idle("a", look, look < 15 ? START : minute(look))));

    assertThat(backtest.reclaims()).hasSize(1);
    assertThat(backtest.total().neededWithin(Duration.ofHours(1))).isEqualTo(needed);
    assertThat(backtest.total().unknownAfter()).isEqualTo(unknown);
  }

  @Test
  void theSoonestBackIsTheWorst() {
    Backtest backtest =
        played(
            JudgeScenario.cluster(REPORT, pod("a").draw(), pod("b").draw(), pod("c").draw()),
            30,
            look ->
                List.of(
                    idle("a", look, look < 28 ? START : minute(28)),
                    idle("b", look, look < 14 ? START : minute(look)),
                    idle("c", look, START)));

    assertThat(backtest.reclaims())
        .extracting(each -> each.pod().name())
        .containsExactly("b", "a", "c");
  }

  @Test
  void leavesOut_whoIsKnownByNameOnly_andGone() {
    Backtest backtest =
        played(
            JudgeScenario.cluster(REPORT),
            10,
            look -> {
              PodActivity activity = idle("ml/a", look, START).activity();
              return new HistoricalObservation(
                  new Seen(
                      minute(look),
                      Map.of(),
                      List.of(),
                      new ByName(Map.of(new PodName("ml", "a"), activity), Map.of()),
                      Optional.empty(),
                      Optional.empty()),
                  Map.of());
            });

    assertThat(backtest.reclaims()).isEmpty();
    assertThat(backtest.unnamed()).isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void reportsTheNamespacesThatAreAskedFor() {
    var range = new TimeRange(START, minute(30), STEP);
    var player =
        new PolicyReplay(
            range,
            JudgeScenario.cluster(REPORT, pod("a").draw()),
            new ModeOverride(Mode.REPORT, Mode.ALWAYS),
            ShortTimes.JUDGE,
            SignalHistoryStore.none(),
            new NamespaceScope(Set.of("other")));
    for (int look = 1; look <= 30; look++) {
      player.play(look(look, List.of(idle("a", look, START))));
    }

    Backtest backtest = player.finish();

    assertThat(backtest.namespaces()).isEmpty();
    assertThat(backtest.reclaims()).isEmpty();
  }

  private static Backtest played(ClusterView today, int looks, IntFunction<?> saw) {
    var player =
        new PolicyReplay(
            new TimeRange(START, minute(looks), STEP),
            today,
            new ModeOverride(Mode.REPORT, Mode.ALWAYS),
            ShortTimes.JUDGE,
            SignalHistoryStore.none(),
            new NamespaceScope(Set.of()));
    for (int look = 1; look <= looks; look++) {
      player.play(
          switch (saw.apply(look)) {
            case HistoricalObservation whole -> whole;
            case List<?> pods -> look(look, pods.stream().map(ObservedPod.class::cast).toList());
            case Object other -> throw new IllegalArgumentException("no look: " + other);
          });
    }
    return player.finish();
  }

  private static HistoricalObservation look(int number, List<ObservedPod> saw) {
    Map<String, PodActivity> pods = new HashMap<>();
    Map<String, PodName> names = new HashMap<>();
    saw.forEach(
        each -> {
          pods.put(each.uid(), each.activity());
          names.put(each.uid(), new PodName("ml", each.name()));
        });
    return new HistoricalObservation(new Seen(minute(number), pods, List.of()), names);
  }

  private static Instant minute(int number) {
    return START.plus(STEP.multipliedBy(number));
  }

  private static ObservedPod idle(String uid, int look, Instant lastActive) {
    return idle(uid, uid, look, lastActive);
  }

  private static ObservedPod idle(String uid, String name, int look, Instant lastActive) {
    return new ObservedPod(uid, name, activity(uid, "GPU-" + uid, look, lastActive, LONG_BEFORE));
  }

  private static PodActivity activity(
      String uid, String gpu, int look, Instant lastActive, Instant since) {
    var device =
        new DeviceActivity(
            new GpuUuid(gpu),
            Optional.of(lastActive),
            since,
            minute(look),
            minute(look),
            OptionalDouble.empty());
    return new PodActivity(uid, List.of(device), OptionalInt.of(1), List.of());
  }

  /** Its CPU works from that look on. */
  private static List<ObservedPod> withCpu(int look, int from) {
    PodActivity idle = idle("a", look, START).activity();
    var cpu = new Signal(Signal.SignalKind.CPU, look > from ? 2 : 0, 0.5, "CPU cores per GPU");
    return Arrays.asList(
        new ObservedPod(
            "a", "a", new PodActivity("a", idle.devices(), idle.deviceCount(), List.of(cpu))));
  }
}
