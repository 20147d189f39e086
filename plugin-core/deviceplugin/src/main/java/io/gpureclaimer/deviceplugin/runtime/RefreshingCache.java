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
 * What was found when it was last looked, looked up again when somebody asks and the last answer is
 * old. Nobody waits: whoever asks gets the last one. One look at a time; for any thread.
 */
public final class RefreshingCache<T> {
  private final Supplier<T> look;
  private final Duration fresh;
  private final Executor aside;
  private final InstantSource clock;
  private final AtomicBoolean busy = new AtomicBoolean();
  private final AtomicReference<@Nullable CachedValue<T>> last = new AtomicReference<>();

  /**
   * Something that was found, and when it was asked for.
   *
   * @param what was found
   * @param at when it was asked for
   */
  public record CachedValue<T>(T what, Instant at) {}

  RefreshingCache(Supplier<T> look, Duration fresh, Executor aside, InstantSource clock) {
    this.look = look;
    this.fresh = fresh;
    this.aside = aside;
    this.clock = clock;
  }

  /** On threads of its own. */
  public static <T> RefreshingCache<T> of(
      String name, Supplier<T> look, Duration fresh, InstantSource clock) {
    return new RefreshingCache<>(
        look, fresh, task -> Thread.ofVirtual().name(name).start(task), clock);
  }

  /** The last one; empty if the first look is still going on. */
  public Optional<CachedValue<T>> last() {
    CachedValue<T> known = last.get();
    Instant now = clock.instant();
    if ((known == null || known.at().plus(fresh).isBefore(now))
        && busy.compareAndSet(false, true)) {
      aside.execute(() -> look(now));
    }
    return Optional.ofNullable(last.get());
  }

  private void look(Instant at) {
    try {
      last.set(new CachedValue<>(look.get(), at));
    } finally {
      busy.set(false);
    }
  }
}
