package io.gpureclaimer.reclaimer.cycle;

import static io.gpureclaimer.reclaimer.cycle.ApiInterceptor.InterceptedCall.REPORTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.ApiVerb;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.DisruptionBudget;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.StoredEvent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people read on idle workloads that are not reclaimed, and on pending pods. */
class RefusalNoticesTest {
  private static final String REPORTED = "GPUIdleReported";
  private static final Map<String, String> GUARDED = Map.of("app", "web");
  private static final String REFUSED = "GPUReclaimRefused";

  @ParameterizedTest
  @ValueSource(strings = {"notify", "on-demand", "always"})
  void saysOnceWhyAnOwnerIsOnlyReported_onItsPodAndOnItself(String mode) {
    var world = SmallCluster.in(mode);
    PodRef pod = guardedPod(world);
    world.pass(SmallCluster.IDLE_AFTER);

    world.cycle();
    world.pass(Duration.ofHours(3));
    world.cycle();

    assertThat(events(world, REPORTED))
        .extracting(event -> event.object().kind() + "/" + event.object().name())
        .containsExactly("Pod/web-a", "Deployment/web");
    assertThat(events(world, REPORTED).getLast().notice())
        .isEqualTo(
            new Notice(
                REPORTED,
                "2 GPUs idle for 1h (since 2026-03-02 08:00:00 UTC). Only reported:"
                    + " PodDisruptionBudget keep-one allows 0 of its 1 healthy pods to be disrupted"
                    + " (1 desired), and the action would disrupt 1.",
                false));
    assertThat(world.reported(pod)).containsExactly(REPORTED);
  }

  @Test
  void saysOnAPendingPodWhatIsReclaimedForIt_once() {
    var world = SmallCluster.in("on-demand");
    world.agents.work(world.pod("busy", 7));
    world.pod("nb");
    world.pass(SmallCluster.IDLE_AFTER);
    world.cycle();
    PodRef pending = world.cluster.submit(PodSpec.bare(SmallCluster.NAMESPACE, "pending", 1));
    world.pass(Duration.ofMinutes(20));

    world.cycle();
    world.cycle();

    assertThat(events(world, "GPUsReclaimedForPod"))
        .extracting(StoredEvent::notice)
        .containsExactly(
            new Notice(
                "GPUsReclaimedForPod",
                "1 GPU: to be reclaimed for it, on node-1: Pod research/nb.",
                false));
    assertThat(world.reported(pending)).containsOnlyOnce("GPUsReclaimedForPod");
  }

  @Test
  void saysOnAPendingPodWhyNothingIsReclaimedForIt_once() {
    var world = SmallCluster.in("on-demand");
    world.agents.work(world.pod("busy", 7));
    world.pod("nb");
    world.pass(SmallCluster.IDLE_AFTER);
    world.cycle();
    PodRef pending = world.cluster.submit(PodSpec.bare(SmallCluster.NAMESPACE, "pending", 2));
    world.pass(Duration.ofMinutes(20));

    world.cycle();
    world.pass(Duration.ofMinutes(1));
    world.cycle();

    assertThat(world.reported(pending)).containsExactly("NoGPUsReclaimedForPod");
    assertThat(world.lastMessage())
        .isEqualTo(
            "Pending for 2 GPUs: the idle workloads that may be reclaimed for a pending pod now (1)"
                + " cannot free 2 GPUs where it may run.");
  }

  @Test
  void saysNothingOnAPendingPod_whereNothingMayBeReclaimed() {
    var world = SmallCluster.in("report");
    world.agents.work(world.pod("busy", 7));
    world.pod("nb");
    PodRef pending = world.cluster.submit(PodSpec.bare(SmallCluster.NAMESPACE, "pending", 2));
    world.pass(SmallCluster.IDLE_AFTER);

    world.cycle();

    assertThat(world.reported(pending)).isEmpty();
  }

