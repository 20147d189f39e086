package io.gpureclaimer.deviceplugin.nodeevents.kubernetes;

import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpureclaimer.deviceplugin.allocation.AdvertisedDevice;
import io.gpureclaimer.deviceplugin.kubelet.ContainerDevice;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing;
import io.gpureclaimer.deviceplugin.nodeevents.EventSink;
import io.gpureclaimer.deviceplugin.nodeevents.NodeEvent;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Creates Events on the pods that hold a device, as the kubelet reports them. An attempt after a
 * failure creates only what is missing. Blocks for as long as kubelet and API server take.
 */
public final class EventsOnHolders implements EventSink {
  private static final String CREATE =
      "a ClusterRole with apiGroups [\"\"], resources [\"events\"], verbs [\"create\"]";
  private static final String LIST =
      "a ClusterRole with apiGroups [\"\"], resources [\"pods\"], verbs [\"list\"]";

  private final KubernetesClient client;
  private final EventCreation creation;
  private final Supplier<PodResourcesListing> kubelet;

  /**
   * @param client makes each call once
   * @param node the name of the Node
   * @param component who says it
   * @param kubelet asked who holds which device
   */
  public EventsOnHolders(
      KubernetesClient client,
      String node,
      String component,
      Supplier<PodResourcesListing> kubelet) {
    this.client = client;
    this.creation = new EventCreation(client, node, component);
    this.kubelet = kubelet;
  }

  private record EventPod(String namespace, String name) {}

  @Override
  public String target() {
    return "the pods of the Node " + creation.node();
  }

  @Override
  public Delivery write(NodeEvent event) {
    return switch (kubelet.get()) {
      case PodResourcesListing.Listed(var devices, _) -> deliver(event, holders(event, devices));
      case PodResourcesListing.Failed(_, var reason) ->
          new Delivery.Failed("the kubelet does not report who holds the device: " + reason);
      // It never will: this kubelet is older than the question.
      case PodResourcesListing.Unsupported() -> new Delivery.Delivered();
    };
  }

  private static List<EventPod> holders(NodeEvent event, List<ContainerDevice> devices) {
    return devices.stream()
        .filter(held -> AdvertisedDevice.deviceOf(held.id()).equals(event.device()))
        .map(held -> new EventPod(held.namespace(), held.pod()))
        .distinct()
        .toList();
  }

  private Delivery deliver(NodeEvent event, List<EventPod> pods) {
    try {
      for (EventPod pod : pods) {
        Optional<Pod> live = find(pod);
        if (live.isPresent() && deliver(event, live.get()) instanceof Delivery.Failed failed) {
          return failed;
        }
      }
      return new Delivery.Delivered();
    } catch (KubernetesClientException e) {
      return new Delivery.Failed(EventCreation.why(e, LIST));
    }
  }

  /** Its uid, without which kubectl describe does not show an Event; the kubelet reports none. */
  private Optional<Pod> find(EventPod pod) {
    return client
        .pods()
        .inNamespace(pod.namespace())
        .withField("metadata.name", pod.name())
        .list()
        .getItems()
        .stream()
        .filter(live -> live.getMetadata().getName().equals(pod.name()))
        .filter(live -> Objects.equals(live.getSpec().getNodeName(), creation.node()))
        .findFirst();
  }

  private Delivery deliver(NodeEvent event, Pod pod) {
    var about =
        new ObjectReferenceBuilder()
            .withApiVersion("v1")
            .withKind("Pod")
            .withNamespace(pod.getMetadata().getNamespace())
            .withName(pod.getMetadata().getName())
            .withUid(pod.getMetadata().getUid())
            .build();
    return creation.create(about, pod.getMetadata().getNamespace(), event, CREATE);
  }
}
