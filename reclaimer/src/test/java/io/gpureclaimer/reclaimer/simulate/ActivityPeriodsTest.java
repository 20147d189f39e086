package io.gpureclaimer.reclaimer.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ActivityPeriodsTest {
  private static final ActivityPeriods TWO =
      new ActivityPeriods.PeriodsBuilder().add(10, 20, 0.5).add(40, 60, 1).build();

  @Test
  void aPeriodIncludesItsStartAndNotItsEnd() {
    assertThat(TWO.isActiveAt(9)).isFalse();
    assertThat(TWO.isActiveAt(10)).isTrue();
    assertThat(TWO.isActiveAt(19)).isTrue();
    assertThat(TWO.isActiveAt(20)).isFalse();
  }

  @Test
  void theLastActivityIsTheEndOfThePeriodBefore() {
    assertThat(TWO.lastActive(9)).isEmpty();
    assertThat(TWO.lastActive(15)).isEqualTo(OptionalInt.of(15));
    assertThat(TWO.lastActive(39)).isEqualTo(OptionalInt.of(20));
  }

  @Test
  void theNextActivityIsTheStartOfThePeriodAfter() {
    assertThat(TWO.nextActive(0)).isEqualTo(OptionalInt.of(10));
    assertThat(TWO.nextActive(15)).isEqualTo(OptionalInt.of(15));
    assertThat(TWO.nextActive(20)).isEqualTo(OptionalInt.of(40));
    assertThat(TWO.nextActive(60)).isEmpty();
  }

  @Test
  void sumsAndMeansCountOnlyWhatLiesWithin() {
    assertThat(TWO.seconds(15, 50)).isEqualTo(15);
    assertThat(TWO.meanLevel(0, 50)).isEqualTo((10 * 0.5 + 10) / 50);
    assertThat(TWO.highestLevel(0, 40)).isEqualTo(0.5);
    assertThat(TWO.highestLevel(20, 40)).isZero();
  }

  @Test
  void aDelayPushesLaterPeriods_onlyAsFarAsNecessary() {
    assertThat(TWO.delayed(0, 35))
        .isEqualTo(new ActivityPeriods.PeriodsBuilder().add(35, 45, 0.5).add(45, 65, 1).build());
    assertThat(TWO.delayed(0, 25))
        .isEqualTo(new ActivityPeriods.PeriodsBuilder().add(25, 35, 0.5).add(40, 60, 1).build());
  }

  @Test
  void adjacentPeriodsOfOneLevelAreOne() {
    assertThat(new ActivityPeriods.PeriodsBuilder().add(0, 5, 1).add(5, 9, 1).build())
        .isEqualTo(new ActivityPeriods.PeriodsBuilder().add(0, 9, 1).build());
  }

  @Test
  void refusesPeriodsThatOverlap() {
    var builder = new ActivityPeriods.PeriodsBuilder().add(0, 10, 1);

    assertThatThrownBy(() -> builder.add(9, 12, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected a period after 10");
  }
}
