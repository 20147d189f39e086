package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.OwnerView.Autoscaler;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec.OwnerType;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.ApiVerb;
import io.gpureclaimer.reclaimer.reclamation.OwnerRestorer;
import io.gpureclaimer.reclaimer.reclamation.OwnerRestorer.OwnerRestoreResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Deployment that a ScaledObject of KEDA scales; each test does what KEDA would do, or not. */
class AutoscaledOwnersTest {
  private static final String REPLICAS = "/spec/replicas";
  private static final String PAUSE = FieldChange.annotation(Autoscaler.PAUSED_REPLICAS);
  private static final Optional<String> PAUSED = Optional.of("\"0\"");
  private static final Duration BOUND = Duration.ofMinutes(2);
  private static final OwnerSpec WEB = new OwnerSpec(OwnerType.DEPLOYMENT, "web");

  private final SmallCluster world = SmallCluster.in("always");
  private OwnerSpec scaler = WEB;

  @BeforeEach
  void setUp() {
    for (String name : new String[] {"web-a", "web-b"}) {
      world.pod(name, 1, pod -> pod.ownedBy(OwnerSpec.ofDeployment("web", "5d4f")));
    }
    scaler = world.cluster.addScaledObject(SmallCluster.NAMESPACE, WEB);
  }

  @Test
  void pausesTheAutoscaler_whileTheOwnerIsStopped() {
    reclaim();

    assertThat(pause()).isEqualTo(PAUSED);
    assertThat(replicas()).contains("0");
  }

  @Test
  void staysRestoring_untilTheAutoscalerHasSetTheReplicas() {
    restore();

    assertThat(pause()).isEmpty();
    assertThat(replicas()).contains("0");
    assertThat(progress().state()).isEqualTo(ReclamationState.RESTORING);
    assertThat(world.lastMessage()).isEqualTo("Restoring: requested in the record.");

    world.pass(Duration.ofMinutes(1));
    world.cycle();
    assertThat(progress().state()).isEqualTo(ReclamationState.RESTORING);
    assertThat(replicas()).contains("0");

    write(WEB, REPLICAS, Optional.of("2"));
    world.cycle();

    assertThat(progress().state()).isEqualTo(ReclamationState.RESTORED);
    assertThat(progress().message())
        .isEqualTo(
            "Restored: requested in the record. annotation autoscaling.keda.sh/paused-replicas is"
                + " removed, spec.replicas is 2 again.");
  }

  @Test
  void leavesTheReplicasToTheAutoscaler_whenItSetsAnotherNumber() {
    restore();

    write(WEB, REPLICAS, Optional.of("5"));
    world.cycle();

    assertThat(replicas()).contains("5");
    assertThat(progress().state()).isEqualTo(ReclamationState.RESTORED);
    assertThat(progress().message())
        .isEqualTo(
            "Restored: requested in the record. Its autoscaler is released; it or others set the"
                + " replicas.");
  }

  @Test
  void writesTheFormerReplicas_whenTheAutoscalerDoesNotRun() {
    restore();

    world.pass(BOUND.minusSeconds(1));
    world.cycle();
    assertThat(replicas()).contains("0");
    world.pass(Duration.ofSeconds(1));
    world.cycle();

    assertThat(replicas()).contains("2");
    assertThat(progress().state()).isEqualTo(ReclamationState.RESTORED);
  }

  @Test
  void writesTheFormerReplicas_whenAnotherLeaderTakesOver() {
    restore();
    world.pass(BOUND);

    InMemoryReplica.leading("replica-2", world).run();

    assertThat(replicas()).contains("2");
    assertThat(progress().state()).isEqualTo(ReclamationState.RESTORED);
  }

  @Test
  void writesTheFormerReplicasAtOnce_whenTheAutoscalerIsGone() {
    reclaim();
    world.cluster.deleteOwner(SmallCluster.NAMESPACE, scaler);

    world.cluster.requestRestore(SmallCluster.NAMESPACE, record().name());
    world.cycle();

    assertThat(replicas()).contains("2");
    assertThat(progress().message())
        .isEqualTo("Restored: requested in the record. spec.replicas is 2 again.");
  }

