package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.OwnerView.Autoscaler;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Progress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec.OwnerKind;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.ApiVerb;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Deployment that a ScaledObject of KEDA scales; each test does what KEDA would do, or not. */
class AutoscaledOwnersTest {
  private static final String REPLICAS = "/spec/replicas";
  private static final String PAUSE = FieldChange.annotation(Autoscaler.PAUSED_REPLICAS);
  private static final Optional<String> PAUSED = Optional.of("\"0\"");
  private static final OwnerSpec WEB = new OwnerSpec(OwnerKind.DEPLOYMENT, "web");

  private final World world = World.in("always");
  private OwnerSpec scaler = WEB;

  @BeforeEach
  void setUp() {
    for (String name : new String[] {"web-a", "web-b"}) {
      world.pod(name, 1, pod -> pod.ownedBy(OwnerSpec.ofDeployment("web", "5d4f")));
    }
    scaler = world.cluster.addScaledObject(World.NAMESPACE, WEB);
  }

  @Test
  void takesThePauseBack_whenItIsStoredAfterTheActionFailed() {
    fail();

    write(scaler, PAUSE, PAUSED);
    world.cycle();

    assertThat(pause()).isEmpty();
    assertThat(replicas()).contains("2");
    assertThat(progress().state()).isEqualTo(ReclamationState.FAILED);
    assertThat(progress().message())
        .isEqualTo(
            "A part of the action was stored after it had failed, and is written back: annotation"
                + " autoscaling.keda.sh/paused-replicas is removed.");
  }

  @Test
  void triesAgainToTakeALatePauseBack_whenTheWriteIsRefused() {
    fail();
    write(scaler, PAUSE, PAUSED);
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
    world.pass(World.GRACE);

    write(scaler, PAUSE, PAUSED);
    world.cycle();

    assertThat(pause()).isEqualTo(PAUSED);
  }

  @Test
  void continuesTheAction_whenAllOfItIsStoredAfterItFailed() {
    fail();

    write(scaler, PAUSE, PAUSED);
    write(WEB, REPLICAS, Optional.of("0"));
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

  private void becomeDue() {
    world.pass(World.UNTIL_WARNED);
    world.cycle();
    world.pass(World.GRACE);
  }

  private void write(OwnerSpec owner, String path, Optional<String> value) {
    world.cluster.writeOwnerField(World.NAMESPACE, owner, path, value);
  }

  private Optional<String> pause() {
    return world.cluster.ownerField(World.NAMESPACE, scaler, PAUSE);
  }

  private Optional<String> replicas() {
    return world.cluster.ownerField(World.NAMESPACE, WEB, REPLICAS);
  }

  private Reclamation record() {
    return world.cluster.look().reclamations().orElseThrow().getFirst();
  }

  private Progress progress() {
    return record().status().orElseThrow();
  }
}
