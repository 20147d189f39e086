package io.gpureclaimer.reclaimer.cycle;

import static io.gpureclaimer.reclaimer.cycle.ApiInterceptor.InterceptedCall.ANNOTATE;
import static io.gpureclaimer.reclaimer.cycle.ApiInterceptor.InterceptedCall.REPORTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.PodRef;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** No grace without a warning that reached everybody who must have it. */
class DeliveryTest {
  private final SmallCluster world = SmallCluster.in("always");

  @Test
  void writesNothing_whenAReceiverDoesNotTakeTheWarning() {
    PodRef pod = world.pod("train-0");
    world.messenger.refuse("receiver platform did not take it: it answered 500");
    world.pass(SmallCluster.UNTIL_WARNED);

    world.cycle();

    assertThat(world.replica.takeDeeds())
        .containsExactly(
            "warn train-0: failed: the warning was not delivered: receiver platform did not take"
                + " it: it answered 500");
    assertThat(world.wire.takeCalls()).isEmpty();
    assertThat(world.notes(pod)).isEmpty();
    assertThat(world.reported(pod)).isEmpty();
  }

  @Test
  void neverActs_whileTheWarningIsNotDelivered() {
    PodRef pod = world.pod("train-0");
    world.messenger.refuse("down");
    for (int minute = 0; minute < 240; minute++) {
      world.pass(Duration.ofMinutes(1));
      world.cycle();
    }

    assertThat(world.isEvicted(pod)).isFalse();
    assertThat(world.notes(pod)).isEmpty();
  }

  @Test
  void startsTheGraceWhenItIsDelivered_andNotBefore() {
    PodRef pod = world.pod("train-0");
    world.messenger.refuse("down");
    world.pass(SmallCluster.UNTIL_WARNED);
    world.cycle();
    world.messenger.takeAgain();
    world.pass(Duration.ofMinutes(1));
    world.cycle();

    assertThat(world.wire.takeCalls()).containsExactly(REPORTS, ANNOTATE);
    assertThat(world.notes(pod))
        .containsEntry("warned-at", "2026-03-02T08:46:00Z")
        .containsEntry("act-not-before", "2026-03-02T09:01:00Z");

    world.pass(SmallCluster.GRACE.minusSeconds(1));
    world.cycle();
    assertThat(world.isEvicted(pod)).isFalse();

    world.pass(Duration.ofSeconds(1));
    world.cycle();
    assertThat(world.isEvicted(pod)).isTrue();
  }

  @Test
  void reportsAWithdrawalAndAnEviction() {
    PodRef pod = world.warnedPod("train-0");
    assertThat(world.messenger.take()).containsExactly("GPUIdleWarned train-0");

    world.agents.work(pod);
    world.cycle();
    assertThat(world.messenger.take()).containsExactly("GPUIdleWarningWithdrawn train-0");

    world.duePod("train-1");
    world.messenger.take();
    world.cycle();
    assertThat(world.messenger.take()).containsExactly("GPUReclaimed train-1");
  }
}