  /** A command may be the last that runs, as before an uninstall. */
  @Test
  void writesTheFormerReplicasAtOnce_whenACommandRestores() {
    reclaim();
    List<OwnerRestoreResult> results = new ArrayList<>();

    new OwnerRestorer(world.cluster, world.cluster, world.clock)
        .restoreAll(Optional.empty(), false, results::add);

    assertThat(results).extracting(OwnerRestoreResult::isDone).containsExactly(true);
    assertThat(pause()).isEmpty();
    assertThat(replicas()).contains("2");
    assertThat(progress().state()).isEqualTo(ReclamationState.RESTORED);
  }

  @Test
  void staysRestoring_whileTheReleaseIsRefused() {
    reclaim();
    world.cluster.refuse(ApiVerb.PATCH_OWNER, 403, "forbidden");
    world.cluster.requestRestore(SmallCluster.NAMESPACE, record().name());
    world.cycle();
    world.pass(BOUND);
    world.cycle();
    assertThat(progress().state()).isEqualTo(ReclamationState.RESTORING);

    world.cluster.allow(ApiVerb.PATCH_OWNER);
    world.cycle();

    assertThat(pause()).isEmpty();
    assertThat(replicas()).contains("2");
    assertThat(progress().state()).isEqualTo(ReclamationState.RESTORED);
  }

  @Test
  void takesThePauseBack_whenItIsStoredAfterTheActionFailed() {
    fail();

    writeLate(scaler, PAUSE, PAUSED);
    world.cycle();

    assertThat(pause()).isEmpty();
    assertThat(replicas()).contains("2");
    assertThat(progress().state()).isEqualTo(ReclamationState.FAILED);
    assertThat(progress().message())
        .isEqualTo(
            "A part of the action was stored after it had failed; it is undone. annotation"
                + " autoscaling.keda.sh/paused-replicas is removed.");
  }

  @Test
  void triesAgainToTakeALatePauseBack_whenTheWriteIsRefused() {
    fail();
    writeLate(scaler, PAUSE, PAUSED);
    world.cluster.refuse(ApiVerb.PATCH_OWNER, 500, "overloaded");
    world.cycle();
    assertThat(pause()).isEqualTo(PAUSED);

    world.cluster.allow(ApiVerb.PATCH_OWNER);
    world.cycle();

    assertThat(pause()).isEmpty();
  }

  @Test
  void leavesALatePauseAlone_whenTheActionFailedLongAgo() {
    fail();
    world.pass(SmallCluster.GRACE);

    writeLate(scaler, PAUSE, PAUSED);
    world.cycle();

    assertThat(pause()).isEqualTo(PAUSED);
  }

  @Test
  void continuesTheAction_whenAllOfItIsStoredAfterItFailed() {
    fail();

    writeLate(scaler, PAUSE, PAUSED);
    writeLate(WEB, REPLICAS, Optional.of("0"));
    world.cycle();

    assertThat(pause()).isEqualTo(PAUSED);
    assertThat(replicas()).contains("0");
    assertThat(progress().state()).isEqualTo(ReclamationState.ACTING);
  }

  /** The action fails, and nothing new is tried. */
  private void fail() {
    becomeDue();
    world.cluster.refuse(ApiVerb.PATCH_OWNER, 500, "overloaded");
    world.cycle();
    world.cluster.allow(ApiVerb.PATCH_OWNER);
    world.mode("off");
    assertThat(progress().state()).isEqualTo(ReclamationState.FAILED);
  }

  private void reclaim() {
    becomeDue();
    world.cycle();
    world.pass(Duration.ofSeconds(30));
    world.cycle();
    assertThat(progress().state()).isEqualTo(ReclamationState.RECLAIMED);
  }

  private void restore() {
    reclaim();
    world.cluster.requestRestore(SmallCluster.NAMESPACE, record().name());
    world.cycle();
  }

  private void becomeDue() {
    world.pass(SmallCluster.UNTIL_WARNED);
    world.cycle();
    world.pass(SmallCluster.GRACE);
  }

  /** A write of the action is carried out after its answer was lost. */
  private void writeLate(OwnerSpec owner, String path, Optional<String> value) {
    world.cluster.writeOwnerField(SmallCluster.NAMESPACE, owner, path, value, FieldChange.MANAGER);
  }

  private void write(OwnerSpec owner, String path, Optional<String> value) {
    world.cluster.writeOwnerField(SmallCluster.NAMESPACE, owner, path, value);
  }

  private Optional<String> pause() {
    return world.cluster.ownerField(SmallCluster.NAMESPACE, scaler, PAUSE);
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
