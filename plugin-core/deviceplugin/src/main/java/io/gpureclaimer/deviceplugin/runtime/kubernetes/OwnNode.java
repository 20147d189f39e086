package io.gpureclaimer.deviceplugin.runtime.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpureclaimer.common.kubernetes.ConnectionOptions;
import io.gpureclaimer.common.kubernetes.Kinds;
import io.gpureclaimer.common.kubernetes.KubernetesConnection;
import io.gpureclaimer.deviceplugin.labels.LabelSink;
import io.gpureclaimer.deviceplugin.labels.kubernetes.AppliedLabels;
import io.gpureclaimer.deviceplugin.nodeconfig.NodeLabelSource;
import io.gpureclaimer.deviceplugin.nodeconfig.kubernetes.WatchedNodeLabel;
import io.gpureclaimer.deviceplugin.nodeevents.EventSink;
import io.gpureclaimer.deviceplugin.nodeevents.kubernetes.EventsOnNode;
import java.util.ArrayList;
import java.util.List;

/** The Node object that stands for this machine. */
public final class OwnNode implements AutoCloseable {
  private static final String AGENT = "gpu-exporter";

  /** Must never change: labels that another name has written would be nobody's. */
  private static final String MANAGER = "gpu-reclaimer-labels";

  private final KubernetesClient client;
  private final String name;
  private final List<WatchedNodeLabel> watched = new ArrayList<>();

  private OwnNode(KubernetesClient client, String name) {
    this.client = client;
    this.name = name;
  }

  /**
   * Asks nothing yet.
   *
   * @param name of the Node
   * @throws io.gpureclaimer.common.kubernetes.ClusterNotConfigured if nothing says where the API
   *     server is
   */
  public static OwnNode of(String name, ConnectionOptions options) {
    return new OwnNode(
        KubernetesConnection.ofThisProcess().open(AGENT, options, Kinds.REGISTERED), name);
  }

  /** Follows one of its labels. */
  public NodeLabelSource label(String key) {
    var label = WatchedNodeLabel.start(client, name, key);
    watched.add(label);
    return label;
  }

  /**
   * Labels it.
   *
   * @param force whether labels are taken over that somebody else has set to other values
   */
  public LabelSink labels(boolean force) {
    return AppliedLabels.onNode(client, name, MANAGER, force);
  }

  /** Tells people on it what they have to know. */
  public EventSink events() {
    return new EventsOnNode(client, name, AGENT);
  }

  /** Has Node Feature Discovery's master label it. */
  public LabelSink feature(String namespace, boolean force) {
    return AppliedLabels.onNodeFeature(client, name, namespace, List.of(), MANAGER, force);
  }

  @Override
  public void close() {
    watched.forEach(WatchedNodeLabel::close);
    client.close();
  }
}
