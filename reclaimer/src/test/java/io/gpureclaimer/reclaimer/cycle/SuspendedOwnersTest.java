package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec.OwnerType;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.ApiVerb;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Owners that are suspended and resumed. */
class SuspendedOwnersTest {
  private static final String SUSPEND = "/spec/suspend";
  private static final OwnerSpec RAY = new OwnerSpec(OwnerType.RAY_CLUSTER, "ray");
  private static final OwnerSpec NIGHTLY = new OwnerSpec(OwnerType.CRON_JOB, "nightly");
  private static final OwnerSpec FIRST =
      new OwnerSpec(OwnerType.JOB, "nightly-1", Optional.of(NIGHTLY));
  private static final OwnerSpec SECOND =
      new OwnerSpec(OwnerType.JOB, "nightly-2", Optional.of(NIGHTLY));
  private static final Duration POD_GRACE = Duration.ofSeconds(30);

  private final SmallCluster world = SmallCluster.in("always");

  @ParameterizedTest(name = "with managed fields: {0}")
  @ValueSource(booleans = {true, false})
  void removesTheFieldOfARayCluster_onlyWhenItsPodsAreBack(boolean managed) {
    showManagers(managed);
    world.pod("ray-worker", 1, pod -> pod.ownedBy(RAY));
    reclaim();
    assertThat(suspend(RAY)).contains("true");

    world.cluster.requestRestore(SmallCluster.NAMESPACE, record().name());
    world.cycle();

    assertThat(suspend(RAY)).contains("false");
    assertThat(progress().state()).isEqualTo(ReclamationState.RESTORING);
    world.cycle();
    assertThat(suspend(RAY)).contains("false");

    world.cluster.tick();
    world.cycle();

    assertThat(suspend(RAY)).isEmpty();
    assertThat(progress().state()).isEqualTo(ReclamationState.RESTORED);
  }

  @ParameterizedTest(name = "with managed fields: {0}")
  @ValueSource(booleans = {true, false})
  void removesTheFieldOfARayCluster_whoseControllerDidNotStopThePods(boolean managed) {
    showManagers(managed);
    world.pod("ray-worker", 1, pod -> pod.ownedBy(RAY));
    world.cluster.ignoreStops(true);
    act();
    world.pass(Duration.ofMinutes(10));
    world.cycle();
    assertThat(suspend(RAY)).contains("false");

    world.cycle();

    assertThat(suspend(RAY)).isEmpty();
    assertThat(progress().state()).isEqualTo(ReclamationState.CONTESTED);
    assertThat(progress().message()).startsWith("The controller did not stop the pods");
  }

  @ParameterizedTest(name = "with managed fields: {0}")
  @ValueSource(booleans = {true, false})
  void restoresARayCluster_whoseControllerDidNotStopThePods(boolean managed) {
    showManagers(managed);
    world.pod("ray-worker", 1, pod -> pod.ownedBy(RAY));
    world.cluster.ignoreStops(true);
    act();
    world.cluster.requestRestore(SmallCluster.NAMESPACE, record().name());
    world.cycle();
    // The controller may have seen the first value, and then it obeys.
    world.cycle();
    assertThat(suspend(RAY)).contains("false");

    world.pass(Duration.ofMinutes(10));
    world.cycle();

    assertThat(suspend(RAY)).isEmpty();
    assertThat(progress().state()).isEqualTo(ReclamationState.RESTORED);
  }

  @Test
  void leavesTheFieldOfARayCluster_thatItsUserResumesBeforeTheReclaimerDoes() {
    world.pod("ray-worker", 1, pod -> pod.ownedBy(RAY));
    reclaim();
    world.cluster.requestRestore(SmallCluster.NAMESPACE, record().name());
    world.cluster.refuse(ApiVerb.PATCH_OWNER, 500, "overloaded");
    world.cycle();
    assertThat(progress().state()).isEqualTo(ReclamationState.RESTORING);

    world.cluster.writeOwnerField(SmallCluster.NAMESPACE, RAY, SUSPEND, Optional.of("false"));
    world.cluster.allow(ApiVerb.PATCH_OWNER);
    world.cluster.tick();
    world.cycle();

    assertThat(suspend(RAY)).contains("false");
    assertThat(progress().state()).isEqualTo(ReclamationState.RESTORED);
  }

  @ParameterizedTest(name = "with managed fields: {0}")
  @ValueSource(booleans = {true, false})
  void leavesARayClusterAlone_whenItsUserResumesIt(boolean managed) {
    showManagers(managed);
    world.pod("ray-worker", 1, pod -> pod.ownedBy(RAY));
    reclaim();

    world.cluster.writeOwnerField(SmallCluster.NAMESPACE, RAY, SUSPEND, Optional.of("false"));
    world.cycle();

    assertThat(suspend(RAY)).contains("false");
    assertThat(progress().state()).isEqualTo(ReclamationState.CONTESTED);
  }

  @Test
  void suspendsAndResumesEveryRunningJobOfACronJob() {
    world.pod("nightly-1-a", 1, pod -> pod.ownedBy(FIRST));
    world.pod("nightly-2-a", 1, pod -> pod.ownedBy(SECOND));
    reclaim();

    assertThat(suspend(FIRST)).contains("true");
    assertThat(suspend(SECOND)).contains("true");
    assertThat(suspend(NIGHTLY)).isEmpty();
    assertThat(world.cluster.holders()).isEmpty();

    world.cluster.requestRestore(SmallCluster.NAMESPACE, record().name());
    world.cycle();

    assertThat(suspend(FIRST)).isEmpty();
    assertThat(suspend(SECOND)).isEmpty();
    assertThat(progress().state()).isEqualTo(ReclamationState.RESTORED);
  }

  /** Where nothing says who wrote a value last, the record alone does. */
  private void showManagers(boolean shown) {
    if (!shown) {
      world.wire.hideManagers();
    }
  }

  private void act() {
    world.pass(SmallCluster.UNTIL_WARNED);
    world.cycle();
    world.pass(SmallCluster.GRACE);
    world.cycle();
    assertThat(progress().state()).isEqualTo(ReclamationState.ACTING);
  }

  private void reclaim() {
    act();
    world.pass(POD_GRACE);
    world.cycle();
    assertThat(progress().state()).isEqualTo(ReclamationState.RECLAIMED);
  }

  private Optional<String> suspend(OwnerSpec owner) {
    return world.cluster.ownerField(SmallCluster.NAMESPACE, owner, SUSPEND);
  }

  private Reclamation record() {
    return world.cluster.view().reclamations().orElseThrow().getFirst();
  }

  private ReclamationProgress progress() {
    return record().status().orElseThrow();
  }
}
