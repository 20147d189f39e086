package io.gpureclaimer.reclaimer.cluster.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class SimulatedLeadershipTest {

  @Test
  void isHeldFromTheStart_byTheOnlyReplica() {
    SimulatedLeadership alone = SimulatedLeadership.alone("me");

    assertThat(alone.isHeld()).isTrue();
    assertThat(alone.holder()).isEqualTo("me");
  }

  @Test
  void isHeldOnlyBetweenWinningAndLosing() {
    SimulatedLeadership one = SimulatedLeadership.undecided("me");
    assertThat(one.isHeld()).isFalse();
    assertThat(one.holder()).isEmpty();

    one.win();
    assertThat(one.isHeld()).isTrue();

    one.loseTo("another");
    assertThat(one.isHeld()).isFalse();
    assertThat(one.holder()).isEqualTo("another");
  }

  @Test
  void isNotLostToOneself() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SimulatedLeadership.alone("me").loseTo("me"))
        .withMessage("cannot lose the lease to oneself: me");
  }
}
