package io.gpureclaimer.deviceplugin.nodeevents.kubernetes;

import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpureclaimer.common.kubernetes.CoreEvents;
import io.gpureclaimer.deviceplugin.nodeevents.EventSink.Delivery;
import io.gpureclaimer.deviceplugin.nodeevents.NodeEvent;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/**
 * Creates Events of one node. Their names are made of what they say, so that the API server itself
 * knows one that it has: an agent that is restarted sends no Event twice, and the account needs no
 * right but to create. Blocks for as long as the client's requests take.
 *
 * @param client makes each call once
 * @param node the name of the Node
 * @param component who says it
 */
record EventCreation(KubernetesClient client, String node, String component) {
  private static final int FORBIDDEN = 403;
  private static final int CONFLICT = 409;

  /**
   * Creates one.
   *
   * @param about on what people shall read it
   * @param rule of RBAC that allows it, for people
   */
  Delivery create(ObjectReference about, String namespace, NodeEvent event, String rule) {
    var manifest =
        CoreEvents.about(
                about, component, event.warning(), event.reason(), event.message(), event.at())
            .withNewMetadata()
            .withNamespace(namespace)
            .withName(component + '.' + fingerprint(about, event))
            .endMetadata()
            .editSource()
            .withHost(node)
            .endSource()
            .build();
    try {
      client.v1().events().inNamespace(namespace).resource(manifest).create();
      return new Delivery.Delivered();
    } catch (KubernetesClientException e) {
      return e.getCode() == CONFLICT ? new Delivery.Delivered() : new Delivery.Failed(why(e, rule));
    }
  }

  private static UUID fingerprint(ObjectReference about, NodeEvent event) {
    String all =
        String.join("\n", about.getUid(), event.reason(), event.message(), event.incident());
    return UUID.nameUUIDFromBytes(all.getBytes(StandardCharsets.UTF_8));
  }

  /** A failure in words. */
  static String why(KubernetesClientException e, String rule) {
    String said =
        Optional.ofNullable(e.getStatus())
            .map(Status::getMessage)
            .or(() -> Optional.ofNullable(e.getCause()).map(Throwable::getMessage))
            .orElseGet(() -> String.valueOf(e.getMessage()));
    return e.getCode() == FORBIDDEN
        ? "our account may not; it needs " + rule + " (" + said + ")"
        : said;
  }
}
