package io.gpureclaimer.exporter.collect.pass;

import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.exporter.collect.Device;
import io.gpureclaimer.exporter.collect.pass.Introduction.Outcome.Met;
import io.gpureclaimer.exporter.collect.pass.Introduction.Outcome.NotMet;
import io.gpureclaimer.exporter.collect.pass.SamplingPass.Deadlines;
import io.gpureclaimer.exporter.collect.pass.Turn.Finished;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.nvml.Nvml;
import io.gpureclaimer.nvml.session.DriverThread;
import io.gpureclaimer.nvml.session.DriverThread.Outcome;
import io.gpureclaimer.nvml.session.DriverThread.Outcome.LeftBehind;
import io.gpureclaimer.nvml.session.DriverThread.Outcome.Returned;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of one index of the driver from pass to pass: the device that sits there, and
 * the call that was left behind there, if one was. What a call brings after we stopped waiting is
 * taken in the first pass that finds it done. Confined to the thread that runs the passes.
 */
final class Slot {
  static final Duration SHORTEST_PATIENCE = Duration.ofMillis(1);

  private final int index;
  private final DriverThread thread;
  private final Deadlines deadlines;
  private final MonotonicClock monotonic;
  private final InstantSource clock;

  private final Predicate<GpuUuid> dividedAnew;

  private @Nullable Device device;
  private @Nullable Gpu known;
  private @Nullable Pending pending;
  private @Nullable Refusal refusal;
  private Questionnaire questionnaire;
  private Instances instances;

  Slot(
      int index,
      Questionnaire questionnaire,
      Predicate<GpuUuid> dividedAnew,
      DriverThread thread,
      Deadlines deadlines,
      MonotonicClock monotonic,
      InstantSource clock) {
    this.index = index;
    this.dividedAnew = dividedAnew;
    this.instances = new Instances(dividedAnew, monotonic);
    this.questionnaire = questionnaire;
    this.thread = thread;
    this.deadlines = deadlines;
    this.monotonic = monotonic;
    this.clock = clock;
  }

  /** A call that nobody waits for any more. */
  private sealed interface Pending {
    Future<?> call();

    /** An introduction. */
    record Meeting(Future<Introduction.Outcome> call) implements Pending {}

    /** A turn. */
    record Asking(Future<Finished> call) implements Pending {}

    /** A call whose handle has become void: what it brings is of no use. */
    record Obsolete(Future<?> call) implements Pending {}
  }

  private record Refusal(GpuSample sample, long nanos) {}

  int index() {
    return index;
  }

  boolean isStuck() {
    return pending != null && !pending.call().isDone();
  }

  /**
   * From now on other questions are asked: the device has to introduce itself again. Its instances
   * stay those that they are, and so does what was measured of them.
   */
  void askFor(Questionnaire other) {
    questionnaire = other;
    meetAgain();
  }

  /** The session or the order of the devices has changed: the handles are void. */
  void forgetDevice() {
    meetAgain();
    instances = new Instances(dividedAnew, monotonic);
  }

  private void meetAgain() {
    device = null;
    refusal = null;
    if (pending != null) {
      pending = new Pending.Obsolete(pending.call());
    }
  }

  /** Whether {@link #turn} is all that there is to do: it is known, and no call was left behind. */
  boolean isReady() {
    return device != null && pending == null;
  }

  /** For the driver's thread; {@link #took} is to be told what became of it. */
  Callable<Finished> turn() {
    return turnOf(device)::take;
  }

  Taken took(Outcome<Finished> outcome) {
    return switch (outcome) {
      case LeftBehind<Finished>(var call) -> {
        pending = new Pending.Asking(call);
        yield hung();
      }
      case Returned<Finished>(var turn) -> accept(turn);
    };
  }

  /** Waits no longer than {@code patience}, and not at all for a call that was left behind. */
  Taken takeTurn(Nvml nvml, Duration patience) {
    long began = monotonic.nanos();
    if (isStuck()) {
      return hung();
    }
    return late()
        .or(() -> meet(nvml, patience))
        .orElseGet(
            () -> {
              var left = patience.minusNanos(monotonic.nanos() - began);
              return took(
                  thread.ask(
                      turn(), left.compareTo(SHORTEST_PATIENCE) < 0 ? SHORTEST_PATIENCE : left));
            });
  }

  /** What has come since; a call that threw brought nothing, and asking anew will tell why. */
  private Optional<Taken> late() {
    var came = pending;
    pending = null;
    if (came == null || came.call().state() != Future.State.SUCCESS) {
      return Optional.empty();
    }
    return switch (came) {
      case Pending.Obsolete _ -> Optional.empty();
      case Pending.Meeting(var call) -> introduced(call.resultNow());
      case Pending.Asking(var call) -> late(call.resultNow());
    };
  }

  private Optional<Taken> late(Finished turn) {
    if (monotonic.nanos() - turn.began() > deadlines.tooLate().toNanos()) {
      return Optional.empty();
    }
    var taken = accept(turn);
    var slow = device;
    if (slow != null && turn.ended() - turn.began() > deadlines.turn().toNanos()) {
      pending = new Pending.Asking(thread.askApart(turnOf(slow)::take));
    }
    return Optional.of(taken);
  }

  /** Empty once the device is known. */
  private Optional<Taken> meet(Nvml nvml, Duration patience) {
    if (device != null) {
      return Optional.empty();
    }
    if (refusal != null
        && monotonic.nanos() - refusal.nanos() < deadlines.introduceAfter().toNanos()) {
      return Optional.of(Taken.nothing(refusal.sample()));
    }
    var introduction = new Introduction(nvml, index, known, questionnaire.wanted());
    return switch (thread.ask(introduction::make, patience)) {
      case LeftBehind<Introduction.Outcome>(var call) -> {
        pending = new Pending.Meeting(call);
        yield Optional.of(hung());
      }
      case Returned<Introduction.Outcome>(var outcome) -> introduced(outcome);
    };
  }

  private Optional<Taken> introduced(Introduction.Outcome outcome) {
    return switch (outcome) {
      case NotMet(var taken) -> {
        refusal = new Refusal(taken.sample(), monotonic.nanos());
        yield Optional.of(taken);
      }
      case Met(var met) -> {
        refusal = null;
        device = met;
        known = met.gpu();
        yield Optional.empty();
      }
    };
  }

  private Turn turnOf(@Nullable Device asked) {
    if (asked == null) {
      throw new IllegalStateException("expected GPU " + index + " to be known, found no device");
    }
    return new Turn(asked, questionnaire, instances, monotonic, clock);
  }

  /** A device that did not answer introduces itself again: another may sit there next time. */
  private Taken accept(Finished turn) {
    if (!(turn.taken().sample() instanceof GpuSample.Answered)) {
      device = null;
      instances = new Instances(dividedAnew, monotonic);
    }
    return turn.taken();
  }

  private Taken hung() {
    return Taken.nothing(new GpuSample.Hung(index, known));
  }
}
