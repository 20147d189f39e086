package io.gpureclaimer.reclaimer.cycle;

import static io.gpureclaimer.reclaimer.cycle.ApiInterceptor.InterceptedCall.ANNOTATE;
import static io.gpureclaimer.reclaimer.cycle.ApiInterceptor.InterceptedCall.EVICT;
import static io.gpureclaimer.reclaimer.cycle.ApiInterceptor.InterceptedCall.GET;
import static io.gpureclaimer.reclaimer.cycle.ApiInterceptor.InterceptedCall.RECORD;
import static io.gpureclaimer.reclaimer.cycle.ApiInterceptor.InterceptedCall.REPORTS;
import static io.gpureclaimer.reclaimer.cycle.ApiInterceptor.InterceptedCall.UPDATE;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.ApiVerb;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Warn, wait, recheck, act; and withdraw the warning when the workload is active again. */
class WarnThenActTest {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);

  private final SmallCluster world = SmallCluster.in("always");

  @Test
  void saysNothing_untilTheWarningIsDue() {
    PodRef pod = world.pod("train-0");
    world.pass(SmallCluster.UNTIL_WARNED.minus(ONE_SECOND));

    world.cycle();

    assertThat(world.wire.takeCalls()).isEmpty();
    assertThat(world.notes(pod)).isEmpty();
  }

  /** Of the first pod of a world, which rests from its first moment on. */
  private static final String ACTION = "7dc879a9-317b-384d-8b8e-3909a99f9b9b";

  @Test
  void notifiesOwnersBeforeItTakesNote() {
    world.pod("train-0");
    world.pass(SmallCluster.UNTIL_WARNED);

    world.cycle();

    assertThat(world.wire.takeCalls()).containsExactly(REPORTS, ANNOTATE);
    assertThat(world.lastMessage())
        .isEqualTo(
            "GPU idle for 45m (since 2026-03-02 08:00:00 UTC). Pod train-0 will be evicted after"
                + " 2026-03-02 09:00:00 UTC (action "
                + ACTION
                + "). To keep it, use its GPU or run: kubectl annotate pod train-0 --namespace"
                + " research --overwrite gpu-reclaimer.io/keep-until=2026-03-03T09:00:00Z");
  }

  @Test
  void takesNoteOfWhatItPromised() {
    PodRef pod = world.warnedPod("train-0");

    assertThat(world.notes(pod))
        .isEqualTo(
            Map.of(
                "warned-at", "2026-03-02T08:45:00Z",
                "idle-since", "2026-03-02T08:00:00Z",
                "act-not-before", "2026-03-02T09:00:00Z",
                "warned-mode", "always",
                "action-id", ACTION));
  }

  @Test
  void countsTheGraceFromAMomentThatIsNotBeforeTheWarning() {
    PodRef pod = world.pod("train-0");
    world.pass(SmallCluster.UNTIL_WARNED.plusMillis(1));

    world.cycle();

    assertThat(world.notes(pod)).containsEntry("warned-at", "2026-03-02T08:45:01Z");
  }

  @Test
  void writesNoWarning_andStartsNoGrace_whenOwnersCannotBeNotified() {
    PodRef pod = world.pod("train-0");
    world.pass(SmallCluster.UNTIL_WARNED);
    world.cluster.refuse(ApiVerb.CREATE_EVENT, 403, "no");

    world.cycle();

    assertThat(world.notes(pod)).isEmpty();
    assertThat(world.replica.takeDeeds())
        .containsExactly(
            "warn train-0: failed: the Event that warns could not be stored, so no warning is"
                + " given");

    world.cluster.allow(ApiVerb.CREATE_EVENT);
    world.pass(SmallCluster.GRACE);
    world.cycle();

    assertThat(world.notes(pod)).containsEntry("act-not-before", "2026-03-02T09:15:00Z");
    assertThat(world.isEvicted(pod)).isFalse();
  }

  @Test
  void doesNothing_whileTheGraceLasts() {
    PodRef pod = world.warnedPod("train-0");
    world.wire.takeCalls();
    world.pass(SmallCluster.GRACE.minus(ONE_SECOND));

    world.cycle();

    assertThat(world.wire.takeCalls()).isEmpty();
    assertThat(world.isEvicted(pod)).isFalse();
  }

  @Test
  void looksAgain_thenEvicts_thenExplains() {
    PodRef pod = world.duePod("train-0");

    world.cycle();

    assertThat(world.wire.takeCalls()).containsExactly(GET, RECORD, EVICT, UPDATE, REPORTS);
    assertThat(world.agents.secondLooks()).containsExactly(pod.uid());
    assertThat(world.isEvicted(pod)).isTrue();
    assertThat(world.lastMessage())
        .isEqualTo(
            "Evicted to free its GPU (action "
                + ACTION
                + "). GPU idle for 1h (since 2026-03-02 08:00:00 UTC), warned at"
                + " 2026-03-02 08:45:00 UTC. The reclaimer cannot restore an evicted pod. To get pod"
                + " research/train-0 back, create it again from its manifest.");
  }

  @Test
  void takesALongAnswerForNoClockThatIsOff() {
    PodRef pod = world.duePod("train-0");
    world.agents.duringLook(() -> world.pass(Duration.ofSeconds(50)));

    world.cycle();

    assertThat(world.isEvicted(pod)).isTrue();
  }

  @Test
  void doesNotTouchThePodAgain_whileItTerminates() {
    PodRef pod = world.duePod("train-0");
    world.cycle();
    world.wire.takeCalls();

    world.cycle();

    assertThat(world.wire.takeCalls()).isEmpty();
    assertThat(world.reported(pod)).containsExactly("GPUIdleWarned", "GPUReclaimed");
  }

  @Test
  void takesTheWarningBack_whenThePodWorksAgain() {
    PodRef pod = world.warnedPod("train-0");
    world.wire.takeCalls();
    world.agents.work(pod);

    world.cycle();

    assertThat(world.wire.takeCalls()).containsExactly(ANNOTATE, REPORTS);
    assertThat(world.notes(pod)).isEmpty();
    assertThat(world.lastMessage()).isEqualTo("Warning withdrawn: its GPUs work again.");
  }

  @Test
  void takesTheWarningBack_whenThePodWorkedInBetween() {
    PodRef pod = world.warnedPod("train-0");
    world.agents.work(pod);
    world.agents.rest(pod);
    world.pass(SmallCluster.GRACE);

    world.cycle();

    assertThat(world.isEvicted(pod)).isFalse();
    assertThat(world.notes(pod)).isEmpty();
    assertThat(world.lastMessage())
        .isEqualTo("Warning withdrawn: it was in use, or not observed, in between.");
  }

  @Test
  void warnsAgain_andWaitsTheWholeGraceAgain_whenThePodIsIdleAgain() {
    PodRef pod = world.warnedPod("train-0");
    world.agents.work(pod);
    world.cycle();
    world.agents.rest(pod);

    world.pass(SmallCluster.UNTIL_WARNED);
    world.cycle();
    world.pass(SmallCluster.GRACE.minus(ONE_SECOND));
    world.cycle();
    assertThat(world.isEvicted(pod)).isFalse();

    world.pass(ONE_SECOND);
    world.cycle();

    assertThat(world.isEvicted(pod)).isTrue();
    assertThat(world.reported(pod))
        .containsExactly(
            "GPUIdleWarned", "GPUIdleWarningWithdrawn", "GPUIdleWarned", "GPUReclaimed");
  }

  @Test
  void warnsAgain_whenTheNamespaceGoesFromNotifyToAlways() {
    world.mode("notify");
    PodRef pod = world.duePod("train-0");
    world.mode("always");

    world.cycle();

    assertThat(world.isEvicted(pod)).isFalse();
    assertThat(world.lastMessage())
        .isEqualTo(
            "Warning withdrawn: the policy now allows more than it announced; a new warning"
                + " follows.");

    world.cycle();

    assertThat(world.notes(pod)).containsEntry("act-not-before", "2026-03-02T09:15:00Z");
  }

  @Test
  void keepsItsPromise_whenTheNamespaceShortensTheGrace() {
    PodRef pod = world.warnedPod("train-0");
    world.cluster.annotateNamespace(
        SmallCluster.NAMESPACE,
        Map.of(
            "gpu-reclaimer.io/idle-after", Optional.of("10m"),
            "gpu-reclaimer.io/warn-before", Optional.of("5m")));
    world.pass(SmallCluster.GRACE.minus(ONE_SECOND));

    world.cycle();

    assertThat(world.isEvicted(pod)).isFalse();
  }
}
