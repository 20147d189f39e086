package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.OwnerView.Autoscaler;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec.OwnerType;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What users of similar tools complain about, as cases. Each test is named after the complaint;
 * complaints whose case is a test elsewhere:
 *
 * <table>
 * <caption>Complaints that other tests cover</caption>
 * <tr><td>hjacobs/kube-downscaler #49, #69, #98, #106: an HPA undoes the zero, or is broken by it</td>
 *     <td>{@code ConflictsTest.scales_whatAHorizontalPodAutoscalerScales_andDoesNotTouchTheAutoscaler},
 *     {@code ScalePartlyTest.refuses_whatIsScaledByOthers}</td></tr>
 * <tr><td>py-kube-downscaler #58: an HPA gets an invalid minReplicas</td>
 *     <td>the same; an HPA is never written</td></tr>
 * <tr><td>kedacore/keda #4733, #5490, #6062: a pause is lost or overwritten</td>
 *     <td>{@code ConflictsTest.leavesAPauseOfPeopleAsItIs}, {@code refuses_whatPeoplePausedWithReplicas}</td></tr>
 * <tr><td>kedacore/keda #5526, #6982, #7231: stays paused after the annotation is removed</td>
 *     <td>{@code AutoscaledOwnersTest.writesTheFormerReplicas_whenTheAutoscalerDoesNotRun}</td></tr>
 * <tr><td>kedacore/keda #5165: bounces between 0 and 1</td>
 *     <td>{@code ConflictsTest.pausesAScaledObject_beforeItsTargetIsScaled},
 *     {@code RealControllersE2E} with KEDA</td></tr>
 * <tr><td>kube-green #259: Argo CD heals at once</td>
 *     <td>{@code GitOpsTest.refuses_whatArgoCdManages_andSaysWhatWouldPermitIt}</td></tr>
 * <tr><td>argo-cd #5105: flaps between 1 and 2</td>
 *     <td>{@code ContestedOwnersTest.isContested_whenTheFieldIsWrittenBack},
 *     {@code isTriedFiveTimesADay_withAPauseThatDoubles}</td></tr>
 * <tr><td>hjacobs/kube-downscaler #43: excluded while it is stopped, and stays stopped</td>
 *     <td>{@code OwnersTest.restores_whenTheOwnerIsExcluded}</td></tr>
 * <tr><td>GoKubeDownscaler #181: an upgrade by Flux or Helm while the owner is stopped</td>
 *     <td>{@code OwnersTest.leavesTheOwnerAlone_whenOthersChangedItBack}</td></tr>
 * <tr><td>py-kube-downscaler: an original number of 0 is taken for none</td>
 *     <td>{@code OwnerKindsTest.isRefused_whenItIsStoppedAlready}</td></tr>
 * </table>
 *
 * <p>The health "Suspended" in Argo CD (keda #6982) is what Argo CD shows, and no case of its own.
 */
class PeerComplaintsTest {
  private static final String REPLICAS = "/spec/replicas";
  private static final String PAUSE = FieldChange.annotation(Autoscaler.PAUSED_REPLICAS);
  private static final OwnerSpec WEB = new OwnerSpec(OwnerType.DEPLOYMENT, "web");
  private static final Duration POD_GRACE = Duration.ofSeconds(30);

  /** After a restoration, the idle time counts twice, and a cool-down of an hour comes first. */
  private static final Duration UNTIL_NEXT_WARNING = Duration.ofHours(2);

  private final SmallCluster world = SmallCluster.in("always");
  private InMemoryReplica leader = world.replica;

  @BeforeEach
  void setUp() {
    for (String name : List.of("web-a", "web-b")) {
      world.pod(name, 1, pod -> pod.ownedBy(OwnerSpec.ofDeployment("web", "5d4f")));
    }
  }

  /** More was scaled down than up: an owner comes back with all its replicas, each time. */
  @Test
  void kubeDownscaler40_scalesUpAsManyAsItScaledDown_eachTime() {
    for (int round = 0; round < 3; round++) {
      reclaim();
      restore();
      assertThat(replicas()).contains("2");
      world.pass(UNTIL_NEXT_WARNING);
    }
    assertThat(states())
        .containsExactly(
            ReclamationState.RESTORED, ReclamationState.RESTORED, ReclamationState.RESTORED);
  }

  /** The original number was overwritten by an older one: it is the one of the last action. */
  @Test
  void kubeDownscaler44_restoresTheNumberFromBeforeTheLastAction() {
    reclaim();
    restore();
    write(Optional.of("3"));
    world.pass(UNTIL_NEXT_WARNING);
    reclaim();

    restore();

    assertThat(replicas()).contains("3");
  }

  /** A later run overwrote the original number with the zero that it found. */
  @Test
  void kubeDownscaler44_keepsTheFormerNumber_howeverOftenTheStoppedOwnerIsSeen() {
    reclaim();

    for (int cycle = 0; cycle < 20; cycle++) {
      leader = InMemoryReplica.leading("replica-" + cycle, world);
      world.pass(Duration.ofMinutes(10));
      leader.run();
    }

    assertThat(records()).hasSize(1);
    assertThat(records().getFirst().status().orElseThrow().changes().getFirst().former())
        .contains("2");
    restore();
    assertThat(replicas()).contains("2");
  }

  /** The scale-up was repeated forever, until its mark was removed. */
  @Test
  void kubeDownscaler15_writesTheFormerNumberOnce() {
    reclaim();
    restore();
    write(Optional.of("1"));
    leader.wire().takeCalls();

    for (int cycle = 0; cycle < 10; cycle++) {
      world.pass(Duration.ofMinutes(1));
      leader.run();
    }

    assertThat(replicas()).contains("1");
    assertThat(leader.wire().takeCalls())
        .doesNotContain(
            ApiInterceptor.InterceptedCall.CHANGE, ApiInterceptor.InterceptedCall.UPDATE);
  }

  /** No patch to restore was found after an upgrade, or a restart (py-kube-downscaler #151). */
  @Test
  void kubeGreen512_restoresWhatAnEarlierProcessHasStopped() {
    reclaim();
    leader = InMemoryReplica.leading("replica-2", world);

    restore();

    assertThat(replicas()).contains("2");
  }

  /** An error on the way back made it one replica. */
  @Test
  void snorlax_writesNoGuess_whenTheOwnerCannotBeRead() {
    reclaim();
    world.cluster.requestRestore(SmallCluster.NAMESPACE, records().getLast().name());
    leader
        .wire()
        .before(
            ApiInterceptor.InterceptedCall.GET,
            () -> {
              throw new ClusterUnreachable("get Deployment", "no answer within 10000 ms");
            });

    leader.run();
    assertThat(replicas()).contains("0");
    leader.run();

    assertThat(replicas()).contains("2");
  }

  /** None of 199 ScaledObjects was paused. */
  @Test
  void goKubeDownscaler475_pausesAndReleasesEveryScaledObject() {
    List<OwnerSpec> scalers = new ArrayList<>();
    scalers.add(world.cluster.addScaledObject(SmallCluster.NAMESPACE, WEB));
    for (String name : IntStream.range(0, 6).mapToObj(i -> "app" + i).toList()) {
      world.pod(name + "-a", 1, pod -> pod.ownedBy(OwnerSpec.ofDeployment(name, "77aa")));
      scalers.add(
          world.cluster.addScaledObject(
              SmallCluster.NAMESPACE, new OwnerSpec(OwnerType.DEPLOYMENT, name)));
    }
    leader = InMemoryReplica.leading("replica-2", world, new PlanLimits(20, POD_GRACE));

    reclaim();
    assertThat(scalers).allMatch(scaler -> pause(scaler).equals(Optional.of("\"0\"")));
    restore();

    assertThat(scalers).allMatch(scaler -> pause(scaler).isEmpty());
  }

  private void reclaim() {
    world.pass(SmallCluster.UNTIL_WARNED);
    leader.run();
    world.pass(SmallCluster.GRACE);
    leader.run();
    world.pass(POD_GRACE);
    leader.run();
    assertThat(states()).endsWith(ReclamationState.RECLAIMED);
  }

  private void restore() {
    for (Reclamation record : records()) {
      world.cluster.requestRestore(SmallCluster.NAMESPACE, record.name());
    }
    leader.run();
    world.cluster.tick();
    world.cluster.tick();
    world.agents.observe();
  }

  private void write(Optional<String> value) {
    world.cluster.writeOwnerField(SmallCluster.NAMESPACE, WEB, REPLICAS, value);
  }

  private Optional<String> pause(OwnerSpec scaler) {
    return world.cluster.ownerField(SmallCluster.NAMESPACE, scaler, PAUSE);
  }

  private Optional<String> replicas() {
    return world.cluster.ownerField(SmallCluster.NAMESPACE, WEB, REPLICAS);
  }

  private List<Reclamation> records() {
    return world.cluster.view().reclamations().orElseThrow();
  }

  /** In the order of recording. */
  private List<ReclamationState> states() {
    return records().stream()
        .map(record -> record.status().orElseThrow())
        .sorted(Comparator.comparing(progress -> progress.times().recordedAt()))
        .map(ReclamationProgress::state)
        .toList();
  }
}
