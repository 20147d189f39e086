package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.RecordAccess;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec.OwnerType;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.ApiVerb;
import io.gpureclaimer.reclaimer.reclamation.OwnerRestorer;
import io.gpureclaimer.reclaimer.reclamation.OwnerRestorer.OwnerRestoreResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the command {@code restore} does, with a reclaimer and without. */
class OwnerRestorerTest {
  private static final OwnerSpec WEB = new OwnerSpec(OwnerType.DEPLOYMENT, "web");

  private final SmallCluster world = SmallCluster.in("always");
  private final OwnerRestorer restorer =
      new OwnerRestorer(world.cluster, world.cluster, world.clock);

  @Test
  void asksTheReclaimerForOneOwner() {
    reclaim();

    OwnerRestoreResult result =
        restorer.request(SmallCluster.NAMESPACE, "deployment", "web", false).orElseThrow();

    assertThat(result.isDone()).isTrue();
    assertThat(result.sentence())
        .isEqualTo("to be restored by the reclaimer in its next cycle: spec.replicas = 1");
    assertThat(replicas()).contains("0");
    world.cycle();
    assertThat(replicas()).contains("1");
  }

  @Test
  void findsNothing_whenTheOwnerIsNotReclaimed() {
    reclaim();

    assertThat(restorer.request(SmallCluster.NAMESPACE, "deployment", "other", false)).isEmpty();
    assertThat(restorer.request(SmallCluster.NAMESPACE, "job", "web", false)).isEmpty();
    assertThat(restorer.request("elsewhere", "deployment", "web", false)).isEmpty();
  }

  @Test
  void asksForNothing_inADryRun() {
    reclaim();

    OwnerRestoreResult result =
        restorer.request(SmallCluster.NAMESPACE, "Deployment", "web", true).orElseThrow();
    world.cycle();

    assertThat(result.sentence()).startsWith("would be restored by the reclaimer");
    assertThat(replicas()).contains("0");
  }

  @Test
  void reportsThatTheRequestIsRefused_andRestoresAllWithoutIt() {
    reclaim();
    var refusing =
        new RecordAccess() {
          @Override
          public List<Reclamation> records(Optional<String> namespace) {
            return world.cluster.records(namespace);
          }

          @Override
          public ActionResult requestRestore(Reclamation record, boolean dryRun) {
            return ActionResult.refused(403, "forbidden");
          }
        };
    var person = new OwnerRestorer(world.cluster, refusing, world.clock);

    OwnerRestoreResult one =
        person.request(SmallCluster.NAMESPACE, "deployment", "web", false).orElseThrow();
    List<OwnerRestoreResult> all = new ArrayList<>();
    person.restoreAll(Optional.empty(), false, all::add);

    assertThat(one.isDone()).isFalse();
    assertThat(one.sentence()).isEqualTo("not restored: the API server answered 403: forbidden");
    assertThat(all).extracting(OwnerRestoreResult::isDone).containsExactly(true);
    assertThat(replicas()).contains("1");
  }

  @Test
  void restoresAllWithoutAReclaimer() {
    reclaim();

    List<OwnerRestoreResult> results = restoreAll(Optional.empty());

    assertThat(results)
        .extracting(OwnerRestoreResult::sentence)
        .containsExactly("Restored: requested by a command. spec.replicas is 1 again.");
    assertThat(replicas()).contains("1");
    assertThat(state()).isEqualTo(ReclamationState.RESTORED);
    assertThat(restoreAll(Optional.empty())).isEmpty();
  }

  @Test
  void leavesOtherNamespacesAlone() {
    reclaim();

    assertThat(restoreAll(Optional.of("elsewhere"))).isEmpty();
    assertThat(replicas()).contains("0");
  }

  @Test
  void restoresTheFieldsAlone_whenThePersonMayNotWriteTheRecord() {
    reclaim();
    world.cluster.refuse(ApiVerb.WRITE_RECORD, 403, "only the reclaimer writes the status");

    List<OwnerRestoreResult> results = restoreAll(Optional.empty());

    assertThat(results).extracting(OwnerRestoreResult::isDone).containsExactly(true);
    assertThat(results.getFirst().sentence()).contains("until the reclaimer runs");
    assertThat(replicas()).contains("1");
    world.cluster.allow(ApiVerb.WRITE_RECORD);
    world.cycle();
    assertThat(state()).isEqualTo(ReclamationState.RESTORED);
  }

  @Test
  void reportsThatAnOwnerIsNotRestored_whenTheWriteIsRefused() {
    reclaim();
    world.cluster.refuse(ApiVerb.PATCH_OWNER, 403, "forbidden");

    List<OwnerRestoreResult> results = restoreAll(Optional.empty());

    assertThat(results).extracting(OwnerRestoreResult::isDone).containsExactly(false);
    assertThat(results.getFirst().sentence()).contains("403: forbidden");
    assertThat(replicas()).contains("0");
  }

  @Test
  void leavesAloneWhatOthersHaveChanged() {
    reclaim();
    world.cluster.writeOwnerField(SmallCluster.NAMESPACE, WEB, "/spec/replicas", Optional.of("5"));

    List<OwnerRestoreResult> results = restoreAll(Optional.empty());

    assertThat(results).extracting(OwnerRestoreResult::isDone).containsExactly(true);
    assertThat(results.getFirst().sentence()).startsWith("Contested: ");
    assertThat(replicas()).contains("5");
  }

  @Test
  void writesNothing_inADryRunOfAll() {
    reclaim();
    List<OwnerRestoreResult> results = new ArrayList<>();

    restorer.restoreAll(Optional.empty(), true, results::add);

    assertThat(results)
        .extracting(OwnerRestoreResult::sentence)
        .containsExactly("would be restored: spec.replicas = 1");
    assertThat(replicas()).contains("0");
    assertThat(state()).isEqualTo(ReclamationState.RECLAIMED);
  }

  private List<OwnerRestoreResult> restoreAll(Optional<String> namespace) {
    List<OwnerRestoreResult> results = new ArrayList<>();
    restorer.restoreAll(namespace, false, results::add);
    return results;
  }

  private void reclaim() {
    world.pod("web-a", 1, pod -> pod.ownedBy(OwnerSpec.ofDeployment("web", "5d4f")));
    world.pass(SmallCluster.UNTIL_WARNED);
    world.cycle();
    world.pass(SmallCluster.GRACE);
    world.cycle();
    world.pass(Duration.ofSeconds(30));
    world.cycle();
    assertThat(replicas()).contains("0");
  }

  private Optional<String> replicas() {
    return world.cluster.ownerField(SmallCluster.NAMESPACE, WEB, "/spec/replicas");
  }

  private ReclamationState state() {
    return world.cluster.records(Optional.empty()).getFirst().status().orElseThrow().state();
  }
}
