package io.gpureclaimer.reclaimer.verdict;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.DEFAULTS;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.LIMITS;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.cluster;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.heeding;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.idle;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.idleAgain;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.namespace;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.seen;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.time;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.warned;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.action.Action.ActionCheck;
import io.gpureclaimer.reclaimer.action.evict.EvictPod;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.policy.ActionChoice;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting.Origin;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults.VetoSettings;
import io.gpureclaimer.reclaimer.policy.ProtectedHours.HourRange;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import io.gpureclaimer.reclaimer.verdict.Verdict.ReportOnly;
import io.gpureclaimer.reclaimer.verdict.Verdict.ReportOnly.ActionWithheld;
import io.gpureclaimer.reclaimer.verdict.Verdict.ReportOnly.InProtectedHours;
import io.gpureclaimer.reclaimer.verdict.Verdict.ReportOnly.Kept;
import io.gpureclaimer.reclaimer.verdict.Verdict.Reported;
import io.gpureclaimer.reclaimer.verdict.Verdict.Starting;
import io.gpureclaimer.reclaimer.verdict.Verdict.ToWarn;
import io.gpureclaimer.reclaimer.verdict.Verdict.ToWithdraw;
import io.gpureclaimer.reclaimer.verdict.Verdict.Vetoed;
import io.gpureclaimer.reclaimer.verdict.Verdict.Watching;
import io.gpureclaimer.reclaimer.verdict.Warning.Withdrawal;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What spares a workload whose GPUs are idle. Now is noon of a Monday in UTC. */
class KeptWhileIdleTest {
  private static final Judge JUDGE = new Judge(DEFAULTS, LIMITS);
  private static final NamespaceView ALWAYS = namespace("ml", "mode", "always");
  private static final Origin POD = new Origin.Annotation("pod ml/a");
  private static final Signal POWER = new Signal(SignalKind.POWER, 167, 80, "power of GPU-1 in W");
  private static final Signal CPU = new Signal(SignalKind.CPU, 2, 0.5, "CPU cores per GPU");

  @Test
  void aSignalSparesIt() {
    PodView pod = pod("a").draw();

    assertThat(verdict(ALWAYS, pod, POWER)).isEqualTo(new Vetoed(workload(pod), pod.ref(), POWER));
  }

  @ParameterizedTest(name = "{0} of {1}: vetoed {2}")
  @CsvSource({"79.9, 80, false", "80, 80, false", "80.1, 80, true", "NaN, 80, true"})
  void onlyASignalAboveItsLimitSparesIt(double value, double limit, boolean vetoed) {
    PodView pod = pod("a").draw();
    var signal = new Signal(SignalKind.POWER, value, limit, "power");

    assertThat(verdict(ALWAYS, pod, signal) instanceof Vetoed).isEqualTo(vetoed);
  }

  @Test
  void whatIsNoLongerReportedSparesIt() {
    var lost =
        new Signal(
            SignalKind.CPU, Double.NaN, 0.5, "cores kept busy (last reported 10" + " minutes ago)");

    assertThat(VerdictSentence.of(verdict(ALWAYS, pod("a").draw(), lost)))
        .isEqualTo(
            "its GPUs are idle, but it is unknown whether it works: cores kept busy (last"
                + " reported 10 minutes ago) is not known");
  }

  @Test
  void aSignalTakesTheWarningBack() {
    PodView pod = pod("a").with(warned("20m", "2h")).draw();

    assertThat(verdict(ALWAYS, pod, POWER))
        .isEqualTo(new ToWithdraw(workload(pod), Withdrawal.VETOED));
  }

  @Test
  void aSignalStopsTheActAtTheLastMoment() {
    PodView pod = pod("a").with(warned("20m", "2h")).draw();
    PodActivity again = with(idleAgain(pod, 0, "2h"), POWER);

    assertThat(JUDGE.judgeAgain(List.of(pod), cluster(ALWAYS, pod), seen(again), NOW).verdict())
        .isEqualTo(new ToWithdraw(workload(pod), Withdrawal.VETOED));
  }

