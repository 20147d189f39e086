package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec.OwnerType;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A GitOps tool that cannot be recognized writes the replicas of a Deployment back after each
 * action.
 */
class ContestedOwnersTest {
  private static final String REPLICAS = "/spec/replicas";
  private static final OwnerSpec WEB = new OwnerSpec(OwnerType.DEPLOYMENT, "web");
  private static final Duration CYCLE = Duration.ofMinutes(5);

  private final SmallCluster world = SmallCluster.in("always");
  private InMemoryReplica leader = world.replica;

  @BeforeEach
  void setUp() {
    world.pod("web-a", 1, pod -> pod.ownedBy(OwnerSpec.ofDeployment("web", "5d4f")));
  }

  /** Argo CD heals at once the first time, and after 2, 6 and 18 seconds the next times. */
  @ParameterizedTest(name = "after {0} s")
  @ValueSource(ints = {0, 2, 6, 18})
  void isContested_whenTheFieldIsWrittenBack(int seconds) {
    run(Duration.ofHours(2), Duration.ofSeconds(seconds));

    assertThat(tries())
        .extracting(ReclamationProgress::state)
        .containsExactly(ReclamationState.CONTESTED);
    assertThat(replicas()).contains("1");
    assertThat(world.cluster.holders()).hasSize(1);
    assertThat(world.cluster.events())
        .filteredOn(event -> event.notice().reason().equals("GPUReclamationContested"))
        .extracting(event -> event.object().kind())
        .containsExactlyInAnyOrder("Deployment", "Reclamation");
    assertThat(world.cluster.view().owners().values())
        .filteredOn(owner -> owner.owner().name().equals("web"))
        .allSatisfy(
            owner ->
                assertThat(owner.details().orElseThrow().field("/spec/replicas")).contains("1"));
  }

  @Test
  void isTriedFiveTimesADay_withAPauseThatDoubles() {
    run(Duration.ofHours(24), Duration.ofSeconds(2));

    assertThat(pauses()).hasSize(4);
    for (int i = 0; i < 4; i++) {
      Duration least = Duration.ofHours(1L << i);
      assertThat(pauses().get(i)).isBetween(least, least.plus(Duration.ofMinutes(30)));
    }
    assertThat(replicas()).contains("1");
  }

  @Test
  void isTriedOnceADay_afterTheFirstDays() {
    run(Duration.ofDays(4), Duration.ZERO);

    List<Duration> later = pauses().subList(5, pauses().size());
    assertThat(later).isNotEmpty().allMatch(pause -> pause.compareTo(Duration.ofHours(24)) >= 0);
    assertThat(later).allMatch(pause -> pause.compareTo(Duration.ofHours(25)) < 0);
  }

  /** Contests of a week are enough for the longest pause. */
  @Test
  void isTriedOnceADay_whenTheFirstRecordsAreDeleted() {
    run(Duration.ofDays(10), Duration.ZERO);

    assertThat(records()).hasSizeLessThan(9);
    assertThat(pauses()).allMatch(pause -> pause.compareTo(Duration.ofHours(24)) >= 0);
  }

  @Test
  void keepsThePause_whenAnotherLeaderTakesOver() {
    run(Duration.ofHours(5), Duration.ofSeconds(6));
    int tries = records().size();
    Instant last = ends().getLast();

    leader = InMemoryReplica.leading("replica-2", world);
    run(Duration.between(world.clock.instant(), last.plus(Duration.ofHours(4))), Duration.ZERO);
    assertThat(records()).hasSize(tries);

    run(Duration.ofMinutes(30), Duration.ZERO);
    assertThat(records()).hasSize(tries + 1);
  }

  @Test
  void leavesARestoredOwnerAloneForAnHourOnly_whenItWasContestedBefore() {
    run(Duration.ofHours(5), Duration.ofSeconds(6));
    int tries = records().size();
    run(Duration.ofHours(5), Duration.ofDays(1));
    assertThat(records()).hasSize(tries + 1);

    world.cluster.requestRestore(SmallCluster.NAMESPACE, open().name());
    leader.run();
    // The hour is over before the idle limit, which is two hours after a restoration.
    run(Duration.ofMinutes(150), Duration.ofDays(1));

    assertThat(records()).hasSize(tries + 2);
  }

  /** Cycles for a while; what an action wrote is written back after a delay. */
  private void run(Duration time, Duration delay) {
    Instant end = world.clock.instant().plus(time);
    while (world.clock.instant().isBefore(end)) {
      leader.run();
      if (replicas().equals(Optional.of("0")) && delay.compareTo(CYCLE) < 0) {
        world.pass(delay);
        world.cluster.writeOwnerField(SmallCluster.NAMESPACE, WEB, REPLICAS, Optional.of("1"));
      }
      world.pass(CYCLE);
    }
  }

  private Optional<String> replicas() {
    return world.cluster.ownerField(SmallCluster.NAMESPACE, WEB, REPLICAS);
  }

  private List<Reclamation> records() {
    return world.cluster.view().reclamations().orElseThrow();
  }

  private Reclamation open() {
    return records().stream()
        .filter(record -> !record.status().orElseThrow().state().isFinal())
        .findFirst()
        .orElseThrow();
  }

  private List<ReclamationProgress> tries() {
    return records().stream()
        .map(record -> record.status().orElseThrow())
        .sorted(Comparator.comparing(progress -> progress.times().recordedAt()))
        .toList();
  }

  private List<Instant> ends() {
    return tries().stream().flatMap(progress -> progress.times().endedAt().stream()).toList();
  }

  /** The times from the end of each try to the beginning of the next one. */
  private List<Duration> pauses() {
    List<ReclamationProgress> tries = tries();
    return IntStream.range(1, tries.size())
        .mapToObj(
            i ->
                Duration.between(
                    tries.get(i - 1).times().endedAt().orElseThrow(),
                    tries.get(i).times().recordedAt()))
        .toList();
  }
}
