package io.gpureclaimer.exporter.attribution.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.impl.cache.CacheImpl;
import io.gpureclaimer.core.kubernetes.ViewStore;
import io.gpureclaimer.exporter.attribution.PodName;
import io.gpureclaimer.exporter.attribution.PodUids;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the pods of one node and remembers of each its name, uid and whether it has ended. {@link
 * #now} is confined to the attribution job.
 *
 * <p>While the watch is broken, what is known stands for a while; the client lists and watches
 * again with growing pauses, for ever. A pod may meanwhile be replaced by one of its name, which
 * then bears the old uid: its owner sees no evidence for it, and so does nothing to it.
 */
public final class WatchedPods implements PodUids, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WatchedPods.class);
  private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

  private final ViewStore<NodePod, Life> store;
  private final SharedIndexInformer<NodePod> informer;
  private final Duration staleAfter;
  private final LongSupplier nanoTime;
  private final AtomicReference<@Nullable String> trouble;
  private @Nullable Long lastWhole;
  private Said said = Said.NOTHING;

  /** Guarded by the informer: while it stops it must not be asked, it fails in a way of its own. */
  private boolean stopped;

  private WatchedPods(
      ViewStore<NodePod, Life> store,
      SharedIndexInformer<NodePod> informer,
      Duration staleAfter,
      LongSupplier nanoTime,
      AtomicReference<@Nullable String> trouble) {
    this.store = store;
    this.informer = informer;
    this.staleAfter = staleAfter;
    this.nanoTime = nanoTime;
    this.trouble = trouble;
  }

  /**
   * Starts to list and watch, and returns at once.
   *
   * @param client stays open when this is closed
   * @param node whose pods
   * @param staleAfter how long what is known stands while the watch is broken
   * @param nanoTime a clock that nobody sets, in nanoseconds
   */
  public static WatchedPods start(
      KubernetesClient client, String node, Duration staleAfter, LongSupplier nanoTime) {
    var trouble = new AtomicReference<@Nullable String>();
    var store = new ViewStore<>(NodePod::new, WatchedPods::lifeOf);
    client.getKubernetesSerialization().registerKubernetesResource(NodePod.class);
    // No limit on the list: only without one may the API server answer from its cache, which knows
    // the pods by node. With one it would read every pod of the cluster for each agent that starts.
    var informer =
        client
            .resources(NodePod.class)
            .inAnyNamespace()
            .withField("spec.nodeName", node)
            .runnableInformer(0)
            .itemStore(store);
    // The default index would remember the key of every object, kept or not, for ever.
    informer.removeIndexer(CacheImpl.NAMESPACE_INDEX);
    informer
        .exceptionHandler(
            (started, failure) -> {
              trouble.set(String.valueOf(failure.getMessage()));
              return true;
            })
        .start();
    return new WatchedPods(store, informer, staleAfter, nanoTime, trouble);
  }

  @Override
  public Known now() {
    long now = nanoTime.getAsLong();
    if (isWhole()) {
      lastWhole = now;
      trouble.set(null);
      say(Said.WHOLE, "");
      return known(new Watch.Whole());
    }
    var reason = Optional.ofNullable(trouble.get()).orElse("its list is not complete yet");
    var seen = lastWhole;
    if (seen != null && now - seen <= staleAfter.toNanos()) {
      return known(new Watch.Broken(reason));
    }
    if (seen != null || trouble.get() != null) {
      say(Said.BROKEN, reason);
    }
    return new Known(new Watch.Broken(reason), Map.of(), Set.of());
  }

  @Override
  public void close() {
    synchronized (informer) {
      stopped = true;
      informer.stop();
    }
  }

  private boolean isWhole() {
    synchronized (informer) {
      return !stopped && informer.hasSynced() && informer.isWatching();
    }
  }

  private Known known(Watch watch) {
    var running = new HashMap<PodName, String>();
    var ended = new HashSet<PodName>();
    for (var life : store.all()) {
      if (life.ended()) {
        ended.add(life.pod());
      } else {
        running.put(life.pod(), life.uid());
      }
    }
    return new Known(watch, running, ended);
  }

  private void say(Said next, String reason) {
    if (next == said) {
      return;
    }
    said = next;
    if (next == Said.WHOLE) {
      log.info("the API server tells the uids of the pods on this node: {}", store.size());
    } else {
      log.warn(
          "the API server does not tell the uids of the pods on this node, and holders go without:"
              + " {}",
          reason);
    }
  }

  private static Optional<Life> lifeOf(NodePod pod) {
    var metadata = pod.getMetadata();
    String uid = metadata.getUid();
    return uid == null || uid.isBlank()
        ? Optional.empty()
        : Optional.of(
            new Life(
                new PodName(metadata.getNamespace(), metadata.getName()),
                uid,
                ENDED.contains(String.valueOf(pod.getStatus().getPhase()))));
  }

  private record Life(PodName pod, String uid, boolean ended) {}

  private enum Said {
    NOTHING,
    WHOLE,
    BROKEN
  }
}
