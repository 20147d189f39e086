package io.gpureclaimer.reclaimer.verdict;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.DEFAULTS;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.LIMITS;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.cluster;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.idle;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.idleAgain;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.namespace;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.seen;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.time;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.warned;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.action.evict.EvictPod;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.evidence.SignalHistoryStore.SignalHistory;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import io.gpureclaimer.reclaimer.verdict.Verdict.Next;
import io.gpureclaimer.reclaimer.verdict.Verdict.ToWarn;
import io.gpureclaimer.reclaimer.verdict.Verdict.ToWithdraw;
import io.gpureclaimer.reclaimer.verdict.Verdict.Watching;
import io.gpureclaimer.reclaimer.verdict.Warning.Withdrawal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a signal said earlier counts as work then; the GPUs have been idle for two hours. */
class RememberedSignalsTest {
  private static final Judge JUDGE = new Judge(DEFAULTS, LIMITS);
  private static final NamespaceView ALWAYS = namespace("ml", "mode", "always");
  private static final String ALL_DAY = "9h";

  @Test
  void theIdleTimeBeginsWhenASignalLastSaidWork() {
    PodView pod = pod("a").draw();

    assertThat(verdict(pod, heard(ALL_DAY, SignalKind.POWER, "20m")))
        .isEqualTo(
            new Watching(
                workload(pod),
                ago("20m"),
                time("20m"),
                Optional.of("power said work or was not known"),
                time("1h"),
                Next.WARNING,
                time("25m")));
  }

  @Test
  void ofSeveralSignalsAtOnce_theFirstIsNamed_whateverTheOrder() {
    PodView pod = pod("a").draw();
    Instant at = ago("20m");
    var heard =
        new SignalHistory(
            ago(ALL_DAY),
            Map.of(
                SignalKind.CPU,
                at,
                SignalKind.PCIE,
                at,
                SignalKind.POWER,
                at,
                SignalKind.JUPYTER,
                at));

    assertThat(verdict(pod, heard))
        .isInstanceOfSatisfying(
            Watching.class,
            watching ->
                assertThat(watching.startedAfter()).contains("power said work or was not known"));
  }

  @Test
  void theWarningIsWithdrawn_whenASignalSaidWorkAfterIt() {
    PodView pod = pod("a").with(warned("20m", "2h")).draw();

    assertThat(verdict(pod, heard(ALL_DAY, SignalKind.POWER, "5m")))
        .isEqualTo(new ToWithdraw(workload(pod), Withdrawal.OTHER_IDLE_PERIOD));
  }

  @ParameterizedTest(name = "class {0}: counts {1}")
  @CsvSource({"serving, false", "batch, true"})
  void theCpuOfServersSaidNothing(String workloadClass, boolean counts) {
    PodView pod = pod("a").with("class", workloadClass).draw();

    assertThat(verdict(pod, heard(ALL_DAY, SignalKind.CPU, "5m")) instanceof Watching)
        .isEqualTo(counts);
  }

  @Test
  void isWarnedAtOnce_butNotActedOnBeforeItsSignalsHaveBeenObservedForAsLong() {
    PodView pod = pod("a").draw();

    assertThat(verdict(pod, new SignalHistory(ago("5m"), Map.of())))
        .isEqualTo(
            new ToWarn(
                workload(pod),
                ago("2h"),
                time("2h"),
                Mode.ALWAYS,
                Optional.of(NOW.plus(time("55m"))),
                Optional.of(ago("2h").plus(DEFAULTS.maxKeep())),
                new EvictPod()));
  }

  @Test
  void isActedOnAfterTheUsualGrace_onceItsSignalsHaveBeenObservedForAsLong() {
    PodView pod = pod("a").draw();

    assertThat(verdict(pod, new SignalHistory(ago("45m"), Map.of())))
        .isInstanceOfSatisfying(
            ToWarn.class, warn -> assertThat(warn.actNotBefore()).contains(NOW.plus(time("15m"))));
  }

  @ParameterizedTest(name = "observed for {0}, warned 20m ago")
  @ValueSource(strings = {"9h", "20m", "16m"})
  void theWarningHolds_whereSignalsWereObservedSinceThen(String listened) {
    PodView pod = pod("a").with(warned("20m", "2h")).draw();

    assertThat(verdict(pod, new SignalHistory(ago(listened), Map.of()))).isInstanceOf(Due.class);
  }

  @ParameterizedTest(name = "observed for {0}, warned 20m ago")
  @ValueSource(strings = {"0s", "1m", "15m59s"})
  void theWarningIsWithdrawn_whereSignalsMayHaveBeenMissed(String listened) {
    PodView pod = pod("a").with(warned("20m", "2h")).draw();

    assertThat(verdict(pod, new SignalHistory(ago(listened), Map.of())))
        .isEqualTo(new ToWithdraw(workload(pod), Withdrawal.OTHER_IDLE_PERIOD));
  }

  @Test
  void theWarningHolds_whenNothingFollowsFromIt() {
    PodView pod =
        pod("a")
            .with(warned("20m", "2h"))
            .with("warned-mode", "notify", "act-not-before", "never")
            .draw();
    PodActivity seen = with(idle(pod, "2h"), new SignalHistory(ago("1m"), Map.of()));
    NamespaceView notify = namespace("ml", "mode", "notify");

    assertThat(JUDGE.judge(cluster(notify, pod), seen(seen), NOW).getFirst().verdict())
        .isInstanceOf(Verdict.Notified.class);
  }

  @Test
  void theWarningReportsWorkThatIsNoLongerRemembered() {
    PodView pod = pod("a").with(warned("20m", "50m")).draw();

    assertThat(verdict(pod, new SignalHistory(ago("19m"), Map.of())))
        .isInstanceOfSatisfying(
            Verdict.Warned.class,
            still -> {
              assertThat(still.idleSince()).isEqualTo(ago("50m"));
              assertThat(still.remaining()).isEqualTo(time("10m"));
            });
  }

  @Test
  void theSecondLookRemembersToo() {
    PodView pod = pod("a").with(warned("20m", "2h")).draw();
    PodActivity again = with(idleAgain(pod, 0, "2h"), heard(ALL_DAY, SignalKind.POWER, "5m"));

    assertThat(JUDGE.judgeAgain(List.of(pod), cluster(ALWAYS, pod), seen(again), NOW).verdict())
        .isEqualTo(new ToWithdraw(workload(pod), Withdrawal.OTHER_IDLE_PERIOD));
  }

  private static SignalHistory heard(String since, SignalKind kind, String workedAgo) {
    Instant worked = ago(workedAgo);
    return new SignalHistory(ago(since), Map.of(kind, worked));
  }

  private static Verdict verdict(PodView pod, SignalHistory heard) {
    return JUDGE
        .judge(cluster(ALWAYS, pod), seen(with(idle(pod, "2h"), heard)), NOW)
        .getFirst()
        .verdict();
  }

  private static PodActivity with(PodActivity pod, SignalHistory heard) {
    return new PodActivity(
        pod.uid(),
        pod.name(),
        pod.devices(),
        OptionalInt.empty(),
        pod.signals(),
        Optional.of(heard),
        Optional.empty());
  }
}
