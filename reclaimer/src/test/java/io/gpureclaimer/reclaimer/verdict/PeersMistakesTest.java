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
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.warned;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Evidence.UnknownCause;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Cases that other reclaimers are known to get wrong; every one of them took GPUs in use. */
class PeersMistakesTest {
  private static final Judge JUDGE = new Judge(DEFAULTS, LIMITS);

  @Test
  void oneIdleGpuAmongBusyOnesIsNotAnIdlePod() {
    PodView pod = pod("a").gpus(8).with(warned("1h", "2h")).draw();

    assertThat(code(pod, idle(pod, "2h", "2h", "2h", "2h", "2h", "2h", "2h", "1s")))
        .isEqualTo(new VerdictCode("to-withdraw", "active-again"));
  }

  @Test
  void oneIdlePodAmongBusyOnesIsNotAnIdleWorkload() {
    PodView idle = pod("a").owner("StatefulSet", "ranks").draw();
    PodView busy = pod("b").owner("StatefulSet", "ranks").draw();

    assertThat(code(List.of(idle, busy), idle(idle, "9h"), idle(busy, "1s")))
        .isEqualTo(new VerdictCode("active", "active"));
  }

  @Test
  void oneSampleInTheWindowIsNotAWindowOfSamples() {
    PodView pod = pod("a").with(warned("1h", "2h")).draw();
    PodActivity watchedForTenSeconds = since(pod, ago("10s"));

    assertThat(code(pod, watchedForTenSeconds))
        .isEqualTo(new VerdictCode("to-withdraw", "other-idle-period"));
  }

  @Test
  void aWarningOfAnEarlierIdlePeriodIsNotAWarning() {
    PodView pod = pod("a").with(warned("9h", "10h")).draw();

    assertThat(code(pod, idle(pod, "1h")))
        .isEqualTo(new VerdictCode("to-withdraw", "other-idle-period"));
  }

  @Test
  void noDataIsNotIdle() {
    PodView pod = pod("a").with(warned("1h", "2h")).draw();

    assertThat(code(pod)).isEqualTo(new VerdictCode("unknown", UnknownCause.NOT_SEEN.code()));
  }

  @Test
  void anAgentThatStoppedIsNotAnIdleGpu() {
    PodView pod = pod("a").with(warned("1h", "2h")).draw();
    DeviceActivity idle = device("a-0", "2h");
    DeviceActivity frozen =
        new DeviceActivity(
            idle.device(),
            idle.lastActive(),
            idle.observedSince(),
            ago("5m"),
            NOW,
            OptionalDouble.empty());

    assertThat(code(pod, new PodActivity("a", List.of(frozen))))
        .isEqualTo(new VerdictCode("unknown", UnknownCause.CLOCK_SKEW.code()));
  }

  @Test
  void theSeriesOfADeletedPodIsNotThatOfItsSuccessor() {
    PodView successor = pod("a").with(warned("1h", "2h")).draw();
    var predecessor = new PodActivity("another-uid", idle(successor, "2h").devices());

    assertThat(code(successor, predecessor))
        .isEqualTo(new VerdictCode("unknown", UnknownCause.NOT_SEEN.code()));
  }

  @Test
  void aPodThatWasCreatedLongAgoAndStartedJustNowIsNotIdle() {
    PodView pod = pod("a").draw();

    assertThat(code(pod, since(pod, ago("1m")))).isEqualTo(new VerdictCode("watching", "watching"));
  }

  @Test
  void stuckAtZeroIsNotIdle_whenTheOtherSignalSaysBusy() {
    PodView pod = pod("a").with(warned("1h", "2h")).draw();

    Verdict verdict =
        JUDGE.judgeAgain(List.of(pod), always(pod), seen(idleAgain(pod, 40, "2h")), NOW).verdict();

    assertThat(VerdictCode.of(verdict)).isEqualTo(new VerdictCode("to-withdraw", "active-again"));
  }

  @Test
  void aPodThatItsOwnerWouldRecreateIsNotEvicted() {
    PodView pod = pod("a").owner("Robot", "web").with(warned("1h", "2h")).draw();

    assertThat(code(pod, idle(pod, "2h")))
        .isEqualTo(new VerdictCode("reported", "owner-would-recreate"));
  }

  @Test
  void anotherToolsPermissionDoesNotLiftAProtection() {
    PodView pod =
        pod("a")
            .with(Map.of("descheduler.alpha.kubernetes.io/evict", "true"))
            .untouchable("it is a static pod")
            .draw();

    assertThat(code(pod, idle(pod, "9h"))).isEqualTo(new VerdictCode("protected", "untouchable"));
  }

  @Test
  void oneGpuOfTwoSeenIdleSaysNothingOfTheOther() {
    PodView pod = pod("a").gpus(2).with(warned("1h", "2h")).draw();

    assertThat(code(pod, idle(pod, "2h")))
        .isEqualTo(new VerdictCode("unknown", UnknownCause.GPU_COUNT.code()));
  }

  private static PodActivity since(PodView pod, Instant observedSince) {
    return new PodActivity(
        pod.ref().uid(),
        List.of(
            new DeviceActivity(
                new GpuUuid("GPU-0"),
                Optional.empty(),
                observedSince,
                NOW,
                NOW,
                OptionalDouble.empty())));
  }

  private static VerdictCode code(PodView pod, PodActivity... seen) {
    return code(List.of(pod), seen);
  }

  private static VerdictCode code(List<PodView> pods, PodActivity... seen) {
    List<Judgment> judgments = JUDGE.judge(always(pods.toArray(PodView[]::new)), seen(seen), NOW);
    assertThat(judgments).hasSize(1);
    return VerdictCode.of(judgments.getFirst().verdict());
  }

  private static ClusterView always(PodView... pods) {
    return cluster(namespace("ml", "mode", "always"), pods);
  }
}