  @Test
  void aSignalThatIsSwitchedOffSparesNothing() {
    PodView pod = pod("a").draw();
    var judge = new Judge(heeding(new VetoSettings(Set.of(SignalKind.CPU), Set.of())), LIMITS);

    assertThat(
            judge
                .judge(cluster(ALWAYS, pod), seen(with(idle(pod, "2h"), POWER)), NOW)
                .getFirst()
                .verdict())
        .isInstanceOf(ToWarn.class);
  }

  @ParameterizedTest(name = "class {0}: vetoed {1}")
  @CsvSource({"serving, false", "batch, true", "interactive, true", "other, true"})
  void theCpuSaysNothingOfServers(String workloadClass, boolean vetoed) {
    PodView pod = pod("a").with("class", workloadClass).draw();

    assertThat(verdict(ALWAYS, pod, CPU) instanceof Vetoed).isEqualTo(vetoed);
  }

  /** A data loader in a Deployment is no server. */
  @ParameterizedTest(name = "port {0}: vetoed {1}")
  @CsvSource({"true, false", "false, true"})
  void theCpuOfADeploymentSaysNothing_onlyIfItHasAPortForClients(boolean port, boolean vetoed) {
    PodView pod =
        pod("a")
            .owner("ReplicaSet", "web-1")
            .traits(port ? PodTraits.NONE.withEndpoint("port 8000") : PodTraits.NONE)
            .draw();

    assertThat(verdict(ALWAYS, pod, CPU) instanceof Vetoed).isEqualTo(vetoed);
  }

  @Test
  void isStarting_whileItIsNotReady() {
    PodView pod = pod("a").notReady().draw();

    assertThat(verdict(ALWAYS, pod))
        .isEqualTo(new Starting(workload(pod), pod.ref(), Optional.empty()));
  }

  @Test
  void isStarting_whileItsGraceRuns() {
    PodView pod = pod("a").with("startup-grace", "20m").startedAt(ago("19m")).draw();

    assertThat(verdict(ALWAYS, pod))
        .isEqualTo(new Starting(workload(pod), pod.ref(), Optional.of(NOW.plus(time("1m")))));
  }

  @Test
  void countsFromTheEndOfItsGrace() {
    PodView pod =
        pod("a").with("startup-grace", "20m").startedAt(ago("2h")).readyAt(ago("50m")).draw();

    assertThat(verdict(ALWAYS, pod))
        .isEqualTo(
            new Watching(
                workload(pod),
                ago("30m"),
                time("30m"),
                Optional.of("it started or became ready, and the grace after that"),
                time("1h"),
                Verdict.Next.WARNING,
                time("15m")));
  }

  @Test
  void takesTheWarningBack_whenItStartsAgain() {
    PodView pod =
        pod("a").with(warned("20m", "2h")).with("startup-grace", "20m").readyAt(ago("1m")).draw();

    assertThat(verdict(ALWAYS, pod)).isEqualTo(new ToWithdraw(workload(pod), Withdrawal.STARTING));
  }

  @Test
  void countsFromTheActivityThatItReports() {
    PodView pod = pod("a").with("last-activity", ago("30m").toString()).draw();

    assertThat(verdict(ALWAYS, pod))
        .isEqualTo(
            new Watching(
                workload(pod),
                ago("30m"),
                time("30m"),
                Optional.of("pod ml/a said that it worked"),
                time("1h"),
                Verdict.Next.WARNING,
                time("15m")));
  }

  @Test
  void anOldTaleOfActivityChangesNothing() {
    PodView pod = pod("a").with("last-activity", ago("3h").toString()).draw();

    assertThat(verdict(ALWAYS, pod)).isInstanceOf(ToWarn.class);
  }

  @Test
  void onlyReports_inProtectedHours() {
    PodView pod = pod("a").with("protected-hours", "Mon 11:00-13:00 UTC").draw();
    HourRange range = HourRange.of("Mon 11:00-13:00 UTC").orElseThrow();

    assertThat(verdict(ALWAYS, pod)).isEqualTo(reported(pod, new InProtectedHours(range, POD)));
  }

  @Test
  void goesOn_outsideOfProtectedHours() {
    PodView pod = pod("a").with("protected-hours", "Mon 13:00-11:00 UTC").draw();

    assertThat(verdict(ALWAYS, pod)).isInstanceOf(ToWarn.class);
  }

