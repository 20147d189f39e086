package io.gpureclaimer.exporter.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What is true of a node at one moment.
 *
 * @param gpus by their number
 * @param driver whether there is one that answers
 * @param kubelet how it is
 * @param counters what the counters file is like
 */
record World(List<Card> gpus, Driver driver, Kubelet kubelet, Counters counters) {

  World {
    gpus = List.copyOf(gpus);
  }

  enum Driver {
    LOADED,
    UNLOADED,
    /** Let go by the agent, on request. */
    RELEASED,
    /** There is no agent to answer. */
    UNWATCHED
  }

  enum Kubelet {
    ANSWERS,
    GONE,
    HANGS,
    REFUSES
  }

  enum Counters {
    WITH_POWER,
    WITHOUT_POWER,
    /** Not to be understood; what was in force before stays so. */
    BROKEN
  }

  enum Fault {
    NONE,
    /** It has fallen off the bus. */
    LOST,
    /** Every call about it fails for a reason that nobody knows. */
    SICK,
    /** A call about it does not return. */
    HANGS,
    /** It has been taken out of the node; those behind it move up. */
    REMOVED,
    NO_UTILIZATION,
    NO_POWER;

    boolean answers() {
      return this == NONE || this == NO_UTILIZATION || this == NO_POWER;
    }
  }

  /**
   * A GPU.
   *
   * @param milliwatts a value that it never had before
   * @param percent of the time in which it works; 0 or 100
   * @param pods that hold it
   */
  record Card(int milliwatts, int percent, Fault fault, Set<String> pods) {
    Card {
      pods = Set.copyOf(pods);
    }

    Card working(int milliwatts, int percent) {
      return new Card(milliwatts, percent, fault, pods);
    }

    Card with(Fault fault) {
      return new Card(milliwatts, percent, fault, pods);
    }

    Card heldBy(Set<String> pods) {
      return new Card(milliwatts, percent, fault, pods);
    }
  }

  World with(int gpu, Card card) {
    var all = new ArrayList<>(gpus);
    all.set(gpu, card);
    return new World(all, driver, kubelet, counters);
  }

  World with(Driver driver) {
    return new World(gpus, driver, kubelet, counters);
  }

  World with(Kubelet kubelet) {
    return new World(gpus, driver, kubelet, counters);
  }

  World with(Counters counters) {
    return new World(gpus, driver, kubelet, counters);
  }

  /** Whether it answers every question. */
  boolean answers(int gpu) {
    return driver == Driver.LOADED && gpus.get(gpu).fault().answers();
  }

  /** Whether it answers some: a question may have come before the one that hangs. */
  boolean mayAnswer(int gpu) {
    return answers(gpu) || (driver == Driver.LOADED && gpus.get(gpu).fault() == Fault.HANGS);
  }

  /** Whether pods hold it that got it when GPUs were shared, which they are no more. */
  boolean isShared(int gpu) {
    return gpus.get(gpu).pods().size() > 1;
  }

  /** Whether a call does not return. */
  boolean hangs() {
    return gpus.stream().anyMatch(card -> card.fault() == Fault.HANGS);
  }

  boolean tellsPower(int gpu) {
    return answers(gpu) && gpus.get(gpu).fault() != Fault.NO_POWER;
  }

  boolean tellsUtilization(int gpu) {
    return answers(gpu) && gpus.get(gpu).fault() != Fault.NO_UTILIZATION;
  }

  boolean mayTellUtilization(int gpu) {
    return mayAnswer(gpu) && gpus.get(gpu).fault() != Fault.NO_UTILIZATION;
  }

  boolean has(int gpu) {
    return gpus.get(gpu).fault() != Fault.REMOVED;
  }

  boolean holds(String pod, int gpu) {
    return gpus.get(gpu).pods().contains(pod);
  }

  /** Whether that pod, and no other, holds the GPU. */
  boolean holdsAlone(String pod, int gpu) {
    return gpus.get(gpu).pods().equals(Set.of(pod));
  }

  long devicesOf(String pod) {
    return gpus.stream().filter(card -> card.pods().contains(pod)).count();
  }
}
