package io.gpureclaimer.reclaimer.cluster.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.LeadershipContract;
import org.junit.jupiter.api.Test;

class SimulatedLeadershipTest extends LeadershipContract {
  private final SimulatedLeadership leadership = SimulatedLeadership.undecided("me");

  @Override
  protected Leadership leadership() {
    return leadership;
  }

  @Override
  protected String identity() {
    return "me";
  }

  @Override
  protected void win() {
    leadership.win();
  }

  @Override
  protected void loseTo(String other) {
    leadership.loseTo(other);
  }

  @Test
  void isHeldFromTheStart_byTheOnlyReplica() {
    SimulatedLeadership alone = SimulatedLeadership.alone("me");

    assertThat(alone.isHeld()).isTrue();
    assertThat(alone.holder()).isEqualTo("me");
  }

  @Test
  void isNotLostToOneself() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SimulatedLeadership.alone("me").loseTo("me"))
        .withMessage("cannot lose the lease to oneself: me");
  }
}