  @Test
  void takesTheWarningBack_whenProtectedHoursBegin() {
    PodView pod =
        pod("a").with(warned("20m", "2h")).with("protected-hours", "Mon 12:00-13:00 UTC").draw();

    assertThat(verdict(ALWAYS, pod))
        .isEqualTo(new ToWithdraw(workload(pod), Withdrawal.PROTECTED_NOW));
  }

  @Test
  void onlyReports_whileAnAnnotationKeepsIt() {
    PodView pod = pod("a").with("keep-until", "2026-03-03").draw();

    assertThat(verdict(ALWAYS, pod))
        .isEqualTo(reported(pod, new Kept(Instant.parse("2026-03-03T00:00:00Z"), POD)));
  }

  @ParameterizedTest(name = "kept until {0}, at most for {1} of idle time: {2}")
  @CsvSource({
    "2026-03-02T12:00:01Z, 3h, true",
    "2026-03-02T12:00:00Z, 3h, false",
    "2099-01-01, 2h, false",
    "2099-01-01, 121m, true",
    "2099-01-01, 0s, false"
  })
  void noPodKeepsIdleGpusForever(String until, String maxKeep, boolean kept) {
    NamespaceView namespace = namespace("ml", "mode", "always", "max-keep", maxKeep);
    PodView pod = pod("a").with("keep-until", until).draw();

    assertThat(verdict(namespace, pod) instanceof Reported).isEqualTo(kept);
  }

  @Test
  void onlyReports_whenTheActionIsNone() {
    PodView pod = pod("a").with("action", "none").draw();

    assertThat(verdict(ALWAYS, pod))
        .isEqualTo(reported(pod, new ActionWithheld(ActionChoice.NONE, POD)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"scale", "suspend", "stop"})
  void onlyReports_whenTheActionDoesNotFit(String action) {
    PodView pod = pod("a").with("action", action).draw();
    String text = "the action " + action + " does not fit a Pod";

    assertThat(verdict(ALWAYS, pod))
        .isEqualTo(
            reported(
                pod,
                new ReportOnly.ActionRefused(
                    new ActionCheck.Refused("no-action-for-kind", text, text))));
  }

  @Test
  void onlyWarns_whenDataWouldBeLost() {
    PodView pod =
        pod("a").traits(new PodTraits(Map.of(), false, List.of("cache"), Optional.empty())).draw();

    Judgment judgment = judgment(ALWAYS, pod);

    assertThat(judgment.verdict())
        .isEqualTo(
            new ToWarn(
                workload(pod),
                ago("2h"),
                time("2h"),
                Mode.NOTIFY,
                Optional.empty(),
                Optional.empty(),
                new EvictPod()));
    assertThat(judgment.policy().map(EffectivePolicy::mode))
        .contains(
            new Setting<>(
                Mode.NOTIFY,
                new Origin.Clamped(
                    "pod ml/a",
                    "always",
                    "the data in its volume cache would be lost, and is not marked"
                        + " gpu-reclaimer.io/scratch: disposable")));
  }

  @Test
  void reclaims_whenItsDataIsDisposable() {
    PodView pod =
        pod("a")
            .traits(new PodTraits(Map.of(), false, List.of("cache"), Optional.empty()))
            .with("scratch", "disposable")
            .with(warned("20m", "2h"))
            .draw();

    assertThat(verdict(ALWAYS, pod)).isInstanceOf(Due.class);
  }

  private static Reported reported(PodView pod, ReportOnly why) {
    return new Reported(workload(pod), ago("2h"), time("2h"), time("1h"), why);
  }

  private static Verdict verdict(NamespaceView namespace, PodView pod, Signal... signals) {
    return judgment(namespace, pod, signals).verdict();
  }

  private static Judgment judgment(NamespaceView namespace, PodView pod, Signal... signals) {
    PodActivity activity = with(idle(pod, "2h"), signals);
    return JUDGE.judge(cluster(namespace, pod), seen(activity), NOW).getFirst();
  }

  private static PodActivity with(PodActivity idle, Signal... signals) {
    return new PodActivity(idle.uid(), idle.devices(), OptionalInt.empty(), List.of(signals));
  }

  private static Workload workload(PodView pod) {
    return new Workload("ml", Optional.empty(), List.of(pod));
  }
}
