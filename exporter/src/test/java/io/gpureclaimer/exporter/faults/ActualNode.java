package io.gpureclaimer.exporter.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What is true of a node at one moment.
 *
 * @param cards GPUs by their number, and behind them the parts that the last GPU can have
 * @param division which of these it has
 * @param driver whether there is one that answers
 * @param kubelet how it is
 * @param counters what the counters file is like
 */
record ActualNode(
    List<ActualGpu> cards,
    MigDivision division,
    DriverCondition driver,
    Kubelet kubelet,
    CountersCondition counters) {
  static final int GPUS = 4;

  /** The GPU that can be divided. */
  static final int DIVISIBLE = GPUS - 1;

  private static final int HALVES = 2;
  private static final int THIRDS = 3;

  ActualNode {
    cards = List.copyOf(cards);
  }

  enum MigDivision {
    WHOLE(0, 0),
    HALVES(0, ActualNode.HALVES),
    THIRDS(ActualNode.HALVES, ActualNode.THIRDS);

    /** Of all divisions. */
    static final int PARTS = ActualNode.HALVES + ActualNode.THIRDS;

    private final int first;
    private final int count;

    MigDivision(int first, int count) {
      this.first = first;
      this.count = count;
    }

    /** The numbers of its parts. */
    IntStream parts() {
      return IntStream.range(GPUS + first, GPUS + first + count);
    }
  }

  enum DriverCondition {
    LOADED,
    UNLOADED,
    /** There is no agent to answer. */
    UNWATCHED
  }

  enum Kubelet {
    ANSWERS,
    GONE,
    HANGS,
    REFUSES
  }

  enum CountersCondition {
    WITH_POWER,
    WITHOUT_POWER,
    /** Not to be understood; what was in force before stays so. */
    BROKEN
  }

  enum GpuCondition {
    NONE,
    /** It has fallen off the bus. */
    LOST,
    /** Every call about it fails for an unknown reason. */
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
   * A GPU, or a part of one, whose faults are those of its GPU.
   *
   * @param milliwatts a value that it never had before
   * @param percent of the time in which it works; 0 or 100
   * @param pods that hold it
   */
  record ActualGpu(int milliwatts, int percent, GpuCondition fault, Set<String> pods) {
    ActualGpu {
      pods = Set.copyOf(pods);
    }

    ActualGpu working(int milliwatts, int percent) {
      return new ActualGpu(milliwatts, percent, fault, pods);
    }

    ActualGpu with(GpuCondition fault) {
      return new ActualGpu(milliwatts, percent, fault, pods);
    }

    ActualGpu heldBy(Set<String> pods) {
      return new ActualGpu(milliwatts, percent, fault, pods);
    }
  }

  ActualNode with(int device, ActualGpu card) {
    var all = new ArrayList<>(cards);
    all.set(device, card);
    return new ActualNode(all, division, driver, kubelet, counters);
  }

  /** Holders of devices that no longer exist hold nothing. */
  ActualNode with(MigDivision division) {
    var all = new ArrayList<>(cards);
    for (int device = DIVISIBLE; device < cards.size(); device++) {
      all.set(device, cards.get(device).heldBy(Set.of()));
    }
    return new ActualNode(all, division, driver, kubelet, counters);
  }

  ActualNode with(DriverCondition driver) {
    return new ActualNode(cards, division, driver, kubelet, counters);
  }

  ActualNode with(Kubelet kubelet) {
    return new ActualNode(cards, division, driver, kubelet, counters);
  }

  ActualNode with(CountersCondition counters) {
    return new ActualNode(cards, division, driver, kubelet, counters);
  }

  /** What can be held. */
  List<Integer> devices() {
    var gpus = IntStream.range(0, division == MigDivision.WHOLE ? GPUS : DIVISIBLE);
    return IntStream.concat(gpus, division.parts()).boxed().toList();
  }

  static boolean isPart(int device) {
    return device >= GPUS;
  }

  private GpuCondition faultOf(int device) {
    return cards.get(isPart(device) ? DIVISIBLE : device).fault();
  }

  /** Whether it answers every question. */
  boolean answers(int device) {
    return driver == DriverCondition.LOADED
        && faultOf(device).answers()
        && (!isPart(device) || devices().contains(device));
  }

  /** Whether any GPU does. */
  boolean anyAnswers() {
    return IntStream.range(0, GPUS).anyMatch(this::answers);
  }

  /** Whether it answers some: a question may have come before the one that hangs. */
  boolean mayAnswer(int device) {
    return answers(device)
        || (driver == DriverCondition.LOADED
            && faultOf(device) == GpuCondition.HANGS
            && (!isPart(device) || devices().contains(device)));
  }

  boolean reportsPower(int gpu) {
    return answers(gpu) && faultOf(gpu) != GpuCondition.NO_POWER;
  }

  /** The driver reports an instance differently from a GPU, and a divided GPU not at all. */
  boolean reportsWork(int device) {
    return answers(device) && canReportWork(device);
  }

  /**
   * Whether that must be served. The parts of a GPU are measured again when another one comes or
   * goes, because its own place is another one then.
   */
  boolean mustReportWork(int device) {
    return reportsWork(device) && !hangs() && (!isPart(device) || isComplete());
  }

  boolean mayReportWork(int device) {
    return mayAnswer(device) && canReportWork(device);
  }

  private boolean canReportWork(int device) {
    return isPart(device)
        || (faultOf(device) != GpuCondition.NO_UTILIZATION && devices().contains(device));
  }

  /** Whether it is allocated to pods from a time when GPUs were shared. */
  boolean isShared(int device) {
    return cards.get(device).pods().size() > 1;
  }

  /** Whether a call does not return. */
  boolean hangs() {
    return cards.stream().anyMatch(card -> card.fault() == GpuCondition.HANGS);
  }

  boolean has(int gpu) {
    return cards.get(gpu).fault() != GpuCondition.REMOVED;
  }

  /** Whether no GPU is taken out. */
  boolean isComplete() {
    return IntStream.range(0, GPUS).allMatch(this::has);
  }

  boolean holds(String pod, int device) {
    return cards.get(device).pods().contains(pod);
  }

  /** Whether that pod, and no other, holds the device. */
  boolean holdsAlone(String pod, int device) {
    return cards.get(device).pods().equals(Set.of(pod));
  }

  long devicesOf(String pod) {
    return cards.stream().filter(card -> card.pods().contains(pod)).count();
  }
}
