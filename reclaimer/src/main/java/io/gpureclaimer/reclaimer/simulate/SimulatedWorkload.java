package io.gpureclaimer.reclaimer.simulate;

import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedWorkload;
import java.util.OptionalLong;

/**
 * A workload of a trace in one run: where it is in its life, and what it does with its GPUs. All
 * times are seconds from the start of the trace. Confined to the thread of the simulation.
 *
 * <p>The activity of a notebook and of a service passes by the clock on the wall. A person whose
 * notebook is not running when his work begins waits, and works as long as he wanted from when it
 * runs; requests to a service that is not running are lost. The activity of a training passes only
 * while it runs; after an interruption it continues from its last checkpoint.
 */
final class SimulatedWorkload {
  private final TracedWorkload trace;
  private LifePhase phase = LifePhase.FUTURE;
  private ActivityPeriods periods;

  /** The second at which the activity has its origin, in the present run. */
  private long origin;

  /** Index of the first period that was not yet completed. */
  private int open;

  /** Seconds of its running time that are not lost, of a training that does not run. */
  private long progress;

  private long since;
  private long runningSince;
  private OptionalLong reclaimedAt = OptionalLong.empty();
  private OptionalLong neededAt = OptionalLong.empty();

  private long servedSeconds;

  /** Of its pods, those that hold GPUs and do not terminate. */
  private int boundPods;

  /** Grows with every change that makes planned events void. */
  private int generation;

  /** Where a workload is in its life. */
  enum LifePhase {
    /** Not submitted yet. */
    FUTURE,
    /** Submitted or restored, without GPUs. */
    PENDING,
    RUNNING,
    /** Reclaimed, and not wanted yet. */
    STOPPED,
    /** Reclaimed and wanted again; the restoration was requested. */
    RETURNING,
    ENDED
  }

  /**
   * Cost of an interruption.
   *
   * @param wasActive whether it used its GPUs at that second
   * @param lostSeconds seconds of activity that have to be repeated; none if no activity follows
   * @param wantedAfter seconds until it uses its GPUs again; empty for never
   * @param unknownAfter seconds until its activity is unknown; empty for never
   */
  record WorkInterruption(
      boolean wasActive, long lostSeconds, OptionalLong wantedAfter, OptionalLong unknownAfter) {}

  SimulatedWorkload(TracedWorkload trace) {
    this.trace = trace;
    this.periods = trace.activity();
    this.origin = trace.arrival();
  }

  TracedWorkload trace() {
    return trace;
  }

  LifePhase phase() {
    return phase;
  }

  int generation() {
    return generation;
  }

  /** When the present phase began; of one that returns, when it was wanted. */
  long since() {
    return since;
  }

  long runningSince() {
    return runningSince;
  }

  long runningFor(long now) {
    return now - runningSince;
  }

  /** When it was reclaimed, while it does not run since then. */
  OptionalLong reclaimedAt() {
    return reclaimedAt;
  }

  /** When it would use its GPUs again, since it was reclaimed; empty for never. */
  OptionalLong neededAt() {
    return neededAt;
  }

  void submitted(long now) {
    enter(LifePhase.PENDING, now);
  }

  /** A controller created its pod, which a program asked for if no person did. */
  void created(long now) {
    if (phase == LifePhase.STOPPED) {
      enter(LifePhase.PENDING, now);
    }
  }

  /** One of its pods has GPUs; whether all have them now. */
  boolean isCompletedByPod() {
    boundPods++;
    return boundPods == trace.podGpus().size();
  }

  /** One of its pods loses its GPUs. */
  void podTerminates() {
    boundPods--;
  }

  /** All its pods have GPUs; what a person wanted to do before begins now. */
  void bound(long now) {
    runningSince = now;
    reclaimedAt = OptionalLong.empty();
    neededAt = OptionalLong.empty();
    if (trace.kind() == WorkloadKind.TRAINING) {
      origin = now - progress;
    } else if (trace.kind() == WorkloadKind.NOTEBOOK
        && open < periods.size()
        && origin + periods.start(open) < now) {
      periods = periods.delayed(open, Math.toIntExact(now - origin));
    }
    enter(LifePhase.RUNNING, now);
  }

