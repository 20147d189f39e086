package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches kinds of objects that own pods, each from the moment on when somebody asks for it first.
 * Safe for use by several threads.
 *
 * <p>Concurrent maps, not one immutable object: a watch is begun by whoever looks and replaced by
 * the thread that resolves its kind.
 */
final class OwnerWatches implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(OwnerWatches.class);
  private static final Duration TRY_AGAIN_AFTER = Duration.ofMinutes(1);

  private final OwnerKinds kinds;
  private final LongSupplier nanoTime;
  private final Map<Kind, OwnerWatch> watches = new ConcurrentHashMap<>();
  private final Set<Kind> doubted = ConcurrentHashMap.newKeySet();
  private final ExecutorService resolver =
      new ThreadPoolExecutor(
          0,
          1,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Thread.ofVirtual().name("owner-kinds").factory(),
          new ThreadPoolExecutor.DiscardPolicy());

  OwnerWatches(OwnerKinds kinds, LongSupplier nanoTime) {
    this.kinds = kinds;
    this.nanoTime = nanoTime;
  }

  /** The watch of a kind, begun if there is none; empty while it must not be believed. */
  Optional<OwnerWatch> trusted(Kind kind) {
    OwnerWatch watch = watches.compute(kind, (_, known) -> begunOr(kind, known));
    Optional<String> doubt = watch.doubt();
    if (watch.isSettled()) {
      tellTransition(kind, doubt);
    }
    return doubt.isEmpty() ? Optional.of(watch) : Optional.empty();
  }

  /** Whether there is nothing to wait for: every kind is watched, or cannot be. */
  boolean areSettled() {
    return watches.values().stream().allMatch(OwnerWatch::isSettled);
  }

  private OwnerWatch begunOr(Kind kind, @Nullable OwnerWatch known) {
    return switch (known) {
      case null -> {
        resolve(kind);
        yield new OwnerWatch.Begun();
      }
      case OwnerWatch.Failed(var why, var at) when isOld(at) -> {
        resolve(kind);
        yield new OwnerWatch.Failed(why, nanoTime.getAsLong());
      }
      case OwnerWatch.Begun _, OwnerWatch.Failed _, OwnerWatch.Running _ -> known;
    };
  }

  private boolean isOld(long atNanos) {
    return nanoTime.getAsLong() - atNanos > TRY_AGAIN_AFTER.toNanos();
  }

  private void resolve(Kind kind) {
    resolver.execute(() -> watches.put(kind, resolved(kind)));
  }

  private OwnerWatch resolved(Kind kind) {
    try {
      return new OwnerWatch.Running(kinds.watch(kind));
    } catch (ClusterUnreachable e) {
      return new OwnerWatch.Failed(String.valueOf(e.getMessage()), nanoTime.getAsLong());
    }
  }

  private void tellTransition(Kind kind, Optional<String> doubt) {
    if (doubt.isEmpty() && doubted.remove(kind)) {
      log.info("owners of kind {} can be read again", kind);
    } else if (doubt.isPresent() && doubted.add(kind)) {
      log.warn(
          "owners of kind {} cannot be read, so their workloads are only reported: {}",
          kind,
          doubt.get());
    }
  }

  @Override
  public void close() {
    resolver.shutdownNow();
    watches.values().forEach(OwnerWatch::stop);
  }
}
