package io.gpureclaimer.reclaimer.cycle;

import static io.gpureclaimer.reclaimer.cycle.ApiInterceptor.InterceptedCall.EVICT;
import static io.gpureclaimer.reclaimer.cycle.ApiInterceptor.InterceptedCall.GET;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec;
import io.gpureclaimer.reclaimer.execution.PlanExecutor.StepListener;
import io.gpureclaimer.reclaimer.execution.PlanExecutor.StepResult;
import io.gpureclaimer.reclaimer.execution.PreActionCheck.Recheck;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What can happen between the look that finds a pod due and the eviction; none is let through. */
class LastMomentTest {
  private final SmallCluster world = SmallCluster.in("always");
  private final PodRef pod = world.duePod("train-0");

  @Test
  void sparesThePod_whenItWorksAgain() {
    world.agents.beforeSecondLook(() -> world.agents.work(pod));

    assertSpared("the warning no longer holds: its GPUs work again");
  }

  @Test
  void sparesThePod_whenOnlyTheDriverSaysThatItWorks() {
    world.agents.claimUtilization(pod, 1);

    assertSpared("the warning no longer holds: its GPUs work again");
  }

  @Test
  void sparesThePod_whenItsNamespaceWasSwitchedOff_andTheWatchLags() {
    world.wire.changeBehindTheWatch(
        new NamespaceView("research", Map.of("gpu-reclaimer.io/mode", "off")));

    assertSpared("the warning no longer holds: the policy has changed since");
  }

  @Test
  void sparesThePod_whenTheDriverDoesNotReport() {
    world.agents.hideUtilization(pod);

    assertSpared("the raw utilization of GPU-0 is missing");
  }

  @Test
  void sparesThePod_whenTheSourceIsBlind() {
    world.agents.goBlindAtSecondLook("no answer within 30 s");

    assertSpared("no answer within 30 s");
  }

  @Test
  void sparesThePod_whenTheAgentRestarts() {
    world.agents.beforeSecondLook(world.agents::restart);

    assertSpared("the warning no longer holds: it was in use, or not observed, in between");
  }

  @Test
  void sparesThePod_whenTheAgentRestartedAfterTheWarning() {
    SmallCluster other = SmallCluster.in("always");
    PodRef warned = other.warnedPod("train-0");
    other.agents.restart();
    other.pass(SmallCluster.GRACE);

    other.cycle();

    assertThat(other.isEvicted(warned)).isFalse();
    assertThat(other.reported(warned)).containsExactly("GPUIdleWarned", "GPUIdleWarningWithdrawn");
  }

  @Test
  void sparesThePod_whenItIsExcluded() {
    world.wire.before(GET, () -> world.annotate(pod, Annotations.EXCLUDE, "true"));

    assertSpared("the warning no longer holds: the policy has changed since");
  }

  @Test
  void sparesThePod_whenItIsSwitchedOff() {
    world.wire.before(GET, () -> world.annotate(pod, Annotations.MODE, "off"));

    assertSpared("the warning no longer holds: the policy has changed since");
  }

  @Test
  void sparesThePod_whenItsNamespaceOnlyReports() {
    world.wire.after(GET, () -> world.mode("report"));

    assertSpared("the warning no longer holds: the policy has changed since");
  }

  @Test
  void sparesThePod_whenItsNamespaceGoesOnDemand() {
    world.wire.after(GET, () -> world.mode("on-demand"));

    assertSpared("the mode changed to on-demand");
  }

  @Test
  void sparesThePod_whenItsNamespaceAsksForMoreTime() {
    world.wire.after(
        GET,
        () ->
            world.cluster.annotateNamespace(
                SmallCluster.NAMESPACE, Map.of(Annotations.IDLE_AFTER, Optional.of("2h"))));

    assertSpared("idle for 1h; warned at 2026-03-02T08:45:00Z, to be reclaimed in 1h");
  }

  @Test
  void sparesThePod_whenItIsGone() {
    world.wire.before(GET, this::remove);

    assertSpared("the pod is gone or was replaced");
  }

  @Test
  void sparesItsSuccessor_whenItWasReplaced() {
    world.wire.before(
        GET,
        () -> {
          remove();
          world.cluster.submit(PodSpec.bare(SmallCluster.NAMESPACE, "train-0", 1));
          world.cluster.tick();
        });

    assertSpared("the pod is gone or was replaced");
  }

  @Test
  void sparesThePod_whenItGoesAfterTheSecondLook() {
    world.wire.before(EVICT, this::remove);

    world.cycle();

    assertThat(world.replica.takeDeeds()).endsWith("evict train-0: spared: the pod is gone");
  }

