package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;

/**
 * Whatever happens to owners, their records and the reclaimer: an owner holds what people wrote, or
 * the value of an action that one record can undo; and at the end what people wrote.
 */
class OwnersPropertyTest {

  /** How long one seed after the other is run at night. */
  private static final Duration NIGHT = Duration.ofMinutes(Long.getLong("kills.minutes", 10));

  /** A try takes as long as fifty of other properties. */
  @Property(tries = 40)
  void noOwnerIsStoppedWithoutAWayBack(@ForAll long seed) {
    var _ = new RandomOwnersRun(seed).live();
  }

  /** Another night begins with {@code -Dkills.seed}, and lasts {@code -Dkills.minutes}. */
  @Example
  @Tag("nightly")
  void noOwnerIsStoppedWithoutAWayBack_inANightOfKills() {
    Clock clock = Clock.systemUTC();
    Instant end = clock.instant().plus(NIGHT);
    var total = new EventTally();
    for (long seed = Long.getLong("kills.seed", 0); clock.instant().isBefore(end); seed++) {
      try {
        total.add(new RandomOwnersRun(seed).live());
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("with seed " + seed + ", after " + total, e);
      }
    }
    System.out.println(total);
    // It is no proof of anything unless all of it happened.
    assertThat(total.counts()).allSatisfy((_, count) -> assertThat(count).isPositive());
  }
}
