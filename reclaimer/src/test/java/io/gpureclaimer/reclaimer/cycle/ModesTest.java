package io.gpureclaimer.reclaimer.cycle;

import static io.gpureclaimer.reclaimer.cycle.ApiInterceptor.InterceptedCall.ANNOTATE;
import static io.gpureclaimer.reclaimer.cycle.ApiInterceptor.InterceptedCall.GET;
import static io.gpureclaimer.reclaimer.cycle.ApiInterceptor.InterceptedCall.REHEARSE;
import static io.gpureclaimer.reclaimer.cycle.ApiInterceptor.InterceptedCall.REPORTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How far each mode goes, and that a dry run goes nowhere. */
class ModesTest {
  private static final Duration DAY = Duration.ofDays(1);

  @ParameterizedTest
  @ValueSource(strings = {"", "off", "report"})
  void writesNothing_inAModeThatDoesNotAct(String mode) {
    SmallCluster world = mode.isEmpty() ? SmallCluster.withoutAnnotations() : SmallCluster.in(mode);
    world.pod("train-0");

    liveThrough(world, DAY);

    assertThat(world.wire.takeCalls()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Always", "nonsense"})
  void onlySaysThatTheModeIsNotUnderstood(String mode) {
    SmallCluster world = SmallCluster.in(mode);
    world.pod("train-0");

    liveThrough(world, DAY);

    assertThat(world.wire.takeCalls()).containsExactly(REPORTS);
    assertThat(world.lastMessage())
        .contains("Only reported: namespace research: gpu-reclaimer.io/mode");
  }

  @Test
  void warnsOnce_andDoesNothingElse_inModeNotify() {
    SmallCluster world = SmallCluster.in("notify");
    PodRef pod = world.pod("train-0", 2);

    liveThrough(world, DAY);

    assertThat(world.wire.takeCalls()).containsExactly(REPORTS, ANNOTATE);
    assertThat(world.notes(pod)).containsEntry("act-not-before", "never");
    assertThat(world.lastMessage())
        .isEqualTo(
            "2 GPUs idle for 45m (since 2026-03-02 08:00:00 UTC). Nothing else will happen. Please"
                + " delete pod train-0 if you no longer need its 2 GPUs.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gpu-reclaimer.io/exclude=true",
        "gpu-reclaimer.io/mode=off",
        "gpu-reclaimer.io/mode=report",
        "gpu-reclaimer.io/exlude=true",
        "gpu-reclaimer.io/idle-after=soon",
        "cluster-autoscaler.kubernetes.io/safe-to-evict=false",
        "karpenter.sh/do-not-disrupt=true"
      })
  void changesNothing_whenThePodAsksToBeLeftAlone_orIsNotUnderstood(String annotation) {
    int equals = annotation.indexOf('=');
    assertNothingIsChanged(
        spec ->
            spec.withAnnotations(
                Map.of(annotation.substring(0, equals), annotation.substring(equals + 1))));
  }

  @ParameterizedTest
  @EnumSource(names = "CRON_JOB")
  void changesNothing_whenAnOwnerWouldRecreateThePod(OwnerSpec.OwnerType owner) {
    assertNothingIsChanged(spec -> spec.ownedBy(owner, "web"));
  }

  @Test
  void changesNothing_whenThePodIsUntouchable() {
    assertNothingIsChanged(spec -> spec.untouchableFor("it is a static pod"));
  }

  @Test
  void aPodMayNotAskForMoreThanItsNamespace() {
    SmallCluster world = SmallCluster.in("notify");
    world.pod("train-0", 1, spec -> spec.withAnnotations(Map.of(Annotations.MODE, "always")));

    liveThrough(world, DAY);

    assertThat(world.wire.takeCalls()).containsExactly(REPORTS, ANNOTATE);
  }

  @Test
  void evictsOnDemand_onlyWhileAPodWaits() {
    SmallCluster world = SmallCluster.in("on-demand");
    PodRef pod = world.pod("train-0");
    world.agents.work(world.pod("busy", 7));
    liveThrough(world, DAY);
    assertThat(world.isEvicted(pod)).isFalse();
    assertThat(world.lastMessage())
        .contains(
            "Pod train-0 will be evicted after 2026-03-02 09:00:00 UTC if a pending pod needs its GPU");

    world.cluster.submit(PodSpec.bare(SmallCluster.NAMESPACE, "waiting", 1));
    liveThrough(world, Duration.ofMinutes(2));

    assertThat(world.isEvicted(pod)).isTrue();
    assertThat(world.messages())
        .contains(
            "Evicted to free its GPU (action 7dc879a9-317b-384d-8b8e-3909a99f9b9b). GPU idle for 1d"
                + " (since 2026-03-02 08:00:00 UTC), warned at 2026-03-02 08:45:00 UTC. Pod"
                + " research/waiting is pending for 1 GPU. The reclaimer cannot restore an evicted pod."
                + " To get pod research/train-0 back, create it again from its manifest.");
  }

  @Test
  void takesItsNoteBack_whenTheNamespaceOnlyReportsAfterTheWarning() {
    SmallCluster world = SmallCluster.in("always");
    PodRef pod = world.warnedPod("train-0");
    world.mode("report");

    liveThrough(world, DAY);

    assertThat(world.notes(pod)).isEmpty();
    assertThat(world.reported(pod)).containsExactly("GPUIdleWarned", "GPUIdleWarningWithdrawn");
  }

  @Test
  void aDryRunWritesNothing() {
    SmallCluster world = SmallCluster.in("always");
    PodRef pod = world.pod("train-0");
    InMemoryReplica dry = InMemoryReplica.rehearsing(world);
    world.pass(SmallCluster.UNTIL_WARNED);

    dry.run();

    assertThat(dry.wire().takeCalls()).isEmpty();
    assertThat(world.notes(pod)).isEmpty();
    assertThat(dry.takeDeeds()).containsExactly("warn train-0: dry run, nothing was written");
  }

  @Test
  void aDryRunOnlyRehearsesAnEviction() {
    SmallCluster world = SmallCluster.in("always");
    PodRef pod = world.duePod("train-0");
    InMemoryReplica dry = InMemoryReplica.rehearsing(world);

    dry.run();

    assertThat(dry.wire().takeCalls()).containsExactly(GET, REHEARSE);
    assertThat(world.isEvicted(pod)).isFalse();
    assertThat(world.reported(pod)).containsExactly("GPUIdleWarned");
    assertThat(dry.takeDeeds()).containsExactly("evict train-0: dry run, nothing was written");
  }

  @Test
  void aDryRunTakesNothingBack() {
    SmallCluster world = SmallCluster.in("always");
    PodRef pod = world.warnedPod("train-0");
    world.wire.takeCalls();
    world.agents.work(pod);
    InMemoryReplica dry = InMemoryReplica.rehearsing(world);

    dry.run();

    assertThat(dry.wire().takeCalls()).isEmpty();
    assertThat(world.notes(pod)).containsKey("warned-at");
    assertThat(dry.takeDeeds()).containsExactly("withdraw train-0: dry run, nothing was written");
  }

  private static void assertNothingIsChanged(UnaryOperator<PodSpec> with) {
    SmallCluster world = SmallCluster.in("always");
    world.pod("train-0", 1, with);

    liveThrough(world, DAY);

    assertThat(world.wire.takeCalls()).filteredOn(call -> call != REPORTS).isEmpty();
  }

  private static void liveThrough(SmallCluster world, Duration time) {
    for (Duration left = time; left.isPositive(); left = left.minusMinutes(1)) {
      world.pass(Duration.ofMinutes(1));
      world.cycle();
    }
  }
}