  @Test
  void sparesItsSuccessor_whenItIsReplacedAfterTheSecondLook() {
    world.wire.before(
        EVICT,
        () -> {
          remove();
          world.cluster.submit(PodSpec.bare(SmallCluster.NAMESPACE, "train-0", 1));
          world.cluster.tick();
        });

    world.cycle();

    assertThat(world.cluster.view().pods()).singleElement().matches(pod -> !pod.terminating());
    assertThat(world.replica.takeDeeds())
        .last()
        .asString()
        .startsWith("evict train-0: spared: the pod changed in the last moment: ")
        .contains("UID");
  }

  @Test
  void sparesThePod_whenAnythingOfItChangesAfterTheSecondLook() {
    world.wire.before(EVICT, () -> world.annotate(pod, "team", "vision"));

    assertSparedWith("the pod changed in the last moment: Precondition failed: ResourceVersion");
  }

  @Test
  void writesNothing_whenTheLeaseIsLostBeforeTheAct() {
    world.wire.before(GET, () -> world.replica.leadership().loseTo("replica-2"));

    world.cycle();

    assertThat(world.isEvicted(pod)).isFalse();
    assertThat(world.wire.takeCalls()).containsExactly(GET);
    assertThat(world.replica.takeDeeds())
        .endsWith("evict train-0: left to the leader, which is another replica now");
  }

  @Test
  void writesNothing_whenTheLeaseIsLostAfterTheSecondLook() {
    world.agents.beforeSecondLook(() -> world.replica.leadership().loseTo("replica-2"));

    world.cycle();

    assertThat(world.isEvicted(pod)).isFalse();
    assertThat(world.wire.takeCalls()).containsExactly(GET);
  }

  @Test
  void sparesThePod_whenTheProcessStoodStillAfterTheSecondLook_andHoldsTheLeaseAllTheSame() {
    CycleReport looked = world.replica.cycle().plan();

    CycleReport acted =
        world
            .replica
            .cycle()
            .act(
                looked,
                new StepListener() {
                  @Override
                  public void onRecheck(Recheck recheck) {
                    world.agents.work(pod);
                    world.pass(Duration.ofMinutes(5));
                  }

                  @Override
                  public void onResult(StepResult result) {}
                });

    assertThat(world.wire.takeCalls()).doesNotContain(EVICT);
    assertThat(world.isEvicted(pod)).isFalse();
    assertThat(acted.results())
        .singleElement()
        .extracting(StepResult::result)
        .isEqualTo(new ActionResult.Skipped("its recheck is too old"));
  }

  @Test
  void checksNothing_whenTheLeaseIsLostBeforeThePlanIsExecuted() {
    PodRef second = world.pod("train-1");
    world.pass(SmallCluster.UNTIL_WARNED);
    // The warning of the second pod comes first in the plan, and the lease is lost with it.
    world.wire.before(
        ApiInterceptor.InterceptedCall.REPORTS,
        () -> world.replica.leadership().loseTo("replica-2"));
    world.wire.takeCalls();

    world.cycle();

    assertThat(world.wire.takeCalls()).containsExactly(ApiInterceptor.InterceptedCall.REPORTS);
    assertThat(world.notes(second)).isEmpty();
    assertThat(world.isEvicted(pod)).isFalse();
    assertThat(world.replica.takeDeeds())
        .endsWith(
            "warn train-1: left to the leader, which is another replica now",
            "evict train-0: left to the leader, which is another replica now");
  }

  @Test
  void looksAgainInTheNextCycles_andEvicts_whenTheDoubtIsGone() {
    world.agents.hideUtilization(pod);
    world.cycle();
    world.agents.showUtilization(pod);

    world.pass(Duration.ofSeconds(30));
    world.cycle();

    assertThat(world.isEvicted(pod)).isTrue();
  }

  private void remove() {
    world.cluster.delete(pod);
    world.clock.advance(Duration.ofSeconds(30));
    world.cluster.tick();
  }

  private void assertSpared(String why) {
    world.cycle();

    assertThat(world.wire.takeCalls()).doesNotContain(EVICT);
    assertThat(world.isEvicted(pod) && world.cluster.fresh(pod).isPresent()).isFalse();
    assertThat(world.replica.takeDeeds()).last().isEqualTo("evict train-0: spared: " + why);
  }

  private void assertSparedWith(String beginning) {
    world.cycle();

    assertThat(world.isEvicted(pod)).isFalse();
    assertThat(world.replica.takeDeeds())
        .last()
        .asString()
        .startsWith("evict train-0: spared: " + beginning);
  }
}
