package io.gpureclaimer.reclaimer.faults;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import java.util.Optional;

/** How often what happened. */
final class EventCounts {
  private int cycles;
  private int abandoned;
  private int blind;
  private int judgments;
  private int unknown;
  private int active;
  private int due;
  private int sparedByCpu;
  private int sparedByRequests;
  private int sparedByLoss;
  private int leftOut;
  private int deeds;
  private int killed;
  private int requests;
  private int mostQueries;
  private int mostLooksAgain;

  void count(Optional<CycleReport> report, int queries) {
    cycles++;
    mostQueries = Math.max(mostQueries, queries);
    if (report.isEmpty()) {
      abandoned++;
      return;
    }
    blind += report.get().observation() instanceof Observation.Blind ? 1 : 0;
    deeds += report.get().results().size();
    int looks =
        (int)
            report.get().results().stream()
                .filter(result -> result.step() instanceof Step.Act)
                .count();
    mostLooksAgain = Math.max(mostLooksAgain, looks);
    if (report.get().observation() instanceof Observation.Seen seen) {
      leftOut +=
          (int) seen.pods().values().stream().filter(pod -> pod.leftOut().isPresent()).count();
    }
    report.get().judgments().forEach(judgment -> count(judgment.verdict()));
  }

  private void count(Verdict verdict) {
    judgments++;
    unknown += verdict instanceof Verdict.Unknown ? 1 : 0;
    active += verdict instanceof Verdict.Active ? 1 : 0;
    due += verdict instanceof Verdict.Due ? 1 : 0;
    if (verdict instanceof Verdict.Vetoed(_, _, Signal signal)) {
      count(signal);
    }
  }

  /** A signal is asked only where no GPU shows any work. */
  private void count(Signal signal) {
    switch (signal.kind()) {
      case CPU -> sparedByCpu += signal.isKnown() ? 1 : 0;
      case REQUESTS -> sparedByRequests += signal.isKnown() ? 1 : 0;
      case POWER, MEMORY, PCIE, NVLINK, JUPYTER -> {}
    }
    sparedByLoss += signal.isKnown() ? 0 : 1;
  }

  void oneKilled() {
    killed++;
  }

  void requests(int more) {
    requests += more;
  }

  void add(EventCounts other) {
    cycles += other.cycles;
    abandoned += other.abandoned;
    blind += other.blind;
    judgments += other.judgments;
    unknown += other.unknown;
    active += other.active;
    due += other.due;
    sparedByCpu += other.sparedByCpu;
    sparedByRequests += other.sparedByRequests;
    sparedByLoss += other.sparedByLoss;
    leftOut += other.leftOut;
    deeds += other.deeds;
    killed += other.killed;
    requests += other.requests;
    mostQueries = Math.max(mostQueries, other.mostQueries);
    mostLooksAgain = Math.max(mostLooksAgain, other.mostLooksAgain);
  }

  int judgments() {
    return judgments;
  }

  int unknown() {
    return unknown;
  }

  /** How often a pod was spared because it used its CPU, and for nothing else. */
  int sparedByCpu() {
    return sparedByCpu;
  }

  /** The same of requests. */
  int sparedByRequests() {
    return sparedByRequests;
  }

  /** The same because one of these is no longer reported. */
  int sparedByLoss() {
    return sparedByLoss;
  }

  /** How often the record of a pod was left out of a fetch. */
  int leftOut() {
    return leftOut;
  }

  int mostLooksAgain() {
    return mostLooksAgain;
  }

  int mostQueries() {
    return mostQueries;
  }

  int killed() {
    return killed;
  }

  @Override
  public String toString() {
    return cycles
        + " cycles ("
        + abandoned
        + " abandoned, "
        + blind
        + " blind), "
        + judgments
        + " judgments ("
        + active
        + " active, "
        + unknown
        + " unknown, "
        + due
        + " due, spared by CPU "
        + sparedByCpu
        + ", by requests "
        + sparedByRequests
        + ", because they were no longer reported "
        + sparedByLoss
        + "), "
        + deeds
        + " deeds, "
        + requests
        + " requests, "
        + killed
        + " replicas killed, at most "
        + mostQueries
        + " queries in a cycle";
  }
}
