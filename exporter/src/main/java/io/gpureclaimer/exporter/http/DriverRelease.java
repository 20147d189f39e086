package io.gpureclaimer.exporter.http;

import io.gpureclaimer.common.time.MonotonicClock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Somebody's wish that the driver be let go for a while, so that it can be unloaded. For any
 * thread: one wishes, the one that runs the passes complies.
 */
public final class DriverRelease {
  private final MonotonicClock monotonic;
  private final AtomicReference<@Nullable Wish> wish = new AtomicReference<>();

  /**
   * @param monotonic monotonic clock
   */
  public DriverRelease(MonotonicClock monotonic) {
    this.monotonic = monotonic;
  }

  private record Wish(long until, CompletableFuture<Boolean> fulfilled) {}

  /**
   * From now on, and for that long, the driver shall be left alone; a wish before this one ends.
   *
   * @return whether it was let go; false if a call is still inside the driver. Comes with the next
   *     pass
   */
  public CompletionStage<Boolean> ask(Duration howLong) {
    var next = new Wish(monotonic.nanos() + howLong.toNanos(), new CompletableFuture<>());
    var before = wish.getAndSet(next);
    if (before != null) {
      before.fulfilled().complete(false);
    }
    return next.fulfilled().copy();
  }

  /** The driver may be used again. */
  public void end() {
    var before = wish.getAndSet(null);
    if (before != null) {
      before.fulfilled().complete(false);
    }
  }

  /** How much longer the driver shall be left alone; empty if it need not be. */
  public Optional<Duration> left() {
    var now = wish.get();
    if (now == null) {
      return Optional.empty();
    }
    long nanos = now.until() - monotonic.nanos();
    if (nanos <= 0) {
      wish.compareAndSet(now, null);
      now.fulfilled().complete(false);
      return Optional.empty();
    }
    return Optional.of(Duration.ofNanos(nanos));
  }

  /** Says to whoever wished it what came of it. */
  public void answer(boolean released) {
    var now = wish.get();
    if (now != null) {
      now.fulfilled().complete(released);
    }
  }
}
