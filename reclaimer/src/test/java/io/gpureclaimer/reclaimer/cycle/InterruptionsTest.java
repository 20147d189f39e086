package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.StoredEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One pod that stays idle and one that works again after its warning, and the same story with an
 * interruption around each call to the API server: it must end the same.
 */
class InterruptionsTest {
  private static final Duration CYCLE = Duration.ofMinutes(1);
  private static final Pattern ACTION = Pattern.compile("action [0-9a-f-]{36}");
  private static final int CALLS_OF_THE_STORY = 9;

  private final World world = World.in("always");
  private final List<Replica> replicas =
      new ArrayList<>(
          List.of(watched(world.replica), watched(Replica.following("replica-2", world))));

  private final List<PodRef> evicted = new ArrayList<>();
  private int interruptions;
  private Instant whenGone = Instant.MIN;

  /** The process is gone at once. */
  private static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** What interrupts. */
  enum Kind {
    /** The other replica gets the lease. */
    HANDOVER,
    /** The process dies, and another one starts and gets the lease. */
    CRASH,
    /** The API server cannot be reached for this call; if it was made already, it was heard. */
    CUT_OFF,
    /** The other replica runs a whole cycle, for both believe that they lead. */
    SPLIT_BRAIN
  }

  /** When: around the call of this number. */
  record Interruption(Kind kind, int call, boolean before) {}

  static Stream<Interruption> everywhere() {
    return Stream.of(Kind.values())
        .flatMap(
            kind ->
                IntStream.range(0, CALLS_OF_THE_STORY)
                    .boxed()
                    .flatMap(
                        call ->
                            Stream.of(true, false)
                                .map(before -> new Interruption(kind, call, before))));
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void theStoryEndsTheSame(Interruption interruption) {
    PodRef idle = world.pod("idle");
    PodRef busyAgain = world.pod("busy-again");
    prepare(interruption.call(), interruption, world.replica);

    live(World.UNTIL_WARNED.plusMinutes(5));
    world.agents.work(busyAgain);
    live(Duration.ofMinutes(40));

    assertThat(world.isEvicted(idle)).isTrue();
    assertThat(evicted).containsExactly(idle);
    assertThat(timesExplained(idle)).isLessThanOrEqualTo(1);
    assertThat(actionsToldOf(idle)).as("action ids of one idle period").hasSize(1);
    assertThat(world.told(busyAgain)).doesNotContain("GPUReclaimed");
    assertThat(world.isEvicted(busyAgain)).isFalse();
    assertThat(world.notes(busyAgain)).isEmpty();
    assertThat(Duration.between(lastWarningOf(idle), whenGone)).isGreaterThanOrEqualTo(World.GRACE);
    assertThat(warningsOf(idle)).isBetween(1L, 2L);
    assertThat(interruptions).isEqualTo(1);
  }

  /** Counts down to the call, then interrupts around it. */
  private void prepare(int calls, Interruption interruption, Replica replica) {
    if (calls > 0) {
      replica.wire().afterAnything(() -> prepare(calls - 1, interruption, replica));
    } else if (interruption.before()) {
      replica.wire().beforeAnything(() -> interrupt(interruption.kind(), replica));
    } else {
      replica.wire().afterAnything(() -> interrupt(interruption.kind(), replica));
    }
  }

  private void interrupt(Kind kind, Replica replica) {
    interruptions++;
    switch (kind) {
      case HANDOVER -> {
        replica.leadership().loseTo("replica-2");
        replicas.getLast().leadership().win();
      }
      case CRASH -> {
        replicas.remove(replica);
        replicas.addFirst(watched(Replica.leading("replica-3", world)));
        throw new Crash();
      }
      case CUT_OFF -> throw new ClusterUnreachable("any call", "the wire is cut");
      case SPLIT_BRAIN -> {
        replicas.getLast().leadership().win();
        var _ = replicas.getLast().run();
        replicas.getLast().leadership().loseTo("replica-1");
      }
    }
  }

  private void live(Duration time) {
    for (Duration left = time; left.isPositive(); left = left.minus(CYCLE)) {
      for (Replica replica : List.copyOf(replicas)) {
        runAsTheJobDoes(replica);
      }
      world.pass(CYCLE);
    }
  }

  private Replica watched(Replica replica) {
    replica
        .wire()
        .onEviction(
            pod -> {
              evicted.add(pod);
              whenGone = world.clock.instant();
            });
    return replica;
  }

  private static void runAsTheJobDoes(Replica replica) {
    try {
      var _ = replica.run();
    } catch (ClusterUnreachable _) {
      // The job tries again in the next cycle.
    } catch (Crash _) {
      // Nobody is left to do anything.
    }
  }

  private long timesExplained(PodRef pod) {
    return world.told(pod).stream().filter("GPUReclaimed"::equals).count();
  }

  /** Under which names people were told of the warning and of the eviction. */
  private Set<String> actionsToldOf(PodRef pod) {
    return world.cluster.events().stream()
        .filter(event -> event.pod().equals(pod))
        .map(event -> ACTION.matcher(event.notice().message()))
        .filter(Matcher::find)
        .map(Matcher::group)
        .collect(Collectors.toSet());
  }

  private long warningsOf(PodRef pod) {
    return world.told(pod).stream().filter("GPUIdleWarned"::equals).count();
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
