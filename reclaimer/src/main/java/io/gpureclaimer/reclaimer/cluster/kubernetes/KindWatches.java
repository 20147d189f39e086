package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches of kinds that not every cluster has; each starts when it is first needed. Safe for use by
 * several threads.
 *
 * <p>Concurrent maps, not one immutable object: a watch is started by the thread that reads and
 * replaced by the thread that resolves its kind.
 */
final class KindWatches<V> implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(KindWatches.class);
  private static final Duration TRY_AGAIN_AFTER = Duration.ofMinutes(1);

  /** Finds out how a kind is served, and starts to watch it. */
  interface WatchStarter<V> {
    /**
     * Empty if the API server has no such kind, which means that there are no objects of it.
     *
     * @throws ClusterUnreachable if that cannot be found out
     */
    Optional<ObjectWatch<V>> watch(ObjectKind kind);
  }

  private final String consequence;
  private final WatchStarter<V> beginning;
  private final MonotonicClock monotonic;
  private final Map<ObjectKind, KindWatch<V>> watches = new ConcurrentHashMap<>();
  private final Set<ObjectKind> doubted = ConcurrentHashMap.newKeySet();
  private final ExecutorService resolver =
      new ThreadPoolExecutor(
          0,
          1,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Thread.ofVirtual().name("kinds").factory(),
          new ThreadPoolExecutor.DiscardPolicy());

  /**
   * @param consequence of a kind that cannot be read, for the log
   */
  KindWatches(String consequence, WatchStarter<V> beginning, MonotonicClock monotonic) {
    this.consequence = consequence;
    this.beginning = beginning;
    this.monotonic = monotonic;
  }

  /** Of kinds that the API server may not have, and the client has no class of. */
  static <V> KindWatches<V> ofOptional(
      String consequence,
      KubernetesClient client,
      Discovery discovery,
      Function<GenericKubernetesResource, V> reading,
      Duration staleAfter,
      MonotonicClock monotonic) {
    return new KindWatches<>(
        consequence,
        kind ->
            discovery
                .findOptional(kind)
                .map(context -> ObjectWatch.start(client, context, reading, staleAfter, monotonic)),
        monotonic);
  }

  /** The watch of a kind, begun if there is none; empty while it must not be believed. */
  Optional<KindWatch<V>> trusted(ObjectKind kind) {
    KindWatch<V> watch = asked(kind);
    return watch.doubt().isEmpty() ? Optional.of(watch) : Optional.empty();
  }

  /** The watch of a kind, begun if there is none, even if it is in doubt. */
  KindWatch<V> asked(ObjectKind kind) {
    KindWatch<V> watch = watches.compute(kind, (_, known) -> begunOr(kind, known));
    if (watch.isSettled()) {
      logTransition(kind, watch.doubt());
    }
    return watch;
  }

  /** Whether the watch of any kind was asked for. */
  boolean haveBegun() {
    return !watches.isEmpty();
  }

  /** Whether there is nothing to wait for: every kind is watched, or cannot be. */
  boolean areSettled() {
    return watches.values().stream().allMatch(KindWatch::isSettled);
  }

  private KindWatch<V> begunOr(ObjectKind kind, @Nullable KindWatch<V> known) {
    return switch (known) {
      case null -> {
        resolve(kind);
        yield new KindWatch.Starting<>();
      }
      case KindWatch.Failed<V>(var why, var at) when isOld(at) -> {
        resolve(kind);
        yield new KindWatch.Failed<>(why, monotonic.nanos());
      }
      case KindWatch.Absent<V>(var at) when isOld(at) -> {
        resolve(kind);
        yield new KindWatch.Absent<>(monotonic.nanos());
      }
      case KindWatch.Starting<V> _,
          KindWatch.Failed<V> _,
          KindWatch.Absent<V> _,
          KindWatch.Running<V> _ ->
          known;
    };
  }

  private boolean isOld(long atNanos) {
    return monotonic.nanos() - atNanos > TRY_AGAIN_AFTER.toNanos();
  }

  private void resolve(ObjectKind kind) {
    resolver.execute(() -> watches.put(kind, resolved(kind)));
  }

  private KindWatch<V> resolved(ObjectKind kind) {
    try {
      return beginning
          .watch(kind)
          .<KindWatch<V>>map(KindWatch.Running::new)
          .orElseGet(() -> new KindWatch.Absent<>(monotonic.nanos()));
    } catch (ClusterUnreachable e) {
      return new KindWatch.Failed<>(String.valueOf(e.getMessage()), monotonic.nanos());
    }
  }

  private void logTransition(ObjectKind kind, Optional<String> doubt) {
    if (doubt.isEmpty() && doubted.remove(kind)) {
      log.info("objects of kind {} can be read again", kind);
    } else if (doubt.isPresent() && doubted.add(kind)) {
      log.warn("objects of kind {} cannot be read, so {}: {}", kind, consequence, doubt.get());
    }
  }

  @Override
  public void close() {
    resolver.shutdownNow();
    watches.values().forEach(KindWatch::stop);
  }

  /** How far we have come with watching a kind that not every cluster has. */
  sealed interface KindWatch<V> {

    /** It was asked for a moment ago. */
    record Starting<V>() implements KindWatch<V> {}

    /** The kind could not be resolved. */
    record Failed<V>(String why, long atNanos) implements KindWatch<V> {}

    /** There is no such kind, so it has no objects. */
    record Absent<V>(long atNanos) implements KindWatch<V> {}

    /** It is watched. */
    record Running<V>(ObjectWatch<V> watched) implements KindWatch<V> {}

    /** Why its objects cannot be read now; empty while they can. */
    default Optional<String> doubt() {
      return switch (this) {
        case Starting<V>() -> Optional.of("it is not known yet how they are served");
        case Failed<V>(var why, _) -> Optional.of(why);
        case Absent<V> _ -> Optional.empty();
        case Running<V>(var watched) -> watched.doubt();
      };
    }

    /** Whether waiting would change nothing. */
    default boolean isSettled() {
      return switch (this) {
        case Starting<V>() -> false;
        case Failed<V> _, Absent<V> _ -> true;
        case Running<V>(var watched) -> watched.hasAnswered() || watched.doubt().isEmpty();
      };
    }

    /** The last known object, even if the watch is in doubt. */
    default Optional<V> lastKnown(String namespace, String name) {
      return switch (this) {
        case Starting<V> _, Failed<V> _, Absent<V> _ -> Optional.empty();
        case Running<V>(var watched) ->
            watched.lastKnown(namespace, name).or(() -> watched.lastKnown("", name));
      };
    }

    /** All last known objects, even if the watch is in doubt. */
    default Collection<V> lastKnown() {
      return this instanceof Running<V>(var watched) ? watched.lastKnown() : List.of();
    }

    /** Ends it. */
    default void stop() {
      if (this instanceof Running<V>(var watched)) {
        watched.stop();
      }
    }
  }
}
