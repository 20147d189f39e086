package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.audit.Eviction;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a replica remembers of the pods that it evicted. */
class RecentEvictionsTest {
  private final World world = World.in("always");
  private Instant evictedAt = Instant.EPOCH;

  @BeforeEach
  void evictANotebook() {
    world.pod("notebook");
    world.pass(World.UNTIL_WARNED);
    world.cycle();
    world.pass(Duration.ofMinutes(20));
    assertThat(world.cycle().results()).hasSize(1);
    evictedAt = world.clock.instant();
    world.pass(Duration.ofMinutes(10));
  }

  @Test
  void isReportedFromTheNextCycleOn_forAWeek() {
    assertThat(world.cycle().evictions())
        .singleElement()
        .satisfies(
            eviction -> {
              assertThat(eviction.act().workload().name()).isEqualTo("notebook");
              assertThat(eviction.at()).isEqualTo(evictedAt);
              assertThat(eviction.recreatedAt()).isEmpty();
            });

    world.pass(Duration.ofDays(7).minus(Duration.ofMinutes(11)));
    assertThat(world.cycle().evictions()).hasSize(1);

    world.pass(Duration.ofMinutes(1));
    assertThat(world.cycle().evictions()).isEmpty();
  }

  @Test
  void isRegretted_whenThePodIsCreatedAgain() {
    world.pod("notebook");
    CycleReport report = world.cycle();

    assertThat(report.evictions())
        .extracting(Eviction::recreatedAt)
        .first()
        .isEqualTo(Optional.of(world.clock.instant()));
  }

  /** The first pod of the name came back after hours, which is no regret. */
  @Test
  void isRegretted_onlyOfTheLastEvictionOfAName() {
    world.pass(Duration.ofHours(3));
    world.pod("notebook");
    while (!world.cluster.look().pods().isEmpty()) {
      world.pass(Duration.ofMinutes(5));
      world.cycle();
    }
    world.pod("notebook");
    world.pass(Duration.ofMinutes(1));

    assertThat(world.cycle().evictions())
        .extracting(eviction -> eviction.recreatedAt().isPresent())
        .containsExactly(true, false);
  }

  @Test
  void isOfNoOtherPod() {
    world.pod("other");

    assertThat(world.cycle().evictions())
        .singleElement()
        .satisfies(eviction -> assertThat(eviction.recreatedAt()).isEmpty());
  }

  /** A reader of other namespaces learns nothing of it. */
  @Test
  void isLeftOutOfOtherNamespaces() {
    CycleReport report = world.cycle();

    assertThat(report.namespaces()).contains(World.NAMESPACE);
    assertThat(report.in(World.NAMESPACE::equals).evictions()).hasSize(1);
    assertThat(report.in("ml"::equals).evictions()).isEmpty();
  }
}
