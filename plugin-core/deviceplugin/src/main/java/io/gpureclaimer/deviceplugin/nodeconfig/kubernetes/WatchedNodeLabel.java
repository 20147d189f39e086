package io.gpureclaimer.deviceplugin.nodeconfig.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.impl.cache.CacheImpl;
import io.gpureclaimer.common.kubernetes.NodeKind;
import io.gpureclaimer.common.kubernetes.ViewStore;
import io.gpureclaimer.deviceplugin.nodeconfig.NodeLabelSource;
import io.gpureclaimer.deviceplugin.nodeconfig.NodeLabelSource.NodeLabel;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Watches one Node for one label, and remembers nothing else of it. The account needs get, list and
 * watch on nodes. While the API server is away the client comes back with growing pauses, and what
 * was known stands; {@link #now} is for one thread.
 */
public final class WatchedNodeLabel implements NodeLabelSource, AutoCloseable {
  private static final int FORBIDDEN = 403;
  private final String node;
  private final ViewStore<GenericKubernetesResource, Optional<String>> store;
  private final SharedIndexInformer<GenericKubernetesResource> informer;
  private final AtomicReference<@Nullable Throwable> trouble;
  private NodeLabel known = new NodeLabel.Unknown("the API server has not answered yet");

  private WatchedNodeLabel(
      String node,
      ViewStore<GenericKubernetesResource, Optional<String>> store,
      SharedIndexInformer<GenericKubernetesResource> informer,
      AtomicReference<@Nullable Throwable> trouble) {
    this.node = node;
    this.store = store;
    this.informer = informer;
    this.trouble = trouble;
  }

  /**
   * Starts to list and watch, and returns at once.
   *
   * @param client stays open when this is closed
   * @param node the name of the Node
   * @param key of the label
   */
  public static WatchedNodeLabel start(KubernetesClient client, String node, String key) {
    var store =
        new ViewStore<GenericKubernetesResource, Optional<String>>(
            GenericKubernetesResource::new, found -> Optional.of(value(found, key)));
    var informer =
        client
            .genericKubernetesResources(NodeKind.CONTEXT)
            .withField("metadata.name", node)
            .runnableInformer(0);
    var trouble = new AtomicReference<@Nullable Throwable>();
    informer.itemStore(store);
    informer.removeIndexer(CacheImpl.NAMESPACE_INDEX);
    informer
        .exceptionHandler(
            (_, failure) -> {
              trouble.set(unwrapped(failure));
              return true;
            })
        .start();
    return new WatchedNodeLabel(node, store, informer, trouble);
  }

  @Override
  public NodeLabel now() {
    if (informer.hasSynced()) {
      Optional<Optional<String>> found = store.view("", node);
      if (found.isPresent()) {
        known = found.get().<NodeLabel>map(NodeLabel.Value::new).orElseGet(NodeLabel.Absent::new);
      } else if (known instanceof NodeLabel.Unknown) {
        known = new NodeLabel.Unknown("there is no Node " + node);
      }
    } else if (known instanceof NodeLabel.Unknown) {
      Optional.ofNullable(trouble.get())
          .ifPresent(failure -> known = new NodeLabel.Unknown(reason(failure)));
    }
    return known;
  }

  @Override
  public void close() {
    informer.stop();
  }

  private static Optional<String> value(GenericKubernetesResource node, String key) {
    Map<String, String> labels = node.getMetadata().getLabels();
    return Optional.ofNullable(labels == null ? null : labels.get(key))
        .filter(text -> !text.isBlank());
  }

  private static String reason(Throwable failure) {
    if (!(failure instanceof KubernetesClientException refusal) || refusal.getStatus() == null) {
      return String.valueOf(failure.getMessage());
    }
    String said = String.valueOf(refusal.getStatus().getMessage());
    return refusal.getCode() == FORBIDDEN
        ? "our account may not watch Nodes; it needs a ClusterRole with apiGroups [\"\"], resources"
            + " [\"nodes\"], verbs [\"get\", \"list\", \"watch\"] ("
            + said
            + ")"
        : said;
  }

  private static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }
}