  @Test
  void saysItAgain_inTheNextIdlePeriod() {
    var world = SmallCluster.in("always");
    PodRef pod = guardedPod(world);
    world.pass(SmallCluster.IDLE_AFTER);
    world.cycle();
    world.agents.work(pod);
    world.agents.rest(pod);
    world.pass(SmallCluster.IDLE_AFTER);

    world.cycle();

    assertThat(world.reported(pod)).containsExactly(REPORTED, REPORTED);
  }

  @Test
  void saysThatAnAnnotationCannotBeUnderstood() {
    var world = SmallCluster.in("always");
    PodRef pod = world.pod("nb");
    world.annotate(pod, Annotations.KEEP_UNTIL, "tomorrow");
    world.pass(SmallCluster.IDLE_AFTER);

    world.cycle();

    assertThat(world.lastMessage())
        .contains("Only reported: pod research/nb: gpu-reclaimer.io/keep-until \"tomorrow\": must");
  }

  @Test
  void isSilent_wherePeopleChoseThatNothingHappens() {
    var world = SmallCluster.in("report");
    world.pod("a");
    world.pass(SmallCluster.IDLE_AFTER);
    world.cycle();
    world.mode("always");
    world.annotate(world.pod("b"), Annotations.ACTION, "none");
    world.annotate(world.pod("c"), Annotations.KEEP_UNTIL, "2026-03-02T23:00:00Z");
    world.pass(SmallCluster.IDLE_AFTER);

    world.cycle();

    assertThat(events(world, REPORTED)).isEmpty();
  }

  @Test
  void saysOnceThatAnEvictionIsRefused() {
    var world = SmallCluster.in("always");
    PodRef pod = world.duePod("nb");
    world.wire.answerEviction(
        pod, new ActionResult.Blocked(Optional.empty(), "The budget has no room."));

    for (int i = 0; i < 20; i++) {
      world.cycle();
      world.pass(Duration.ofMinutes(1));
    }

    assertThat(world.reported(pod)).containsExactly("GPUIdleWarned", REFUSED);
    assertThat(world.lastMessage())
        .isEqualTo(
            "GPU idle for 1h (since 2026-03-02 08:00:00 UTC). Pod nb was not evicted: The budget has"
                + " no room. The reclaimer tries again after 2026-03-02 09:00:30 UTC.");
  }

  @Test
  void triesOneEventInACycle_whileNoneIsStored() {
    var world = SmallCluster.in("always");
    for (String name : List.of("a", "b", "c")) {
      world.annotate(world.pod(name), Annotations.KEEP_UNTIL, "tomorrow");
    }
    world.pass(SmallCluster.IDLE_AFTER);
    world.cluster.refuse(ApiVerb.CREATE_EVENT, 403, "no Events");
    world.wire.takeCalls();

    world.cycle();
    assertThat(world.wire.takeCalls()).containsExactly(REPORTS);

    world.cluster.allow(ApiVerb.CREATE_EVENT);
    world.cycle();
    assertThat(events(world, REPORTED)).hasSize(3);
  }

  @Test
  void aReplicaThatDoesNotLead_writesNoEvent() {
    var world = SmallCluster.in("always");
    guardedPod(world);
    world.pass(SmallCluster.IDLE_AFTER);
    world.replica.leadership().loseTo("replica-2");

    world.cycle();

    assertThat(world.cluster.events()).isEmpty();
  }

  /** Of a Deployment whose disruption budget allows none of its pods to go. */
  private static PodRef guardedPod(SmallCluster world) {
    world.cluster.addBudget(new DisruptionBudget(SmallCluster.NAMESPACE, "keep-one", GUARDED, 1));
    return world.pod(
        "web-a",
        2,
        spec -> spec.withLabels(GUARDED).ownedBy(OwnerSpec.ofDeployment("web", "5d4f")));
  }

  private static List<StoredEvent> events(SmallCluster world, String reason) {
    return world.cluster.events().stream()
        .filter(event -> event.notice().reason().equals(reason))
        .toList();
  }
}
