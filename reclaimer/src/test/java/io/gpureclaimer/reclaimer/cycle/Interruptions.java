package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Two replicas in one world. The one that leads is interrupted once, around one of its calls to the
 * API server.
 */
final class Interruptions {
  static final Duration CYCLE = Duration.ofMinutes(1);

  private final SmallCluster world;
  private final UnaryOperator<InMemoryReplica> watched;
  private final List<InMemoryReplica> replicas = new ArrayList<>();
  private int calls;
  private int interruptions;

  /** The process is gone at once. */
  private static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * @param watched what is done with each replica before it begins
   */
  Interruptions(SmallCluster world, UnaryOperator<InMemoryReplica> watched) {
    this.world = world;
    this.watched = watched;
    replicas.add(watched.apply(world.replica));
    replicas.add(watched.apply(InMemoryReplica.following("replica-2", world)));
  }

  /** What happens, and when: around the call of this number. */
  record Interruption<K>(K kind, int call, boolean before) {}

  /** Each kind before and after each call. */
  static <K> Stream<Interruption<K>> around(K[] kinds, int calls) {
    return Arrays.stream(kinds)
        .flatMap(
            kind ->
                IntStream.range(0, calls)
                    .boxed()
                    .flatMap(
                        call ->
                            Stream.of(true, false)
                                .map(before -> new Interruption<>(kind, call, before))));
  }

  /**
   * Counts the calls up to the one of the interruption, or all of them.
   *
   * @param afterCall runs after each call that is counted
   * @param event interrupts
   */
  void prepare(Optional<? extends Interruption<?>> when, Runnable afterCall, Runnable event) {
    if (when.isEmpty() || when.get().call() > calls) {
      world.wire.afterAnything(
          () -> {
            calls++;
            afterCall.run();
            prepare(when, afterCall, event);
          });
      return;
    }
    Runnable interruption =
        () -> {
          interruptions++;
          event.run();
        };
    if (when.get().before()) {
      world.wire.beforeAnything(interruption);
    } else {
      world.wire.afterAnything(interruption);
    }
  }

  /** How many calls there were before the interruption. */
  int calls() {
    return calls;
  }

  /** How often the replica was interrupted. */
  int count() {
    return interruptions;
  }

  /** The other replica gets the lease. */
  void handOver() {
    world.replica.leadership().loseTo("replica-2");
    replicas.getLast().leadership().win();
  }

  /** The process dies, and another one starts and gets the lease. */
  void crash() {
    replicas.remove(world.replica);
    replicas.addFirst(watched.apply(InMemoryReplica.leading("replica-3", world)));
    throw new Crash();
  }

  /** The API server cannot be reached for this call; if it was made already, it was heard. */
  static ClusterUnreachable cutOff() {
    return new ClusterUnreachable("any call", "the wire is cut");
  }

  /** The other replica runs a whole cycle, because both believe that they lead. */
  void splitBrain() {
    replicas.getLast().leadership().win();
    var _ = replicas.getLast().run();
    replicas.getLast().leadership().loseTo("replica-1");
  }

  /** One cycle of each replica, as the job runs it. */
  void runAll(Runnable afterEach) {
    for (InMemoryReplica replica : List.copyOf(replicas)) {
      try {
        var _ = replica.run();
      } catch (ClusterUnreachable _) {
        // The job tries again in the next cycle.
      } catch (Crash _) {
        // The process is gone.
      }
      afterEach.run();
    }
    world.pass(CYCLE);
  }
}
