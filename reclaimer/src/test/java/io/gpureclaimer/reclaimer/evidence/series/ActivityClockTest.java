package io.gpureclaimer.reclaimer.evidence.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.evidence.series.ActivityClockStore.ActivityClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ActivityClockTest {
  private static final Duration GAP = Duration.ofMinutes(2);
  private static final Instant START = Instant.parse("2026-11-22T06:00:00Z");

  @Test
  void startsNow_whenTheDeviceWasNotKnown() {
    assertThat(next(Optional.empty(), 0, false))
        .isEqualTo(new ActivityClock(START, START, Optional.empty()));
  }

  @Test
  void goesOn_whileSamplesFollowEachOther() {
    ActivityClock first = next(Optional.empty(), 0, true);
    ActivityClock second = next(Optional.of(first), 60, false);

    assertThat(next(Optional.of(second), 180, false))
        .isEqualTo(new ActivityClock(START, at(180), Optional.of(START)));
  }

  @Test
  void startsAgain_afterAGap() {
    ActivityClock first = next(Optional.empty(), 0, true);

    assertThat(next(Optional.of(first), 121, false))
        .isEqualTo(new ActivityClock(at(121), at(121), Optional.empty()));
  }

  @Test
  void startsAgain_whenASampleIsOlderThanTheLast() {
    ActivityClock first = next(Optional.empty(), 60, false);

    assertThat(next(Optional.of(first), 30, false).observedSince()).isEqualTo(at(30));
  }

  @Test
  void standsStill_whenTheSampleIsTheOldOne() {
    ActivityClock first = next(Optional.empty(), 0, false);

    assertThat(next(Optional.of(first), 0, false)).isEqualTo(first);
  }

  @Test
  void startsAgain_whenTheSamplesInBetweenAreNotKnown() {
    ActivityClock first = next(Optional.empty(), 0, false);

    ActivityClock later = ActivityClock.next(Optional.of(first), at(100), false, at(10), GAP);

    assertThat(later.observedSince()).isEqualTo(at(100));
  }

  /** However samples are lost and looks delayed, no work within the idle time goes unseen. */
  @Property
  void neverHidesWork(@ForAll Random random) {
    List<Long> taken = new ArrayList<>();
    List<Boolean> busy = new ArrayList<>();
    for (long t = 0; t < 3_600; t += 15) {
      if (random.nextInt(10) < 6) {
        taken.add(t);
        busy.add(random.nextInt(20) == 0);
      }
    }
    Optional<ActivityClock> clock = Optional.empty();
    for (long look = 60; look < 3_600; look += 20 + random.nextInt(100)) {
      Optional<Long> newest = Optional.empty();
      boolean active = false;
      for (int i = 0; i < taken.size(); i++) {
        if (taken.get(i) <= look && taken.get(i) >= look - 120) {
          newest = Optional.of(taken.get(i));
          active |= busy.get(i);
        }
      }
      if (newest.isPresent()) {
        clock =
            Optional.of(ActivityClock.next(clock, at(newest.get()), active, at(look - 120), GAP));
        assertNothingHidden(clock.get(), taken, busy);
      }
    }
  }

  private static void assertNothingHidden(
      ActivityClock clock, List<Long> taken, List<Boolean> busy) {
    Instant idleSince = clock.lastActive().orElse(clock.observedSince());
    for (int i = 0; i < taken.size(); i++) {
      if (busy.get(i)) {
        Instant work = at(taken.get(i));
        assertThat(work.isAfter(idleSince) && work.isBefore(clock.observedUntil())).isFalse();
      }
    }
  }

  private static ActivityClock next(Optional<ActivityClock> before, long seconds, boolean active) {
    return ActivityClock.next(before, at(seconds), active, at(seconds).minus(GAP), GAP);
  }

  private static Instant at(long seconds) {
    return START.plusSeconds(seconds);
  }
}
