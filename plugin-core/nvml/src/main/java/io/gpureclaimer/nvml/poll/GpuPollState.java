package io.gpureclaimer.nvml.poll;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.nvml.NvmlResult.FailedCall;
import io.gpureclaimer.nvml.poll.GpuPoll.GpuReader;
import io.gpureclaimer.nvml.poll.GpuPoll.GpuReader.Read;
import io.gpureclaimer.nvml.poll.GpuPoller.Deadlines;
import io.gpureclaimer.nvml.poll.GpuProbe.GpuProbeResult;
import io.gpureclaimer.nvml.poll.GpuStatus.GpuFault;
import io.gpureclaimer.nvml.session.DriverThread;
import io.gpureclaimer.nvml.session.DriverThread.CallOutcome;
import io.gpureclaimer.nvml.session.DriverThread.CallOutcome.Returned;
import io.gpureclaimer.nvml.session.DriverThread.CallOutcome.TimedOut;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * State of the poller for one GPU index: the GPU, and a pending call. A late answer is taken by the
 * first poll that finds it. Confined to the poller's lock.
 */
final class GpuPollState {
  static final Duration SHORTEST_PATIENCE = Duration.ofMillis(1);

  private final int index;
  private final DriverThread thread;
  private final Deadlines deadlines;
  private final MonotonicClock monotonic;

  private GpuProbe probe;
  private boolean isKnown;
  private boolean mustRefresh;
  private @Nullable PolledGpu gpu;
  private @Nullable GpuFacts facts;
  private @Nullable Pending pending;
  private @Nullable RefusedGpu refusal;

  GpuPollState(
      int index,
      GpuProbe probe,
      DriverThread thread,
      Deadlines deadlines,
      MonotonicClock monotonic) {
    this.index = index;
    this.probe = probe;
    this.thread = thread;
    this.deadlines = deadlines;
    this.monotonic = monotonic;
  }

  /**
   * A call that has not returned in time.
   *
   * @param reader for which the readings are; null if there are none
   * @param isVoid whether its answers are of no use, because its handle has become void
   * @param began monotonic time, in nanoseconds
   */
  private record Pending(
      Future<?> call, @Nullable GpuReader<?> reader, boolean isVoid, long began) {}

  private record RefusedGpu(GpuProbeResult<?> answer, long nanos) {}

  int index() {
    return index;
  }

  /** Whether a call has not returned yet. */
  boolean isStuck() {
    return pending != null && !pending.call().isDone();
  }

  /** Whether {@link #call} is all that there is to do: the GPU is known, and no call is late. */
  boolean isReady() {
    return isKnown && pending == null;
  }

  /**
   * The session or the number of GPUs has changed: handles are void.
   *
   * @param isRenumbered whether another GPU may be at this index
   */
  void reset(GpuProbe fresh, boolean isRenumbered) {
    probe = fresh;
    isKnown = false;
    refusal = null;
    if (isRenumbered) {
      gpu = null;
      facts = null;
    }
    if (pending != null) {
      pending = new Pending(pending.call(), null, true, pending.began());
    }
  }

  /** Another call about this GPU has not returned in time. */
  void leftBehind(Future<?> call) {
    pending = new Pending(call, null, true, monotonic.nanos());
  }

  /** The GPU; null if it does not respond. */
  @Nullable PolledGpu respondingGpu() {
    return isReady() ? gpu : null;
  }

  /** For the driver thread; {@link #took} takes its outcome. */
  <R> Callable<GpuProbeResult<R>> call(@Nullable GpuReader<R> reader, boolean refresh) {
    GpuProbe asked = probe;
    boolean isDue = refresh || mustRefresh;
    return () -> asked.poll(reader, isDue);
  }

  <R> GpuProbeResult<R> took(
      CallOutcome<GpuProbeResult<R>> outcome, @Nullable GpuReader<R> reader, long began) {
    return switch (outcome) {
      case TimedOut<GpuProbeResult<R>>(var call) -> {
        pending = new Pending(call, reader, false, began);
        yield hung();
      }
      case Returned<GpuProbeResult<R>>(var answer) -> accept(answer);
    };
  }

