package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.VolcanoJob;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec.OwnerType;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.ApiVerb;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs of Volcano, which says in their phase what it has done about a Command. */
class VolcanoJobsTest {
  private static final OwnerSpec JOB = new OwnerSpec(OwnerType.VOLCANO_JOB, "train");
  private static final Duration POD_GRACE = Duration.ofSeconds(30);

  private final SmallCluster world = SmallCluster.in("always");

  @BeforeEach
  void start() {
    world.pod("train-worker-0", 1, pod -> pod.ownedBy(JOB));
    phase(VolcanoJob.RUNNING);
    write("/spec/maxRetry", "3");
  }

  @Test
  void isAborted_andResumedOnRequest() {
    reclaim();
    assertThat(phase()).contains(VolcanoJob.ABORTED);

    world.cluster.requestRestore(SmallCluster.NAMESPACE, record().name());
    world.cycle();

    assertThat(phase()).contains(VolcanoJob.RUNNING);
    assertThat(progress().state()).isEqualTo(ReclamationState.RESTORED);
    assertThat(progress().message()).endsWith("Volcano is asked to resume it.");
  }

  @Test
  void isNotContested_whileVolcanoHasTakenTheCommandAndNotCarriedItOut() {
    world.cluster.ignoreStops(true);
    act();
    phase(VolcanoJob.RUNNING);
    world.cycle();
    assertThat(progress().state()).isEqualTo(ReclamationState.ACTING);

    world.cluster.requestRestore(SmallCluster.NAMESPACE, record().name());
    world.cycle();
    assertThat(progress().state()).isEqualTo(ReclamationState.ACTING);

    phase(VolcanoJob.ABORTING);
    world.cycle();
    assertThat(phase()).contains(VolcanoJob.RUNNING);
    assertThat(progress().state()).isEqualTo(ReclamationState.RESTORED);
  }

  @Test
  void isContested_whenVolcanoDoesNotCarryTheCommandOut() {
    world.cluster.ignoreStops(true);
    act();
    phase(VolcanoJob.RUNNING);

    world.pass(Duration.ofMinutes(10));
    world.cycle();

    assertThat(progress().state()).isEqualTo(ReclamationState.CONTESTED);
  }

  @Test
  void isContested_whenItsUserResumesItAtOnce() {
    reclaim();

    phase(VolcanoJob.RESTARTING);
    world.cluster.tick();
    world.cycle();

    assertThat(phase()).contains(VolcanoJob.RESTARTING);
    assertThat(progress().state()).isEqualTo(ReclamationState.CONTESTED);
  }

  @Test
  void isSuperseded_whenItEndsLater() {
    reclaim();

    world.pass(Duration.ofHours(1));
    phase("\"Failed\"");
    world.cycle();

    assertThat(phase()).contains("\"Failed\"");
    assertThat(progress().state()).isEqualTo(ReclamationState.SUPERSEDED);
  }

  @Test
  void isFollowed_whenTheCommandWasStoredInSpiteOfAnError() {
    becomeDue();
    world.cluster.refuse(ApiVerb.PATCH_OWNER, 504, "timeout");
    world.cycle();
    assertThat(progress().state()).isEqualTo(ReclamationState.INTENDED);
    world.cluster.allow(ApiVerb.PATCH_OWNER);

    phase(VolcanoJob.ABORTING);
    world.cycle();

    assertThat(progress().state()).isEqualTo(ReclamationState.ACTING);
  }

  @ParameterizedTest
  @EnumSource(
      value = ApiInterceptor.InterceptedCall.class,
      names = {"RECORD", "CHANGE", "UPDATE"})
  void isAbortedOnce_whenTheProcessEndsAfterACall(ApiInterceptor.InterceptedCall last) {
    becomeDue();
    world.wire.after(last, () -> world.cluster.setUnreachable(true));
    assertThatExceptionOfType(ClusterUnreachable.class)
        .isThrownBy(
            () -> {
              world.cycle();
              world.cluster.view();
            });
    world.cluster.setUnreachable(false);

    world.pass(Duration.ofMinutes(1));
    world.cycle();

    assertThat(phase()).contains(VolcanoJob.ABORTED);
    assertThat(progress().state()).isIn(ReclamationState.ACTING, ReclamationState.RECLAIMED);
    assertThat(world.cluster.view().reclamations().orElseThrow()).hasSize(1);
  }

  private void becomeDue() {
    world.pass(SmallCluster.UNTIL_WARNED);
    world.cycle();
    world.pass(SmallCluster.GRACE);
  }

  private void act() {
    becomeDue();
    world.cycle();
    assertThat(progress().state()).isEqualTo(ReclamationState.ACTING);
  }

  private void reclaim() {
    act();
    world.pass(POD_GRACE);
    world.cycle();
    assertThat(progress().state()).isEqualTo(ReclamationState.RECLAIMED);
  }

  private Optional<String> phase() {
    return world.cluster.ownerField(SmallCluster.NAMESPACE, JOB, VolcanoJob.PHASE);
  }

  private void phase(String phase) {
    write(VolcanoJob.PHASE, phase);
  }

  private void write(String path, String value) {
    world.cluster.writeOwnerField(SmallCluster.NAMESPACE, JOB, path, Optional.of(value));
  }

  private Reclamation record() {
    return world.cluster.view().reclamations().orElseThrow().getFirst();
  }

  private ReclamationProgress progress() {
    return record().status().orElseThrow();
  }
}
