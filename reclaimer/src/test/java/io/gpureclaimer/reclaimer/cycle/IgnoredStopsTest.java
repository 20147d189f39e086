package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec.OwnerType;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Controllers that do not stop the pods of an owner, and those that take their time. */
class IgnoredStopsTest {
  private static final String REPLICAS = "/spec/replicas";
  private static final OwnerSpec WEB = new OwnerSpec(OwnerType.DEPLOYMENT, "web");
  private static final Duration BOUND = Duration.ofMinutes(10);
  private static final Duration GRACE = Duration.ofHours(1);

  private final SmallCluster world = SmallCluster.in("always");
  private final PodRef pod = pod("web-a");

  private PodRef pod(String name) {
    return world.pod(
        name, 1, spec -> spec.ownedBy(OwnerSpec.ofDeployment("web", "5d4f")).withGrace(GRACE));
  }

  @Test
  void endsAsContested_whenTheControllerDoesNotStopThePods() {
    world.cluster.ignoreStops(true);
    act();
    world.pass(BOUND.minusSeconds(1));
    world.cycle();
    assertThat(progress().state()).isEqualTo(ReclamationState.ACTING);
    assertThat(replicas()).contains("0");

    world.pass(Duration.ofSeconds(1));
    world.cycle();

    assertThat(progress().state()).isEqualTo(ReclamationState.CONTESTED);
    assertThat(replicas()).contains("1");
    assertThat(world.cluster.events().getLast().notice().reason())
        .isEqualTo("GPUReclamationContested");
    assertThat(world.lastMessage())
        .isEqualTo(
            "The controller did not stop the pods within 10m; the former values are written back,"
                + " and the reclaimer leaves the owner alone.");
    world.cluster.ignoreStops(false);
    world.pass(Duration.ofMinutes(1));
    world.cycle();
    assertThat(world.view(pod).terminating()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"CRON_JOB", "SCALED_OBJECT", "VOLCANO_JOB"})
  void isNotWarnedAgain_whileTheControllerHasTime(OwnerType kind) {
    world.cluster.deleteOwner(SmallCluster.NAMESPACE, WEB);
    world.pass(GRACE);
    world.pod("own-a", 1, spec -> spec.ownedBy(kind, "own"));
    world.cluster.ignoreStops(true);
    act();
    long warnings = warnings();

    for (int minute = 1; minute < BOUND.toMinutes(); minute++) {
      world.pass(Duration.ofMinutes(1));
      world.cycle();
    }

    assertThat(progress().state()).isEqualTo(ReclamationState.ACTING);
    assertThat(warnings()).isEqualTo(warnings);
  }

  /** How often a warning was given or withdrawn. */
  private long warnings() {
    return world.cluster.events().stream()
        .filter(event -> event.notice().reason().startsWith("GPUIdleWarn"))
        .count();
  }

  @Test
  void readsNothing_beforeTheControllerHasHadItsTime() {
    world.cluster.ignoreStops(true);
    act();
    world.wire.takeCalls();

    world.pass(Duration.ofMinutes(5));
    world.cycle();

    assertThat(world.wire.takeCalls())
        .doesNotContain(ApiInterceptor.InterceptedCall.GET, ApiInterceptor.InterceptedCall.UPDATE);
  }

  @Test
  void waitsForPodsThatTerminate_howeverLongTheyTake() {
    act();
    world.pass(GRACE.minusMinutes(1));
    world.cycle();
    assertThat(progress().state()).isEqualTo(ReclamationState.ACTING);

    world.pass(Duration.ofMinutes(1));
    world.cycle();

    assertThat(progress().state()).isEqualTo(ReclamationState.RECLAIMED);
  }

  /** A StatefulSet stops one pod after the other. */
  @Test
  void waits_whileOneOfSeveralPodsTerminates() {
    PodRef other = pod("web-b");
    world.cluster.ignoreStops(true);
    act();
    world.cluster.delete(other);
    world.pass(BOUND.multipliedBy(2));
    world.cycle();
    assertThat(progress().state()).isEqualTo(ReclamationState.ACTING);

    world.pass(GRACE);
    world.cycle();

    assertThat(progress().state()).isEqualTo(ReclamationState.CONTESTED);
    assertThat(replicas()).contains("2");
  }

  @Test
  void doesNotCallTheGpusFree_whenTheControllerReplacesThePods() {
    world.cluster.delete(pod);
    var job = new OwnerSpec(OwnerType.JOB, "train");
    PodRef first = world.pod("train-a", 2, spec -> spec.ownedBy(job));
    world.cluster.ignoreStops(true);
    act();
    world.cluster.delete(first);
    world.pass(Duration.ofMinutes(1));
    world.pod("train-b", 2, spec -> spec.ownedBy(job));
    world.cycle();
    assertThat(progress().state()).isEqualTo(ReclamationState.ACTING);

    world.pass(BOUND);
    world.cycle();

    assertThat(progress().state()).isEqualTo(ReclamationState.CONTESTED);
    assertThat(world.cluster.ownerField(SmallCluster.NAMESPACE, job, "/spec/suspend")).isEmpty();
  }

  @Test
  void restores_whenPeopleAskForItAndTheControllerDidNotStopThePods() {
    world.cluster.ignoreStops(true);
    act();
    world.pass(BOUND);
    world.cluster.requestRestore(SmallCluster.NAMESPACE, record().name());

    world.cycle();

    assertThat(progress().state()).isEqualTo(ReclamationState.RESTORED);
    assertThat(replicas()).contains("1");
  }

  @Test
  void leavesTheValueOfOthers_whenTheControllerDidNotStopThePods() {
    world.cluster.ignoreStops(true);
    act();
    world.pass(BOUND);
    world.cluster.writeOwnerField(SmallCluster.NAMESPACE, WEB, REPLICAS, Optional.of("5"));

    world.cycle();

    assertThat(progress().state()).isEqualTo(ReclamationState.CONTESTED);
    assertThat(progress().message()).contains("changed back");
    assertThat(replicas()).contains("5");
  }

  @Test
  void reportsTheSame_whenTheProcessEndsAfterTheFormerValueIsWritten() {
    world.cluster.ignoreStops(true);
    act();
    world.pass(BOUND);
    world.wire.after(
        ApiInterceptor.InterceptedCall.CHANGE, () -> world.cluster.setUnreachable(true));
    assertThatExceptionOfType(ClusterUnreachable.class)
        .isThrownBy(
            () -> {
              world.cycle();
              world.cluster.view();
            });
    world.cluster.setUnreachable(false);
    assertThat(replicas()).contains("1");

    InMemoryReplica.leading("replica-2", world).run();

    assertThat(progress().state()).isEqualTo(ReclamationState.CONTESTED);
    assertThat(progress().message()).contains("did not stop the pods");
  }

  private void act() {
    world.pass(SmallCluster.UNTIL_WARNED);
    world.cycle();
    world.pass(SmallCluster.GRACE);
    world.cycle();
    assertThat(progress().state()).isEqualTo(ReclamationState.ACTING);
  }

  private Optional<String> replicas() {
    return world.cluster.ownerField(SmallCluster.NAMESPACE, WEB, REPLICAS);
  }

  private Reclamation record() {
    return world.cluster.view().reclamations().orElseThrow().getFirst();
  }

  private ReclamationProgress progress() {
    return record().status().orElseThrow();
  }
}
