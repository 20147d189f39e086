package io.gpureclaimer.exporter.attribution.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.impl.cache.CacheImpl;
import io.gpureclaimer.common.kubernetes.ViewStore;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.exporter.attribution.NodePods.WatchState;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the objects of one kind on one node, and remembers a view of each. {@link #now} is
 * confined to the attribution job.
 *
 * <p>While the watch is broken, what is known stands for a while; the client lists and watches
 * again with growing pauses, without an end.
 */
final class NodeWatch<T extends HasMetadata, V> implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(NodeWatch.class);
  private static final int NOT_FOUND = 404;

  private final String subject;
  private final String consequence;
  private final ViewStore<T, V> store;
  private final SharedIndexInformer<T> informer;
  private final Duration staleAfter;
  private final MonotonicClock monotonic;
  private final long began;
  private final AtomicReference<@Nullable Throwable> trouble = new AtomicReference<>();
  private @Nullable Long lastWhole;
  private LoggedState said = LoggedState.NOTHING;

  /** Guarded by the informer: while it stops it must not be asked, it fails in a way of its own. */
  private boolean stopped;

  /**
   * Starts to list and watch, and returns at once.
   *
   * @param subject what is watched, for the log, such as {@code the pods on this node}
   * @param consequence of knowing nothing, for the log
   * @param store where the views go
   * @param informer not yet started. Without a limit on its list: only then may the API server
   *     answer from its cache, which knows objects by node. With one it would read all objects of
   *     the cluster for each agent that starts
   * @param staleAfter how long what is known stands while the watch is broken
   * @param monotonic monotonic clock
   */
  NodeWatch(
      String subject,
      String consequence,
      ViewStore<T, V> store,
      SharedIndexInformer<T> informer,
      Duration staleAfter,
      MonotonicClock monotonic) {
    this.subject = subject;
    this.consequence = consequence;
    this.store = store;
    this.informer = informer;
    this.staleAfter = staleAfter;
    this.monotonic = monotonic;
    began = monotonic.nanos();
    informer.itemStore(store);
    // The default index would remember the key of every object, kept or not, without a limit.
    informer.removeIndexer(CacheImpl.NAMESPACE_INDEX);
    var heard = trouble;
    informer
        .exceptionHandler(
            (started, failure) -> {
              heard.set(unwrapped(failure));
              return true;
            })
        .start();
  }

  /**
   * Views of the watched objects.
   *
   * @param watch whether the API server keeps reporting
   * @param views of all objects; none when what was known is too old
   */
  record WatchedViews<V>(WatchState watch, Collection<V> views) {}

  WatchedViews<V> now() {
    long now = monotonic.nanos();
    if (isWhole()) {
      lastWhole = now;
      trouble.set(null);
      say(LoggedState.WHOLE, "");
      return new WatchedViews<>(new WatchState.Synced(), store.all());
    }
    var reason =
        Optional.ofNullable(trouble.get())
            .map(failure -> String.valueOf(failure.getMessage()))
            .orElseGet(this::waitingFor);
    var seen = lastWhole;
    if (seen != null && now - seen <= staleAfter.toNanos()) {
      return new WatchedViews<>(new WatchState.NotSynced(reason), store.all());
    }
    if (seen != null || trouble.get() != null || now - began > staleAfter.toNanos()) {
      say(LoggedState.BROKEN, reason);
    }
    return new WatchedViews<>(new WatchState.NotSynced(reason), List.of());
  }

  /** Whether the API server has reported all objects at some time; as {@link #now} has seen it. */
  boolean wasWhole() {
    return lastWhole != null;
  }

  /** Whether the API server has said that it has no objects of this kind and version. */
  boolean isUnheardOf() {
    return trouble.get() instanceof KubernetesClientException failure
        && failure.getCode() == NOT_FOUND;
  }

  @Override
  public void close() {
    synchronized (informer) {
      stopped = true;
      informer.stop();
    }
  }

  private static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  private boolean isWhole() {
    synchronized (informer) {
      return !stopped && informer.hasSynced() && informer.isWatching();
    }
  }

  /** What is on the way may answer a web socket with a stream without an end: no failure ever. */
  private String waitingFor() {
    return store.size() == 0
        ? "its list, or the watch after it, is not complete yet"
        : "it has sent a list, but no watch has begun yet; is there a proxy that lets "
            + "no web sockets"
            + " through?";
  }

  private void say(LoggedState next, String reason) {
    if (next == said) {
      return;
    }
    said = next;
    if (next == LoggedState.WHOLE) {
      log.info("the API server reports {}: count={}", subject, store.size());
    } else {
      log.warn("the API server does not report {}, and {}: {}", subject, consequence, reason);
    }
  }

  private enum LoggedState {
    NOTHING,
    WHOLE,
    BROKEN
  }
}
