package io.gpureclaimer.deviceplugin.runtime.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpureclaimer.common.kubernetes.ConnectionOptions;
import io.gpureclaimer.common.kubernetes.KubernetesConnection;
import io.gpureclaimer.common.kubernetes.RegisteredKinds;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing;
import io.gpureclaimer.deviceplugin.labels.NodeLabels;
import io.gpureclaimer.deviceplugin.labels.kubernetes.AppliedLabels;
import io.gpureclaimer.deviceplugin.nodeconfig.NodeLabelSource;
import io.gpureclaimer.deviceplugin.nodeconfig.kubernetes.WatchedNodeLabel;
import io.gpureclaimer.deviceplugin.nodeevents.EventSink;
import io.gpureclaimer.deviceplugin.nodeevents.kubernetes.EventsOnHolders;
import io.gpureclaimer.deviceplugin.nodeevents.kubernetes.EventsOnNode;
import io.gpureclaimer.deviceplugin.nodehealth.NodeHealth;
import io.gpureclaimer.deviceplugin.nodehealth.kubernetes.NodeConditionWriter;
import io.gpureclaimer.deviceplugin.publication.PublicationSink;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The Node object that stands for this machine. */
public final class OwnNode implements AutoCloseable {
  static final String AGENT = "gpu-exporter";

  /** Must never change: labels that another name has written would have no owner. */
  static final String MANAGER = "gpu-reclaimer-labels";

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
        KubernetesConnection.ofThisProcess().open(AGENT, options, RegisteredKinds.REGISTERED),
        name);
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
   * @param force whether labels that another manager has set to other values are taken over
   */
  public PublicationSink<NodeLabels> labels(boolean force) {
    return AppliedLabels.onNode(client, name, MANAGER, force);
  }

  /** Creates Events on it for its administrators. */
  public EventSink events() {
    return new EventsOnNode(client, name, AGENT);
  }

  /**
   * Creates Events on the pods that hold a device.
   *
   * @param kubelet asked who does
   */
  public EventSink holders(Supplier<PodResourcesListing> kubelet) {
    return new EventsOnHolders(client, name, AGENT, kubelet);
  }

  /**
   * Reports the health of its GPUs as a condition.
   *
   * @param taints whether it is tainted, too, while one is unhealthy
   */
  public PublicationSink<NodeHealth> health(boolean taints, InstantSource clock) {
    return new NodeConditionWriter(client, name, taints, clock);
  }

  /** Has Node Feature Discovery's master label it. */
  public PublicationSink<NodeLabels> feature(String namespace, boolean force) {
    return AppliedLabels.onNodeFeature(client, name, namespace, List.of(), MANAGER, force);
  }

  @Override
  public void close() {
    watched.forEach(WatchedNodeLabel::close);
    client.close();
  }
}
