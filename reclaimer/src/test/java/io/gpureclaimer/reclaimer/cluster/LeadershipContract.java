package io.gpureclaimer.reclaimer.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What every {@link Leadership} promises, seen from one of several replicas. */
public abstract class LeadershipContract {

  protected abstract Leadership leadership();

  /** The name of the replica that asks. */
  protected abstract String identity();

  /** The replica wins the lease. */
  protected abstract void win();

  /** The replica, which had the lease, loses it to another one. */
  protected abstract void loseTo(String other);

  @Test
  void isNotHeldAtFirst_andHasNoKnownHolder() {
    assertThat(leadership().isHeld()).isFalse();
    assertThat(leadership().holder()).isEmpty();
  }

  @Test
  void isHeld_whenWon() {
    win();

    assertThat(leadership().isHeld()).isTrue();
    assertThat(leadership().holder()).isEqualTo(identity());
  }

  @Test
  void isNotHeld_whenLostToAnother() {
    win();
    loseTo("another");

    assertThat(leadership().isHeld()).isFalse();
    assertThat(leadership().holder()).isEqualTo("another");
  }
}
