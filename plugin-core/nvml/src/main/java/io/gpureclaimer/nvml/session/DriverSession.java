package io.gpureclaimer.nvml.session;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.nvml.Nvml;
import io.gpureclaimer.nvml.NvmlException;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.NvmlReturn;
import io.gpureclaimer.nvml.binding.LibNvml;
import io.gpureclaimer.nvml.session.DriverThread.CallOutcome.Returned;
import io.gpureclaimer.nvml.session.DriverThread.CallOutcome.TimedOut;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Driver session: opened when needed, retried after a pause, and left open after a hung call. For
 * any thread: visits come one after another.
 */
public final class DriverSession implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DriverSession.class);

  /** Each holds memory of the driver's; one GPU that hangs must not make us open ever more. */
  private static final int MOST_LEFTOVERS = 2;

  private final Supplier<LibNvml> library;
  private final DriverThread thread;
  private final Duration deadline;
  private final Duration pause;
  private final MonotonicClock monotonic;

  /** Passes and surveys visit from threads of their own, and the driver has one for both. */
  private final ReentrantLock visiting = new ReentrantLock();

  private @Nullable Open open;

  /** Sessions that are no longer of use, until they have proved to be shut down. */
  private final List<Nvml> leftovers = new ArrayList<>();

  private @Nullable Future<Open> stuck;
  private @Nullable Failure failure;
  private boolean leakLogged;

  /**
   * @param library finds and loads the driver's library; asked again at each attempt
   * @param thread where the driver is called
   * @param deadline for opening and for counting the devices
   * @param pause between a failure and the next attempt
   * @param monotonic monotonic clock
   */
  public DriverSession(
      Supplier<LibNvml> library,
      DriverThread thread,
      Duration deadline,
      Duration pause,
      MonotonicClock monotonic) {
    this.library = library;
    this.thread = thread;
    this.deadline = deadline;
    this.pause = pause;
    this.monotonic = monotonic;
  }

  /**
   * An open session.
   *
   * @param nvml the session itself
   * @param version of the driver; null when not reported
   * @param devices how many there are now
   */
  public record Open(Nvml nvml, @Nullable String version, int devices) {}

  /** Result of using the session. */
  public sealed interface SessionResult<T> {

    /** There was a session, and the visitor brought this back. */
    record Seen<T>(Open session, T value) implements SessionResult<T> {}

    /**
     * There is no session; {@code reason} is one line for a human, {@code code} NVML's own word.
     */
    record Closed<T>(String reason, NvmlReturn code) implements SessionResult<T> {}
  }

  /**
   * Lets the visitor work with the session, if there is one. The only place that catches {@link
   * NvmlException}: the session is then closed, and opened again after the pause.
   */
  public <T> SessionResult<T> visit(Function<Open, T> visitor) {
    visiting.lock();
    try {
      return visitAlone(visitor);
    } finally {
      visiting.unlock();
    }
  }

  private <T> SessionResult<T> visitAlone(Function<Open, T> visitor) {
    if (isStuck()) {
      return new SessionResult.Closed<>(hangs(), NvmlReturn.TIMEOUT);
    }
    if (failure != null && monotonic.nanos() - failure.nanos() < pause.toNanos()) {
      return failure.asVisit();
    }
    if (open == null && !hasRoom()) {
      return new SessionResult.Closed<>(
          MOST_LEFTOVERS + " sessions cannot be shut down: a driver call has not returned",
          NvmlReturn.TIMEOUT);
    }
    try {
      return switch (thread.call(open(open, toShutDown()), deadline)) {
        case TimedOut<Open>(var call) -> {
          stuck = call;
          yield new SessionResult.Closed<>(hangs(), NvmlReturn.TIMEOUT);
        }
        case Returned<Open>(var session) -> {
          adopt(session);
          yield new SessionResult.Seen<>(session, visitor.apply(session));
        }
      };
    } catch (NvmlException e) {
      return failed(e).asVisit();
    }
  }

  /**
   * Gives every session back, so that the driver can be unloaded; the next visit opens another. One
   * that a call is still inside of is kept, for that visit too.
   *
   * @return false if a call is still inside the driver, or shutting down does not return
   */
  boolean release() {
    visiting.lock();
    try {
      return releaseAlone();
    } finally {
      visiting.unlock();
    }
  }

  private boolean releaseAlone() {
    if (isStuck() || thread.hasHungCall()) {
      return false;
    }
    if (open != null) {
      leftovers.add(open.nvml());
      open = null;
    }
    shutDown(toShutDown());
    return leftovers.isEmpty();
  }

  /** For one more session. */
  private boolean hasRoom() {
    forgetShutDown();
    if (leftovers.size() >= MOST_LEFTOVERS) {
      shutDown(toShutDown());
    }
    return leftovers.size() < MOST_LEFTOVERS;
  }

  /** One in which a thread still awaits an event stays open. */
  private void shutDown(List<Nvml> sessions) {
    if (!sessions.isEmpty()) {
      thread.call(
          () -> {
            sessions.forEach(Nvml::close);
            return true;
          },
          deadline);
      forgetShutDown();
    }
  }

  /** A thread that was left behind may be inside the shutting down itself. */
  private void forgetShutDown() {
    if (!thread.hasHungCall()) {
      leftovers.removeIf(session -> !session.isOpen());
    }
  }

  @Override
  public void close() {
    release();
  }

  private String hangs() {
    return "a driver call has not returned within " + deadline.toMillis() + " ms";
  }

  /** A late answer is as good as one in time: it is the session. */
  private boolean isStuck() {
    if (stuck != null && stuck.isDone()) {
      if (stuck.state() == Future.State.SUCCESS) {
        adopt(stuck.resultNow());
      }
      stuck = null;
    }
    return stuck != null;
  }

  /** To shut down a session under a call that is still inside it is undefined: it has to wait. */
  private List<Nvml> toShutDown() {
    forgetShutDown();
    if (leftovers.isEmpty()) {
      return List.of();
    }
    if (thread.hasHungCall()) {
      if (!leakLogged) {
        leakLogged = true;
        log.warn("a driver call has not returned: its session is left open, not shut down");
      }
      return List.of();
    }
    return List.copyOf(leftovers);
  }

  private void adopt(Open session) {
    open = session;
    failure = null;
  }

  private Failure failed(NvmlException e) {
    if (open != null) {
      leftovers.add(open.nvml());
      open = null;
    }
    String reason = String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
    var failed = new Failure(reason, e.reason(), monotonic.nanos());
    failure = failed;
    return failed;
  }

  private Callable<Open> open(@Nullable Open known, List<Nvml> closeFirst) {
    return () -> {
      closeFirst.forEach(Nvml::close);
      if (known != null) {
        return new Open(known.nvml(), known.version(), known.nvml().deviceCount());
      }
      return opened(Nvml.open(library.get()));
    };
  }

  private static Open opened(Nvml nvml) {
    try {
      String version = nvml.driverVersion() instanceof Value<String>(var text) ? text : null;
      return new Open(nvml, version, nvml.deviceCount());
    } catch (NvmlException e) {
      nvml.close();
      throw e;
    }
  }

  private record Failure(String reason, NvmlReturn code, long nanos) {
    <T> SessionResult<T> asVisit() {
      return new SessionResult.Closed<>(reason, code);
    }
  }
}
