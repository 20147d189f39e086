package io.gpureclaimer.deviceplugin.nodeevents.kubernetes;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpureclaimer.common.kubernetes.CoreEvents;
import io.gpureclaimer.deviceplugin.nodeevents.EventSink;
import io.gpureclaimer.deviceplugin.nodeevents.NodeEvent;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/**
 * Creates Events on one Node. Their names are made of what they say, so that the API server itself
 * knows one that it has: an agent that is started again tells nothing twice, and the account needs
 * no right but to create. Blocks for as long as the client's requests take.
 */
public final class EventsOnNode implements EventSink {
  /** Where the API server wants Events of objects that are in no namespace. */
  private static final String NAMESPACE = "default";

  private static final int FORBIDDEN = 403;
  private static final int CONFLICT = 409;

  private final KubernetesClient client;
  private final String node;
  private final String component;

  /**
   * @param client makes each call once
   * @param node the name of the Node
   * @param component who says it
   */
  public EventsOnNode(KubernetesClient client, String node, String component) {
    this.client = client;
    this.node = node;
    this.component = component;
  }

  @Override
  public String target() {
    return "the Node " + node;
  }

  @Override
  public Delivery write(NodeEvent event) {
    try {
      client.v1().events().inNamespace(NAMESPACE).resource(manifest(event)).create();
      return new Delivery.Delivered();
    } catch (KubernetesClientException e) {
      return e.getCode() == CONFLICT ? new Delivery.Delivered() : new Delivery.Failed(why(e));
    }
  }

  /** The kubelet gives its Node's name for its uid, too, and kubectl describe looks for that. */
  private Event manifest(NodeEvent event) {
    var about =
        new ObjectReferenceBuilder()
            .withApiVersion("v1")
            .withKind("Node")
            .withName(node)
            .withUid(node)
            .build();
    return CoreEvents.about(
            about, component, event.warning(), event.reason(), event.message(), event.at())
        .withNewMetadata()
        .withNamespace(NAMESPACE)
        .withName(component + '.' + fingerprint(event))
        .endMetadata()
        .editSource()
        .withHost(node)
        .endSource()
        .build();
  }

  private UUID fingerprint(NodeEvent event) {
    String all = String.join("\n", node, event.reason(), event.message(), event.incident());
    return UUID.nameUUIDFromBytes(all.getBytes(StandardCharsets.UTF_8));
  }

  private static String why(KubernetesClientException e) {
    String said =
        Optional.ofNullable(e.getStatus())
            .map(Status::getMessage)
            .or(() -> Optional.ofNullable(e.getCause()).map(Throwable::getMessage))
            .orElseGet(() -> String.valueOf(e.getMessage()));
    return e.getCode() == FORBIDDEN
        ? "our account may not; it needs a Role in namespace "
            + NAMESPACE
            + " with apiGroups [\"\"], resources [\"events\"], verbs [\"create\"] ("
            + said
            + ")"
        : said;
  }
}