  /** Waits no longer than {@code patience}, and not at all for a call that is late already. */
  <R> GpuProbeResult<R> poll(@Nullable GpuReader<R> reader, boolean refresh, Duration patience) {
    if (isStuck() || isForAnother(reader)) {
      return hung();
    }
    Optional<GpuProbeResult<R>> late = late(reader);
    if (late.isPresent()) {
      return late.get();
    }
    if (refusal != null
        && monotonic.nanos() - refusal.nanos() < deadlines.identifyAfter().toNanos()) {
      return without(refusal.answer());
    }
    long began = monotonic.nanos();
    return took(
        thread.call(
            call(reader, refresh),
            patience.compareTo(SHORTEST_PATIENCE) < 0 ? SHORTEST_PATIENCE : patience),
        reader,
        began);
  }

  /** Readings that came late are left to the reader that asked for them, while they are of use. */
  private boolean isForAnother(@Nullable GpuReader<?> reader) {
    return pending != null && reader == null && pending.reader() != null && !isTooLate(pending);
  }

  private boolean isTooLate(Pending call) {
    return monotonic.nanos() - call.began() > deadlines.tooLate().toNanos();
  }

  /** A call that threw brought nothing, and the next one shows why. */
  private <R> Optional<GpuProbeResult<R>> late(@Nullable GpuReader<R> reader) {
    Pending came = pending;
    pending = null;
    if (came == null) {
      return Optional.empty();
    }
    if (came.isVoid()) {
      return Optional.empty();
    }
    if (came.call().state() != Future.State.SUCCESS) {
      probe = probe.fresh();
      isKnown = false;
      return Optional.empty();
    }
    if (!Objects.equals(came.reader(), reader) || isTooLate(came)) {
      accept((GpuProbeResult<?>) came.call().resultNow());
      mustRefresh = true;
      return Optional.empty();
    }
    @SuppressWarnings("unchecked") // the same reader made it
    GpuProbeResult<R> answer = accept((GpuProbeResult<R>) came.call().resultNow());
    mustRefresh = answer.counters() == null;
    boolean isSlow = answer.ended() - answer.began() > deadlines.gpu().toNanos();
    if (isKnown && isSlow) {
      long began = monotonic.nanos();
      pending = new Pending(thread.callApart(call(reader, true)), reader, false, began);
    }
    return Optional.of(answer);
  }

  /** A GPU that did not respond is identified again: another may be there the next time. */
  private <R> GpuProbeResult<R> accept(GpuProbeResult<R> answer) {
    if (answer.responds()) {
      isKnown = true;
      mustRefresh = false;
      refusal = null;
      gpu = answer.gpu();
      facts = answer.facts();
    } else {
      boolean wasIdentified = answer.gpu() != null;
      gpu = wasIdentified ? answer.gpu() : gpu;
      refusal = isKnown || wasIdentified ? null : new RefusedGpu(answer, monotonic.nanos());
      isKnown = false;
      probe = probe.fresh();
    }
    return answer.gpu() == null && answer.uuid() == null ? answer.of(gpu, facts) : answer;
  }

  private static <R> GpuProbeResult<R> without(GpuProbeResult<?> refused) {
    return new GpuProbeResult<>(
        refused.gpu(),
        refused.uuid(),
        refused.facts(),
        null,
        null,
        refused.fault(),
        refused.reason(),
        List.<FailedCall>of(),
        refused.began(),
        refused.ended());
  }

  private <R> GpuProbeResult<R> hung() {
    PolledGpu identified = probe.identified();
    gpu = identified == null ? gpu : identified;
    long now = monotonic.nanos();
    long began = pending == null ? now : pending.began();
    boolean isBroken = now - began >= deadlines.hung().toNanos();
    return new GpuProbeResult<>(
        gpu,
        gpu == null ? null : gpu.gpu().uuid(),
        facts,
        null,
        (Read<R>) null,
        isBroken ? GpuFault.HUNG : GpuFault.OVERDUE,
        isBroken ? "it does not respond: a driver call has not returned" : "a driver call is late",
        List.of(),
        began,
        now);
  }
}
