package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.impl.cache.CacheImpl;
import io.gpureclaimer.common.kubernetes.ViewStore;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The views of all objects of one kind, kept current by a watch, and refused once they may be
 * stale.
 */
final class ObjectWatch<V> {
  private static final long PAGE = 500;

  private final String kind;
  private final ViewStore<?, V> store;
  private final SharedIndexInformer<?> informer;
  private final Duration limit;
  private final MonotonicClock monotonic;
  private final AtomicReference<Optional<String>> lastFailure;
  private final AtomicReference<Optional<Long>> lastSeenAlive =
      new AtomicReference<>(Optional.empty());
  private boolean stopped;

  private ObjectWatch(
      String kind,
      ViewStore<?, V> store,
      SharedIndexInformer<?> informer,
      Duration limit,
      MonotonicClock monotonic,
      AtomicReference<Optional<String>> lastFailure) {
    this.kind = kind;
    this.store = store;
    this.informer = informer;
    this.limit = limit;
    this.monotonic = monotonic;
    this.lastFailure = lastFailure;
  }

  /**
   * Starts to list and watch, and keeps trying without an end; returns at once.
   *
   * @param kind the kind's name in the plural, for messages
   */
  static <T extends HasMetadata, V> ObjectWatch<V> start(
      String kind,
      Informable<T> everywhere,
      ViewStore<T, V> store,
      Duration limit,
      MonotonicClock monotonic) {
    if (!limit.isPositive()) {
      throw new IllegalArgumentException("limit must be positive, was " + limit);
    }
    SharedIndexInformer<T> informer =
        everywhere.withLimit(PAGE).runnableInformer(0).itemStore(store);
    // The default index would remember the key of every object, kept or not, without a limit.
    informer.removeIndexer(CacheImpl.NAMESPACE_INDEX);
    var lastFailure = new AtomicReference<Optional<String>>(Optional.empty());
    informer
        .exceptionHandler(
            (started, failure) -> {
              lastFailure.set(Optional.of(failureText(failure)));
              return true;
            })
        .start();
    return new ObjectWatch<>(kind, store, informer, limit, monotonic, lastFailure);
  }

  /** Starts to watch the objects of a namespaced kind that the client has no class of. */
  static <V> ObjectWatch<V> start(
      KubernetesClient client,
      ResourceDefinitionContext context,
      Function<GenericKubernetesResource, V> reading,
      Duration limit,
      MonotonicClock monotonic) {
    return start(
        context.getPlural(),
        client.genericKubernetesResources(context).inAnyNamespace(),
        new ViewStore<>(
            GenericKubernetesResource::new, object -> Optional.of(reading.apply(object))),
        limit,
        monotonic);
  }

  /**
   * What is known now.
   *
   * @throws ClusterUnreachable if the first list is not complete, or if the watch is broken and was
   *     not seen whole within the limit
   */
  Collection<V> now() {
    Optional<String> doubt = doubt();
    if (doubt.isPresent()) {
      throw new ClusterUnreachable("watch " + kind, doubt.get());
    }
    return store.all();
  }

  /** What was known last, however old. */
  Collection<V> lastKnown() {
    return store.all();
  }

  /** What was known last of one object; the namespace is empty for what lives in none. */
  Optional<V> lastKnown(String namespace, String name) {
    return store.view(namespace, name);
  }

  /** Whether it has answered at least once, with a list or with a refusal. */
  boolean hasAnswered() {
    return lastSeenAlive.get().isPresent() || lastFailure.get().isPresent();
  }

  /** Stops the watch; later reads fail. */
  void stop() {
    // While the client's informer stops, it must not be asked: it fails in a way of its own.
    synchronized (informer) {
      stopped = true;
      informer.stop();
    }
  }

  /**
   * Why the views must not be trusted; empty if they can be.
   *
   * <p>The time since a watch broke is counted from the last call that found it intact, so it is
   * never underestimated.
   */
  Optional<String> doubt() {
    synchronized (informer) {
      if (stopped) {
        return Optional.of("it was stopped");
      }
      if (informer.hasSynced() && informer.isWatching()) {
        lastSeenAlive.set(Optional.of(monotonic.nanos()));
        lastFailure.set(Optional.empty());
        return Optional.empty();
      }
    }
    return lastSeenAlive.get().map(this::brokenSince).orElseGet(() -> Optional.of(notBegun()));
  }

  private Optional<String> brokenSince(long seen) {
    Duration broken = Duration.ofNanos(monotonic.nanos() - seen);
    return broken.compareTo(limit) > 0
        ? Optional.of(
            "broken for longer than the " + limit.toSeconds() + " s that are allowed" + why())
        : Optional.empty();
  }

  private String notBegun() {
    return (informer.hasSynced()
            ? "the list is complete, but the watch does not begin"
            : "the first list is not complete")
        + why();
  }

  private String why() {
    return lastFailure.get().map(failure -> ": " + failure).orElse("");
  }

  /**
   * Why a list or a watch failed. The message of the client contains the resource version, which
   * differs in each request, so the status of the API server is used where there is one.
   */
  static String failureText(Throwable failure) {
    return Stream.iterate(failure, each -> each != null, Throwable::getCause)
        .filter(KubernetesClientException.class::isInstance)
        .map(KubernetesClientException.class::cast)
        .filter(refusal -> refusal.getCode() > 0)
        .findFirst()
        .map(ObjectWatch::refusal)
        .orElseGet(() -> String.valueOf(failure.getMessage()));
  }

  private static String refusal(KubernetesClientException refusal) {
    return "the API server answered "
        + refusal.getCode()
        + Optional.ofNullable(refusal.getStatus())
            .map(Status::getMessage)
            .map(words -> ": " + words)
            .orElse("");
  }
}
