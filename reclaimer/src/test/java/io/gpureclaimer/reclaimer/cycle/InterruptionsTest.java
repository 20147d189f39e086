package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.StoredEvent;
import io.gpureclaimer.reclaimer.cycle.Interruptions.Interruption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One pod that stays idle and one that works again after its warning, and the same story with an
 * interruption around each call to the API server: it must end the same.
 */
class InterruptionsTest {
  private static final Pattern ACTION = Pattern.compile("action [0-9a-f-]{36}");
  private static final int CALLS_OF_THE_STORY = 9;

  private final SmallCluster world = SmallCluster.in("always");
  private final List<PodRef> evicted = new ArrayList<>();
  private final Interruptions interruptions = new Interruptions(world, this::watched);
  private Instant whenGone = Instant.MIN;

  /** What interrupts. */
  enum InterruptionKind {
    HANDOVER,
    CRASH,
    CUT_OFF,
    SPLIT_BRAIN
  }

  static Stream<Interruption<InterruptionKind>> everywhere() {
    return Interruptions.around(InterruptionKind.values(), CALLS_OF_THE_STORY);
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void theStoryEndsTheSame(Interruption<InterruptionKind> interruption) {
    PodRef idle = world.pod("idle");
    PodRef busyAgain = world.pod("busy-again");
    interruptions.prepare(
        Optional.of(interruption), () -> {}, () -> interrupt(interruption.kind()));

    live(SmallCluster.UNTIL_WARNED.plusMinutes(5));
    world.agents.work(busyAgain);
    live(Duration.ofMinutes(40));

    assertThat(world.isEvicted(idle)).isTrue();
    assertThat(evicted).containsExactly(idle);
    assertThat(timesExplained(idle)).isLessThanOrEqualTo(1);
    assertThat(reportedActions(idle)).as("action ids of one idle period").hasSize(1);
    assertThat(world.reported(busyAgain)).doesNotContain("GPUReclaimed");
    assertThat(world.isEvicted(busyAgain)).isFalse();
    assertThat(world.notes(busyAgain)).isEmpty();
    assertThat(Duration.between(lastWarningOf(idle), whenGone))
        .isGreaterThanOrEqualTo(SmallCluster.GRACE);
    assertThat(warningsOf(idle)).isBetween(1L, 2L);
    assertThat(interruptions.count()).isEqualTo(1);
  }

  private void interrupt(InterruptionKind kind) {
    switch (kind) {
      case HANDOVER -> interruptions.handOver();
      case CRASH -> interruptions.crash();
      case CUT_OFF -> throw Interruptions.cutOff();
      case SPLIT_BRAIN -> interruptions.splitBrain();
    }
  }

  private void live(Duration time) {
    for (Duration left = time; left.isPositive(); left = left.minus(Interruptions.CYCLE)) {
      interruptions.runAll(() -> {});
    }
  }

  private InMemoryReplica watched(InMemoryReplica replica) {
    replica
        .wire()
        .onEviction(
            pod -> {
              evicted.add(pod);
              whenGone = world.clock.instant();
            });
    return replica;
  }

  private long timesExplained(PodRef pod) {
    return world.reported(pod).stream().filter("GPUReclaimed"::equals).count();
  }

  /** Names in the messages about the warning and the eviction. */
  private Set<String> reportedActions(PodRef pod) {
    return world.cluster.events().stream()
        .filter(event -> event.pod().equals(pod))
        .map(event -> ACTION.matcher(event.notice().message()))
        .filter(Matcher::find)
        .map(Matcher::group)
        .collect(Collectors.toSet());
  }

  private long warningsOf(PodRef pod) {
    return world.reported(pod).stream().filter("GPUIdleWarned"::equals).count();
  }

  private Instant lastWarningOf(PodRef pod) {
    return world.cluster.events().stream()
        .filter(event -> event.pod().equals(pod))
        .filter(event -> event.notice().reason().equals("GPUIdleWarned"))
        .map(StoredEvent::at)
        .reduce((_, later) -> later)
        .orElseThrow();
  }
}
