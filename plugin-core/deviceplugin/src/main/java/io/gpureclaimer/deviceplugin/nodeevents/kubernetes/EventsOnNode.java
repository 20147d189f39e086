package io.gpureclaimer.deviceplugin.nodeevents.kubernetes;

import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpureclaimer.deviceplugin.nodeevents.EventSink;
import io.gpureclaimer.deviceplugin.nodeevents.NodeEvent;

/** Creates Events on one Node. Blocks for as long as the client's requests take. */
public final class EventsOnNode implements EventSink {
  /** Where the API server wants Events of objects that are in no namespace. */
  private static final String NAMESPACE = "default";

  private static final String RULE =
      "a Role in namespace "
          + NAMESPACE
          + " with apiGroups [\"\"], resources [\"events\"], verbs [\"create\"]";

  private final EventCreation creation;

  /**
   * @param client makes each call once
   * @param node the name of the Node
   * @param component who says it
   */
  public EventsOnNode(KubernetesClient client, String node, String component) {
    this.creation = new EventCreation(client, node, component);
  }

  @Override
  public String target() {
    return "the Node " + creation.node();
  }

  /** The kubelet gives its Node's name for its uid, too, and kubectl describe looks for that. */
  @Override
  public Delivery write(NodeEvent event) {
    var about =
        new ObjectReferenceBuilder()
            .withApiVersion("v1")
            .withKind("Node")
            .withName(creation.node())
            .withUid(creation.node())
            .build();
    return creation.create(about, NAMESPACE, event, RULE);
  }
}
