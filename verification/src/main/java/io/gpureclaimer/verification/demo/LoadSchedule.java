package io.gpureclaimer.verification.demo;

import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** What goes on while the demo stays: the same guests come and go every ten minutes. */
final class LoadSchedule {
  private static final Duration ROUND = Duration.ofMinutes(10);
  private static final Duration GRACE = Duration.ofSeconds(3);

  /** Eve forgets her notebook; what comes for a GPU then gets hers, and what comes later waits. */
  private static final List<PeriodicPod> GUESTS =
      List.of(
          new PeriodicPod("batch", "evaluate", 2, false, LoadPhase.steady(78, 11_000), 60, 300),
          new PeriodicPod("research", "notebook-eve", 1, true, worksFor(90), 30, 540),
          new PeriodicPod("batch", "index", 2, false, LoadPhase.steady(64, 9_000), 240, 530),
          new PeriodicPod(
              "research", "train-audio", 1, true, LoadPhase.steady(81, 52_000), 240, 480),
          new PeriodicPod("sandbox", "profile", 1, true, worksFor(45), 390, 580));

  private final BiFunction<PodSpec, LoadPhase, PodRef> submit;
  private final Consumer<PodRef> delete;
  private final Map<PeriodicPod, PodRef> here = new HashMap<>();

  LoadSchedule(BiFunction<PodSpec, LoadPhase, PodRef> submit, Consumer<PodRef> delete) {
    this.submit = submit;
    this.delete = delete;
  }

  private static LoadPhase worksFor(int seconds) {
    return LoadPhase.pause(70, 12_000, Duration.ofSeconds(seconds), ROUND);
  }

  /**
   * A pod that comes once in each round.
   *
   * @param big whether only a large GPU will do
   * @param comes in the round's second
   * @param goes in the round's second, unless evicted before
   */
  private record PeriodicPod(
      String namespace, String name, int gpus, boolean big, LoadPhase load, int comes, int goes) {

    boolean isThereAt(long second) {
      return second >= comes && second < goes;
    }

    /** Under a name of its own in each round, because it is not the same pod that comes back. */
    PodSpec pod(long round) {
      PodSpec pod = PodSpec.bare(namespace, name + "-" + round, gpus);
      return (big ? Scenario.onBigNode(pod) : pod).withGrace(GRACE);
    }
  }

  /** Whatever happens by itself until now. */
  void advance(Duration elapsed) {
    long round = elapsed.dividedBy(ROUND) + 1;
    long second = elapsed.toSeconds() % ROUND.toSeconds();
    for (PeriodicPod guest : GUESTS) {
      if (guest.isThereAt(second)) {
        here.computeIfAbsent(guest, g -> submit.apply(g.pod(round), g.load()));
      } else if (here.containsKey(guest)) {
        delete.accept(here.remove(guest));
      }
    }
  }

  /**
   * What a pod does with each of its GPUs.
   *
   * @param busyPercent utilization while it works
   * @param memoryMib what it keeps in the GPU's memory, working or not
   * @param pattern when it works
   */
  record LoadPhase(int busyPercent, int memoryMib, Pattern pattern) {

    /** When a pod works, by its age. */
    interface Pattern {
      boolean worksAt(Duration age);
    }

    static LoadPhase steady(int busyPercent, int memoryMib) {
      return new LoadPhase(busyPercent, memoryMib, _ -> true);
    }

    static LoadPhase none(int memoryMib) {
      return new LoadPhase(0, memoryMib, _ -> false);
    }

    /** Works for a few seconds again and again, like a user of a notebook. */
    static LoadPhase bursts(int busyPercent, int memoryMib, Duration every, Duration length) {
      return new LoadPhase(
          busyPercent, memoryMib, age -> age.toMillis() % every.toMillis() < length.toMillis());
    }

    /** Works, pauses once, and works on. */
    static LoadPhase pause(int busyPercent, int memoryMib, Duration from, Duration until) {
      return new LoadPhase(
          busyPercent, memoryMib, age -> age.compareTo(from) < 0 || age.compareTo(until) >= 0);
    }

    int percentAt(Duration age) {
      return pattern.worksAt(age) ? busyPercent : 0;
    }
  }
}