  /** A program stopped it while it ran; it holds its GPUs until its pod is gone. */
  WorkInterruption reclaimed(long now) {
    long at = now - origin;
    boolean active = periods.isActiveAt(at);
    long lost = 0;
    if (trace.kind() == WorkloadKind.TRAINING) {
      long checkpoint = Math.max(progress, at / trace.checkpointEvery() * trace.checkpointEvery());
      lost = periods.nextActive(at).isPresent() ? periods.seconds(checkpoint, at) : 0;
      progress = checkpoint;
    } else if (trace.kind() == WorkloadKind.NOTEBOOK) {
      complete(at);
      lost = active ? at - periods.start(open) : 0;
    }
    reclaimedAt = OptionalLong.of(now);
    OptionalLong wanted = wantedAfter(at);
    neededAt =
        wanted.isPresent() ? OptionalLong.of(now + wanted.getAsLong()) : OptionalLong.empty();
    enter(LifePhase.STOPPED, now);
    return new WorkInterruption(active, lost, wanted, after(trace.unknown(), at));
  }

  private OptionalLong wantedAfter(long at) {
    return after(periods, at);
  }

  private static OptionalLong after(ActivityPeriods what, long at) {
    var next = what.nextActive(at);
    return next.isPresent() ? OptionalLong.of(next.getAsInt() - at) : OptionalLong.empty();
  }

  private void complete(long at) {
    open = Math.max(open, periods.firstEndingAfter(at));
  }

  void wanted(long now) {
    enter(LifePhase.RETURNING, now);
  }

  void ended(long now) {
    complete(now - origin);
    enter(LifePhase.ENDED, now);
  }

  private void enter(LifePhase next, long now) {
    phase = next;
    since = now;
    generation++;
  }

  /** When it ends by itself, as it runs now; of a person's work, not before it is done. */
  long endsAt() {
    return switch (trace.kind()) {
      case TRAINING -> origin + trace.lifetime();
      case SERVICE -> trace.arrival() + (long) trace.lifetime();
      case NOTEBOOK -> origin + Math.max(trace.lifetime(), periods.lastEnd());
    };
  }

  OptionalLong lastActivity(long now) {
    var last = periods.lastActive(now - origin);
    return last.isPresent() && last.getAsInt() + origin >= runningSince
        ? OptionalLong.of(last.getAsInt() + origin)
        : OptionalLong.empty();
  }

  OptionalLong nextActivity(long now) {
    return wantedAfter(now - origin);
  }

  /** Whether anything is unknown of its activity in a part of the present run. */
  boolean hasUnknown(long from, long to) {
    return trace.unknown().seconds(from - origin, to - origin) > 0;
  }

  /** Whether its activity is unknown now or at any time after. */
  boolean isUnknownFrom(long now) {
    return trace.unknown().nextActive(now - origin).isPresent();
  }

  /** Since when its activity is known without a gap; empty if it is unknown now. */
  OptionalLong knownSince(long now) {
    if (trace.unknown().isActiveAt(now - origin)) {
      return OptionalLong.empty();
    }
    var gap = trace.unknown().lastActive(now - origin);
    return OptionalLong.of(
        gap.isPresent() ? Math.max(runningSince, gap.getAsInt() + origin) : runningSince);
  }

  /** Seconds of unknown activity within a part of the present run. */
  long unknownSeconds(long from, long to) {
    return trace.unknown().seconds(from - origin, to - origin);
  }

  double meanLevel(long from, long to) {
    return periods.meanLevel(from - origin, to - origin);
  }

  double highestLevel(long from, long to) {
    return periods.highestLevel(Math.max(from, runningSince) - origin, to - origin);
  }

  /** It no longer runs, or the simulation ends. */
  void settle(long now) {
    servedSeconds += activeSeconds(runningSince, now);
  }

  /** Seconds in which a service had requests until now, and did not run. */
  long missedSeconds(long now) {
    return trace.kind() == WorkloadKind.SERVICE
        ? trace.activity().seconds(0, now - trace.arrival()) - servedSeconds
        : 0;
  }

  /** Seconds of activity within a part of the present run. */
  long activeSeconds(long from, long to) {
    return periods.seconds(from - origin, to - origin);
  }
}
