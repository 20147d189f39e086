package io.gpureclaimer.reclaimer.verdict;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.DEFAULTS;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.LIMITS;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.cluster;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.device;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.idle;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.idleAgain;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.namespace;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.seen;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.time;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.warned;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.action.Action.ActionCheck;
import io.gpureclaimer.reclaimer.action.evict.EvictPod;
import io.gpureclaimer.reclaimer.cluster.Accelerators.Claimed;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.PodPhase;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.evidence.Evidence.EvidenceSign;
import io.gpureclaimer.reclaimer.evidence.Evidence.UnknownCause;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Remark;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting.Origin;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment.PodEvidence;
import io.gpureclaimer.reclaimer.verdict.Verdict.Active;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import io.gpureclaimer.reclaimer.verdict.Verdict.Next;
import io.gpureclaimer.reclaimer.verdict.Verdict.NotRunning;
import io.gpureclaimer.reclaimer.verdict.Verdict.Notified;
import io.gpureclaimer.reclaimer.verdict.Verdict.Protected;
import io.gpureclaimer.reclaimer.verdict.Verdict.ReportOnly;
import io.gpureclaimer.reclaimer.verdict.Verdict.Reported;
import io.gpureclaimer.reclaimer.verdict.Verdict.ToWarn;
import io.gpureclaimer.reclaimer.verdict.Verdict.ToWithdraw;
import io.gpureclaimer.reclaimer.verdict.Verdict.Unknown;
import io.gpureclaimer.reclaimer.verdict.Verdict.Warned;
import io.gpureclaimer.reclaimer.verdict.Verdict.Watching;
import io.gpureclaimer.reclaimer.verdict.Warning.Withdrawal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JudgeTest {
  private static final Judge JUDGE = new Judge(DEFAULTS, LIMITS);
  private static final String REPLICA = "nvidia.com/gpu.shared";
  private static final NamespaceView SILENT = namespace("ml");
  private static final NamespaceView ALWAYS = namespace("ml", "mode", "always");
  private static final NamespaceView ON_DEMAND = namespace("ml", "mode", "on-demand");
  private static final NamespaceView NOTIFY = namespace("ml", "mode", "notify");
  private static final Origin NAMESPACE = new Origin.Annotation("namespace ml");

  @Test
  void watches_whenIdleForLessThanTheWarningTakes() {
    PodView pod = pod("a").draw();

    assertThat(verdict(ALWAYS, pod, idle(pod, "12m")))
        .isEqualTo(
            new Watching(
                workload(pod),
                ago("12m"),
                time("12m"),
                Optional.empty(),
                time("1h"),
                Next.WARNING,
                time("33m")));
  }

  @Test
  void countsFromTheStart_whenAContainerWasRestarted() {
    PodView pod = pod("a").startedAt(ago("3m")).draw();

    assertThat(verdict(ALWAYS, pod, idle(pod, "2h")))
        .isEqualTo(
            new Watching(
                workload(pod),
                ago("3m"),
                time("3m"),
                Optional.of("it started or became ready, and the grace after that"),
                time("1h"),
                Next.WARNING,
                time("42m")));
  }

  @Test
  void warns_whenTheIdleTimeWillBeReachedWithinTheGrace() {
    PodView pod = pod("a").draw();

    assertThat(verdict(ALWAYS, pod, idle(pod, "45m")))
        .isEqualTo(
            new ToWarn(
                workload(pod),
                ago("45m"),
                time("45m"),
                Mode.ALWAYS,
                Optional.of(NOW.plus(time("15m"))),
                Optional.of(ago("45m").plus(DEFAULTS.maxKeep())),
                new EvictPod()));
  }

  @Test
  void givesTheWholeGrace_whenItWarnsLate() {
    PodView pod = pod("a").draw();

    assertThat(verdict(ON_DEMAND, pod, idle(pod, "9h")))
        .isEqualTo(
            new ToWarn(
                workload(pod),
                ago("9h"),
                time("9h"),
                Mode.ON_DEMAND,
                Optional.of(NOW.plus(time("15m"))),
                Optional.of(ago("9h").plus(DEFAULTS.maxKeep())),
                new EvictPod()));
  }

  @Test
  void promisesNothing_whenTheModeOnlyNotifies() {
    PodView pod = pod("a").draw();

    assertThat(verdict(NOTIFY, pod, idle(pod, "50m")))
        .isEqualTo(
            new ToWarn(
                workload(pod),
                ago("50m"),
                time("50m"),
                Mode.NOTIFY,
                Optional.empty(),
                Optional.empty(),
                new EvictPod()));
  }

  @Test
  void waits_whileTheGraceRuns() {
    PodView pod = pod("a").with(warned("14m", "9h")).draw();

    assertThat(verdict(ALWAYS, pod, idle(pod, "9h")))
        .isEqualTo(
            new Warned(workload(pod), ago("9h"), time("9h"), ago("14m"), Mode.ALWAYS, time("1m")));
  }

  @Test
  void waits_whileTheIdleTimeIsNotReached_evenIfWarnedLongAgo() {
    PodView pod = pod("a").with(warned("40m", "50m")).draw();

    assertThat(verdict(ALWAYS, pod, idle(pod, "50m")))
        .isEqualTo(
            new Warned(
                workload(pod), ago("50m"), time("50m"), ago("40m"), Mode.ALWAYS, time("10m")));
  }

  @ParameterizedTest(name = "mode {0}")
  @ValueSource(strings = {"always", "on-demand"})
  void isDue_whenIdleForTheLimitAndWarnedForTheGrace(String mode) {
    PodView pod = pod("a").with(warned("15m", "1h")).draw();

    assertThat(verdict(namespace("ml", "mode", mode), pod, idle(pod, "1h")))
        .isEqualTo(
            new Due(
                workload(pod),
                ago("1h"),
                time("1h"),
                ago("15m"),
                Mode.of(mode).orElseThrow(),
                new EvictPod()));
  }

  @Test
  void isNeverDue_whenTheModeOnlyNotifies() {
    PodView pod = pod("a").with(warned("9h", "10h")).with("act-not-before", "never").draw();

    assertThat(verdict(NOTIFY, pod, idle(pod, "10h")))
        .isEqualTo(new Notified(workload(pod), ago("10h"), time("10h"), ago("9h")));
  }

  @Test
  void keepsItsPromise_whenThePolicyBecameStricterAfterTheWarning() {
    PodView pod =
        pod("a")
            .with(warned("20m", "2h"))
            .with("act-not-before", NOW.plus(time("40m")).toString())
            .draw();

    assertThat(verdict(ALWAYS, pod, idle(pod, "2h")))
        .isEqualTo(
            new Warned(workload(pod), ago("2h"), time("2h"), ago("20m"), Mode.ALWAYS, time("40m")));
  }

  @Test
  void withdrawsANotice_whenTheModeActsNow_becauseThatWasNotWarnedAbout() {
    PodView pod = pod("a").with(warned("9h", "10h")).with("act-not-before", "never").draw();

    assertThat(verdict(ALWAYS, pod, idle(pod, "10h")))
        .isEqualTo(new ToWithdraw(workload(pod), Withdrawal.MODE_RAISED));
  }

  @ParameterizedTest(name = "warned under {0}, now {1}")
  @CsvSource({"notify, on-demand", "notify, always", "on-demand, always"})
  void withdraws_whenTheModeGoesFurtherThanTheWarning(String before, String now) {
    PodView pod = pod("a").with(warned("9h", "10h")).with("warned-mode", before).draw();

    assertThat(verdict(namespace("ml", "mode", now), pod, idle(pod, "10h")))
        .isEqualTo(new ToWithdraw(workload(pod), Withdrawal.MODE_RAISED));
  }

  @Test
  void holds_whenTheModeGoesLessFarThanTheWarning() {
    PodView pod = pod("a").with(warned("9h", "10h")).draw();

    assertThat(verdict(namespace("ml", "mode", "on-demand"), pod, idle(pod, "10h")))
        .isEqualTo(
            new Due(
                workload(pod), ago("10h"), time("10h"), ago("9h"), Mode.ON_DEMAND, new EvictPod()));
  }

  @Test
  void takesAWarningWithoutAMode_forOneOfAnActOnDemand() {
    PodView pod =
        pod("a")
            .with("warned-at", ago("9h").toString(), "idle-since", ago("10h").toString())
            .draw();

    assertThat(verdict(namespace("ml", "mode", "on-demand"), pod, idle(pod, "10h")))
        .isInstanceOf(Due.class);
    assertThat(verdict(ALWAYS, pod, idle(pod, "10h")))
        .isEqualTo(new ToWithdraw(workload(pod), Withdrawal.MODE_RAISED));
  }

  @Test
  void withdraws_whenActiveAgain() {
    PodView pod = pod("a").with(warned("10m", "1h")).draw();

    assertThat(verdict(ALWAYS, pod, idle(pod, "1s")))
        .isEqualTo(new ToWithdraw(workload(pod), Withdrawal.ACTIVE_AGAIN));
  }

  @ParameterizedTest(name = "idle for {0} now")
  @ValueSource(strings = {"20s", "59m59s", "2h", "1h1s"})
  void withdraws_whenAnotherIdlePeriodHasBegun(String idleFor) {
    PodView pod = pod("a").with(warned("20m", "1h")).draw();

    assertThat(verdict(ALWAYS, pod, idle(pod, idleFor)))
        .isEqualTo(new ToWithdraw(workload(pod), Withdrawal.OTHER_IDLE_PERIOD));
  }

  @Test
  void keepsTheWarning_whenTheIdlePeriodDiffersByLessThanASecond() {
    PodView pod =
        pod("a")
            .with(
                "warned-at",
                ago("20m").toString(),
                "idle-since",
                ago("1h").plusMillis(999).toString(),
                "warned-mode",
                "always")
            .draw();

    assertThat(verdict(ALWAYS, pod, idle(pod, "1h")))
        .isEqualTo(
            new Due(workload(pod), ago("1h"), time("1h"), ago("20m"), Mode.ALWAYS, new EvictPod()));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "warned-at, yesterday",
    "warned-at, ''",
    "warned-at, 2026-03-02",
    "idle-since, 1772452800",
    "act-not-before, soon",
    "warned-mode, sometimes"
  })
  void withdraws_whenTheWarningCannotBeRead(String key, String value) {
    PodView pod = pod("a").with(warned("20m", "1h")).with(key, value).draw();

    assertThat(verdict(ALWAYS, pod, idle(pod, "1h")))
        .isEqualTo(new ToWithdraw(workload(pod), Withdrawal.UNREADABLE));
  }

  @ParameterizedTest(name = "only {0}")
  @ValueSource(strings = {"warned-at", "idle-since", "act-not-before"})
  void withdraws_whenHalfOfTheWarningIsMissing(String key) {
    PodView pod = pod("a").with(key, ago("1h").toString()).draw();

    assertThat(verdict(ALWAYS, pod, idle(pod, "1h")))
        .isEqualTo(new ToWithdraw(workload(pod), Withdrawal.UNREADABLE));
  }

  @ParameterizedTest(name = "warned at {0}")
  @ValueSource(strings = {"2026-03-02T12:00:31Z", "+1000000000-12-31T23:59:59Z"})
  void withdraws_whenTheWarningIsOfTheFuture(String warnedAt) {
    PodView pod = pod("a").with(warned("20m", "1h")).with("warned-at", warnedAt).draw();

    assertThat(verdict(ALWAYS, pod, idle(pod, "1h")))
        .isEqualTo(new ToWithdraw(workload(pod), Withdrawal.IMPLAUSIBLE_TIME));
  }

  @ParameterizedTest(name = "warned at {0}")
  @ValueSource(strings = {"2026-03-02T10:59:29Z", "-1000000000-01-01T00:00:00Z"})
  void withdraws_whenTheWarningIsOlderThanTheIdlePeriod(String warnedAt) {
    PodView pod = pod("a").with(warned("20m", "1h")).with("warned-at", warnedAt).draw();

    assertThat(verdict(ALWAYS, pod, idle(pod, "1h")))
        .isEqualTo(new ToWithdraw(workload(pod), Withdrawal.IMPLAUSIBLE_TIME));
  }

  @Test
  void keepsTheWarning_whileNothingIsKnown() {
    PodView pod = pod("a").with(warned("20m", "1h")).draw();

    assertThat(verdict(ALWAYS, pod))
        .isEqualTo(
            new Unknown(
                workload(pod),
                pod.ref(),
                new Evidence.Unknown(UnknownCause.NOT_SEEN, "no agent has reported on it")));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({"mode, report", "mode, off", "exclude, true", "exlude, true"})
  void withdraws_whenThePolicyNoLongerAllowsToAct(String key, String value) {
    PodView pod = pod("a").with(warned("20m", "1h")).with(key, value).draw();

    assertThat(verdict(ALWAYS, pod, idle(pod, "1h")))
        .isEqualTo(new ToWithdraw(workload(pod), Withdrawal.POLICY_CHANGED));
  }

  @Test
  void onlyReports_whenTheNamespaceSaysNothing() {
    PodView pod = pod("a").draw();

    assertThat(verdict(SILENT, pod, idle(pod, "2h")))
        .isEqualTo(
            new Reported(
                workload(pod),
                ago("2h"),
                time("2h"),
                time("1h"),
                new ReportOnly.ModeIsReport(new Origin.Defaults())));
  }

  @Test
  void watchesUntilTheReport_whenTheModeIsReport() {
    PodView pod = pod("a").draw();

    assertThat(verdict(SILENT, pod, idle(pod, "50m")))
        .isEqualTo(
            new Watching(
                workload(pod),
                ago("50m"),
                time("50m"),
                Optional.empty(),
                time("1h"),
                Next.REPORT,
                time("10m")));
  }

  @Test
  void onlyReports_whenAnAnnotationCannotBeUnderstood() {
    PodView pod = pod("a").with("idle-after", "soon").draw();

    assertThat(verdict(ALWAYS, pod, idle(pod, "2h")))
        .isEqualTo(
            new Reported(
                workload(pod),
                ago("2h"),
                time("2h"),
                time("1h"),
                new ReportOnly.PolicyDistrusted(
                    new Remark(
                        "pod ml/a",
                        "gpu-reclaimer.io/idle-after",
                        "soon",
                        "must be a duration like 90s, 10m, 2h, 1h30m, 1d or 1w; only reported on"
                            + " until then"))));
  }

  @ParameterizedTest(name = "mode {0}")
  @ValueSource(strings = {"always", "on-demand", "notify"})
  void onlyReports_whenAnOwnerWouldRecreateThePod(String mode) {
    PodView pod = pod("a").owner("Robot", "web").with(warned("20m", "2h")).draw();

    assertThat(verdict(namespace("ml", "mode", mode), pod, idle(pod, "2h")))
        .isEqualTo(
            new Reported(
                workload(pod),
                ago("2h"),
                time("2h"),
                time("1h"),
                refused(
                    "owner-would-recreate",
                    "Robot/web would recreate its pods",
                    "Robot/web would recreate an evicted pod, which would take a GPU" + " again")));
  }

  @Test
  void aWorkloadIsActive_whenOneOfItsPodsIs_evenIfAnotherIsUnknown() {
    PodView one = pod("a").owner("Job", "train").draw();
    PodView two = pod("b").owner("Job", "train").draw();
    PodView three = pod("c").owner("Job", "train").draw();

    assertThat(verdict(ALWAYS, List.of(one, two, three), idle(one, "9h"), idle(three, "2s")))
        .isEqualTo(
            new Active(
                workload(one, two, three),
                three.ref(),
                new Evidence.Active(ago("2s"), EvidenceSign.RECORD)));
  }

  @Test
  void aWorkloadIsUnknown_whenOneOfItsPodsIs() {
    PodView one = pod("a").owner("Job", "train").draw();
    PodView two = pod("b").owner("Job", "train").gpus(4).draw();

    assertThat(verdict(ALWAYS, List.of(one, two), idle(one, "9h"), idle(two, "9h", "9h")))
        .isEqualTo(
            new Unknown(
                workload(one, two),
                two.ref(),
                new Evidence.Unknown(UnknownCause.GPU_COUNT, "2 of 4 GPUs observed")));
  }

  @Test
  void aWorkloadHasBeenIdleForAsLongAsTheLastOfItsPods() {
    PodView one = pod("a").owner("Job", "train").draw();
    PodView two = pod("b").owner("Job", "train").draw();

    assertThat(verdict(ALWAYS, List.of(one, two), idle(one, "9h"), idle(two, "20m")))
        .isEqualTo(
            new Watching(
                workload(one, two),
                ago("20m"),
                time("20m"),
                Optional.empty(),
                time("1h"),
                Next.REPORT,
                time("40m")));
  }

  @Test
  void aWorkloadIsNotRunning_whenAPodWithANodeHasNotStarted() {
    PodView one = pod("a").owner("Job", "train").draw();
    PodView two = pod("b").owner("Job", "train").phase(PodPhase.PENDING).draw();

    assertThat(verdict(ALWAYS, List.of(one, two), idle(one, "9h")))
        .isEqualTo(new NotRunning(workload(one, two), two.ref()));
  }

  @Test
  void aPodThatWaitsForANodeDoesNotKeepTheOthersFromBeingIdle() {
    PodView one = pod("a").owner("Job", "train").draw();
    PodView two = pod("b").owner("Job", "train").waiting(ago("1h")).draw();

    assertThat(verdict(ALWAYS, List.of(one, two), idle(one, "30m")))
        .isEqualTo(
            new Watching(
                workload(one, two),
                ago("30m"),
                time("30m"),
                Optional.empty(),
                time("1h"),
                Next.REPORT,
                time("30m")));
  }

  @Test
  void aWorkloadOfWaitingPodsAloneIsNotIdle() {
    PodView pod = pod("a").waiting(ago("1h")).draw();

    assertThat(verdict(ALWAYS, pod)).isEqualTo(new NotRunning(workload(pod), pod.ref()));
  }

  @Test
  void aPodOfALostNodeIsNotRunning() {
    PodView pod = pod("a").phase(PodPhase.UNKNOWN).draw();

    assertThat(verdict(ALWAYS, pod, idle(pod, "9h")))
        .isEqualTo(new NotRunning(workload(pod), pod.ref()));
  }

  @Test
  void protects_whatNoPolicyMayTouch() {
    PodView pod = pod("a").untouchable("it is a static pod").draw();

    assertThat(verdict(ALWAYS, pod, idle(pod, "9h")))
        .isEqualTo(spared(pod, new Protection.Untouchable(pod.ref(), "it is a static pod")));
  }

  @Test
  void protects_whatIsOnItsWayOut() {
    PodView pod = pod("a").terminating().draw();

    assertThat(verdict(ALWAYS, pod, idle(pod, "9h")))
        .isEqualTo(spared(pod, new Protection.Terminating(pod.ref())));
  }

  @Test
  void protects_whatHasAcceleratorsThatAreNotObserved() {
    PodView pod = pod("a").gpus(0).otherAccelerators().draw();

    assertThat(verdict(ALWAYS, pod))
        .isEqualTo(spared(pod, new Protection.OtherAccelerators(pod.ref())));
  }

  @Test
  void countsWhatClaimsGave() {
    PodView pod = pod("a").gpus(0).claimed(new Claimed.Devices(2)).draw();

    assertThat(verdict(ALWAYS, pod, idle(pod, "9h")))
        .isEqualTo(
            new Unknown(
                workload(pod),
                pod.ref(),
                new Evidence.Unknown(UnknownCause.GPU_COUNT, "1 of 2 GPUs observed")));
    assertThat(verdict(ALWAYS, pod, idle(pod, "9h", "9h"))).isInstanceOf(ToWarn.class);
  }

  @Test
  void isUnknown_whileTheDevicesOfClaimsAreUnknown() {
    PodView pod = pod("a").claimed(new Claimed.Unread("the claim has no devices yet")).draw();

    assertThat(verdict(ALWAYS, pod, idle(pod, "9h")))
        .isEqualTo(
            new Unknown(
                workload(pod),
                pod.ref(),
                new Evidence.Unknown(UnknownCause.GPU_COUNT, "the claim has no devices yet")));
  }

  @Test
  void protects_whatSharesAGpu() {
    PodView one = pod("a").draw();
    PodView two = pod("b").draw();
    var shared = new PodActivity("b", idle(one, "9h").devices());

    assertThat(JUDGE.judge(cluster(ALWAYS, one, two), seen(idle(one, "9h"), shared), NOW))
        .extracting(Judgment::verdict)
        .containsExactly(
            spared(one, new Protection.SharedGpu(one.ref(), new GpuUuid("GPU-a-0"))),
            spared(two, new Protection.SharedGpu(two.ref(), new GpuUuid("GPU-a-0"))));
  }

  /** Which of them a shared GPU works for is not known, but while it is idle all of them are. */
  @Test
  void judgesPodsWithAReplica_byTheGpuThatTheyShare() {
    PodView one = pod("a").replica(REPLICA).draw();
    PodView two = pod("b").replica(REPLICA).draw();

    assertThat(verdicts(cluster(ALWAYS, one, two), counted(one, "9h"), counted(two, "9h")))
        .allSatisfy(verdict -> assertThat(verdict).isInstanceOf(ToWarn.class));
    assertThat(verdicts(cluster(ALWAYS, one, two), counted(one, "0s"), counted(two, "0s")))
        .allSatisfy(verdict -> assertThat(verdict).isInstanceOf(Active.class))
        .extracting(VerdictSentence::of)
        .allMatch(text -> text.endsWith(", by this pod or another one that shares its GPU"));
  }

  @Test
  void knowsNothingOfAPodWithAReplica_withoutTheCountOfItsAgent() {
    PodView one = pod("a").replica(REPLICA).draw();
    var rules = new PodActivity("a", List.of(device("shared", "9h")));

    assertThat(verdicts(cluster(ALWAYS, one), rules))
        .singleElement()
        .isInstanceOfSatisfying(
            Unknown.class,
            unknown -> assertThat(unknown.evidence().reason()).contains("gpu_pod_device_count"));
  }

  @Test
  void protects_whatSharesAGpu_withAPodThatRequestsItWhole() {
    PodView replica = pod("a").replica(REPLICA).draw();
    PodView other = pod("b").replica(REPLICA).draw();
    PodView whole = pod("c").draw();

    assertThat(
            verdicts(
                cluster(ALWAYS, replica, other, whole),
                counted(replica, "9h"),
                counted(other, "9h"),
                counted(whole, "9h")))
        .extracting(verdict -> ((Protected) verdict).protection())
        .allMatch(Protection.SharedGpu.class::isInstance);
  }

  private static List<Verdict> verdicts(ClusterView view, PodActivity... activities) {
    return JUDGE.judge(view, seen(activities), NOW).stream().map(Judgment::verdict).toList();
  }

  /** Of one GPU that all pods hold, and an agent that counts it. */
  private static PodActivity counted(PodView pod, String idleFor) {
    return new PodActivity(
        pod.ref().uid(), List.of(device("shared", idleFor)), OptionalInt.of(1), List.of());
  }

  @Test
  void protects_whatIsExcluded() {
    PodView pod = pod("a").with("exclude", "true").draw();

    assertThat(verdict(ALWAYS, pod, idle(pod, "9h")))
        .isEqualTo(spared(pod, new Protection.Excluded("pod ml/a")));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "cluster-autoscaler.kubernetes.io/safe-to-evict, false",
    "karpenter.sh/do-not-disrupt, true",
    "descheduler.alpha.kubernetes.io/prefer-no-eviction, ''"
  })
  void protects_whatAnotherToolMustNotEvict(String key, String value) {
    PodView pod = pod("a").with(Map.of(key, value)).draw();

    assertThat(verdict(ALWAYS, pod, idle(pod, "9h")))
        .isEqualTo(spared(pod, new Protection.OptedOutElsewhere("pod ml/a", key, value)));
  }

  @Test
  void removesNoOtherPermission() {
    PodView pod =
        pod("a").with(Map.of("cluster-autoscaler.kubernetes.io/safe-to-evict", "true")).draw();

    assertThat(verdict(namespace("ml", "mode", "off"), pod, idle(pod, "9h")))
        .isEqualTo(spared(pod, new Protection.SwitchedOff(NAMESPACE)));
  }

  @Test
  void protects_whileTheNamespaceHasNotBeenSeen() {
    PodView pod = pod("a").draw();
    var cluster = new ClusterView(List.of(pod), Map.of(), List.of(), Map.of());

    assertThat(JUDGE.judge(cluster, seen(idle(pod, "9h")), NOW))
        .containsExactly(
            new Judgment(
                spared(pod, new Protection.NamespaceUnseen("ml")),
                Optional.empty(),
                List.of(new PodEvidence(pod.ref(), new Evidence.Idle(ago("9h"), time("9h")))),
                Optional.empty()));
  }

  @Test
  void protectsTheWholeWorkload_whenOneOfItsPodsIsProtected() {
    PodView one = pod("a").owner("Job", "train").draw();
    PodView two = pod("b").owner("Job", "train").terminating().draw();

    assertThat(verdict(ALWAYS, List.of(one, two), idle(one, "9h"), idle(two, "9h")))
        .isEqualTo(new Protected(workload(one, two), new Protection.Terminating(two.ref())));
  }

  @Test
  void knowsNothing_whenTheSourceIsBlind() {
    PodView pod = pod("a").with(warned("20m", "1h")).draw();

    assertThat(JUDGE.judge(cluster(ALWAYS, pod), new Observation.Blind("timeout"), NOW))
        .extracting(Judgment::verdict)
        .containsExactly(
            new Unknown(
                workload(pod), pod.ref(), new Evidence.Unknown(UnknownCause.BLIND, "timeout")));
  }

  @ParameterizedTest(name = "ours is {0} s ahead")
  @ValueSource(longs = {31, -31, 86_400})
  void knowsNothing_whenOurClockAndTheSourcesDiffer(long ahead) {
    PodView pod = pod("a").with(warned("20m", "1h")).draw();

    assertThat(JUDGE.judge(cluster(ALWAYS, pod), seen(idle(pod, "1h")), NOW.plusSeconds(ahead)))
        .extracting(Judgment::verdict)
        .containsExactly(
            new Unknown(
                workload(pod),
                pod.ref(),
                new Evidence.Unknown(
                    UnknownCause.BLIND,
                    "the clocks of the activity source (2026-03-02T12:00:00Z) and of the reclaimer ("
                        + NOW.plusSeconds(ahead)
                        + ") differ by more than 30s")));
  }

  @Test
  void secondLookIsDue_whenBothSignalsSayIdle() {
    PodView pod = pod("a").with(warned("20m", "1h")).draw();

    assertThat(verdictAgain(pod, idleAgain(pod, 0, "1h")))
        .isEqualTo(
            new Due(workload(pod), ago("1h"), time("1h"), ago("20m"), Mode.ALWAYS, new EvictPod()));
  }

  @Test
  void secondLookWithdraws_whenTheRawUtilizationContradictsTheRecord() {
    PodView pod = pod("a").with(warned("20m", "1h")).draw();

    assertThat(verdictAgain(pod, idleAgain(pod, 3, "1h")))
        .isEqualTo(new ToWithdraw(workload(pod), Withdrawal.ACTIVE_AGAIN));
  }

  @Test
  void secondLookIsUnknown_whenTheRawUtilizationIsMissing() {
    PodView pod = pod("a").with(warned("20m", "1h")).draw();

    assertThat(verdictAgain(pod, idle(pod, "1h")))
        .isEqualTo(
            new Unknown(
                workload(pod),
                pod.ref(),
                new Evidence.Unknown(
                    UnknownCause.ONE_SIGNAL, "the raw utilization of GPU-a-0 is missing")));
  }

  @Test
  void secondLookIsNotDue_whenThePodHasGotAnOwnerMeanwhile() {
    PodView pod = pod("a").owner("ReplicaSet", "web").with(warned("20m", "1h")).draw();

    assertThat(verdictAgain(pod, idleAgain(pod, 0, "1h"))).isInstanceOf(ToWithdraw.class);
  }

  private static ReportOnly refused(String code, String obstacle, String reason) {
    return new ReportOnly.ActionRefused(new ActionCheck.Refused(code, obstacle, reason));
  }

  @Test
  void secondLookIsNotDue_whenThePodHasGotCompanyMeanwhile() {
    PodView pod = pod("a").with(warned("20m", "1h")).draw();
    PodView grouped = pod("a").in("ranks").with(warned("20m", "1h")).draw();
    PodView rank = pod("b").in("ranks").draw();
    ClusterView cluster = cluster(ALWAYS, pod, rank);

    assertThat(
            JUDGE
                .judgeAgain(List.of(grouped), cluster, seen(idleAgain(pod, 0, "1h")), NOW)
                .verdict())
        .isInstanceOf(Unknown.class);
  }

  @ParameterizedTest(name = "mode {0}")
  @ValueSource(strings = {"always", "on-demand", "notify"})
  void onlyReports_whenPodsBelongToAGroup(String mode) {
    PodView one = pod("a").in("ranks").draw();
    PodView two = pod("b").in("ranks").draw();

    assertThat(
            verdict(
                namespace("ml", "mode", mode), List.of(one, two), idle(one, "9h"), idle(two, "2h")))
        .isEqualTo(
            new Reported(
                workload(one, two),
                ago("2h"),
                time("2h"),
                time("1h"),
                refused(
                    "group-of-pods",
                    "its pods belong to the group ranks (group)",
                    "its pods belong to the group ranks (group), and groups are not acted on")));
  }

  @Test
  void onlyReports_whenAnOwnerCannotBeRead() {
    PodView pod = pod("a").owner("Robot", "r2").draw();
    var cluster = new ClusterView(List.of(pod), Map.of("ml", ALWAYS), List.of(), Map.of());

    assertThat(JUDGE.judge(cluster, seen(idle(pod, "2h")), NOW).getFirst().verdict())
        .isInstanceOfSatisfying(
            Reported.class,
            reported ->
                assertThat(reported.why())
                    .isEqualTo(
                        refused(
                            "owner-unread",
                            "the owner Robot/r2 cannot be read",
                            "the owner Robot/r2 cannot be read, so the effect of an action"
                                + " is unknown")));
  }

  @Test
  void isNotIdle_whileOneOfAGroupWorks() {
    PodView one = pod("a").in("ranks").draw();
    PodView two = pod("b").in("ranks").draw();

    assertThat(verdict(ALWAYS, List.of(one, two), idle(one, "9h"), idle(two, "1s")))
        .isInstanceOf(Active.class);
  }

  @Test
  void judgesSlices_ifAllOfThemAreObserved() {
    PodView pod = pod("a").slices("1g.10gb", 2).with(warned("20m", "1h")).draw();

    assertThat(verdict(ALWAYS, pod, idle(pod, "1h", "1h")))
        .isEqualTo(
            new Due(workload(pod), ago("1h"), time("1h"), ago("20m"), Mode.ALWAYS, new EvictPod()));
    assertThat(verdict(ALWAYS, pod, idle(pod, "1h"))).isInstanceOf(Unknown.class);
  }

  @Test
  void judgesInTheSameOrder_howeverThePodsCome() {
    PodView one = pod("a").draw();
    PodView two = pod("b").owner("Job", "train").draw();
    PodView three = pod("c").owner("Job", "train").draw();
    Observation observation = seen(idle(one, "9h"), idle(two, "9h"), idle(three, "9h"));

    assertThat(JUDGE.judge(cluster(ALWAYS, three, two, one), observation, NOW))
        .isEqualTo(JUDGE.judge(cluster(ALWAYS, one, two, three), observation, NOW))
        .extracting(judgment -> judgment.verdict().workload())
        .containsExactly(workload(one), workload(two, three));
  }

  @Test
  void leavesOutWhatHasNoGpus() {
    PodView pod = pod("a").gpus(0).draw();
    PodView finished = pod("b").phase(PodPhase.SUCCEEDED).draw();

    assertThat(JUDGE.judge(cluster(ALWAYS, pod, finished), seen(), NOW)).isEmpty();
  }

  private static Verdict verdict(NamespaceView namespace, PodView pod, PodActivity... seen) {
    return verdict(namespace, List.of(pod), seen);
  }

  private static Verdict verdict(NamespaceView namespace, List<PodView> pods, PodActivity... seen) {
    ClusterView cluster = cluster(namespace, pods.toArray(PodView[]::new));
    List<Judgment> judgments = JUDGE.judge(cluster, seen(seen), NOW);
    assertThat(judgments).hasSize(1);
    return judgments.getFirst().verdict();
  }

  private static Verdict verdictAgain(PodView pod, PodActivity seen) {
    return JUDGE.judgeAgain(List.of(pod), cluster(ALWAYS, pod), seen(seen), NOW).verdict();
  }

  private static Verdict spared(PodView pod, Protection protection) {
    return new Protected(workload(pod), protection);
  }
}
