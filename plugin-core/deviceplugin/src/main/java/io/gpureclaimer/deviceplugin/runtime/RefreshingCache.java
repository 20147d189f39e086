package io.gpureclaimer.deviceplugin.runtime;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Value that is read again in the background when it is asked for and old; the caller gets the last
 * one and never waits. One read at a time. Safe for several threads.
 */
public final class RefreshingCache<T> {
  private final Supplier<T> source;
  private final Duration fresh;
  private final Executor aside;
  private final InstantSource clock;
  private final AtomicBoolean busy = new AtomicBoolean();
  private final AtomicReference<@Nullable CachedValue<T>> last = new AtomicReference<>();

  /**
   * A value and its time.
   *
   * @param at when it was requested
   */
  public record CachedValue<T>(T value, Instant at) {}

  RefreshingCache(Supplier<T> source, Duration fresh, Executor aside, InstantSource clock) {
    this.source = source;
    this.fresh = fresh;
    this.aside = aside;
    this.clock = clock;
  }

  /** On threads of its own. */
  public static <T> RefreshingCache<T> of(
      String name, Supplier<T> source, Duration fresh, InstantSource clock) {
    return new RefreshingCache<>(
        source, fresh, task -> Thread.ofVirtual().name(name).start(task), clock);
  }

  /** The last value; empty while the first one is being read. */
  public Optional<CachedValue<T>> last() {
    CachedValue<T> known = last.get();
    Instant now = clock.instant();
    if ((known == null || known.at().plus(fresh).isBefore(now))
        && busy.compareAndSet(false, true)) {
      aside.execute(() -> read(now));
    }
    return Optional.ofNullable(last.get());
  }

  private void read(Instant at) {
    try {
      last.set(new CachedValue<>(source.get(), at));
    } finally {
      busy.set(false);
    }
  }
}
